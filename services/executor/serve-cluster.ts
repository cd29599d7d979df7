import type { Bus } from "#libs/bus";
import { type BatchJob, makeEvent, nameSubject, readBatchJob } from "#libs/events";
import type { Cluster } from "#libs/kube";
import type { BatchWorker, HeldBatch, ServeBatches } from "#libs/queue";
import type { VmFleet } from "#libs/vms";
import { type ChangeSignal, type Clock, createChangeSignal, type Logger } from "#libs/runtime";

import { reconcileAdmission } from "./cluster/reconcile-admission.ts";
import { claimCluster } from "./cluster/claim-cluster.ts";
import { renewInjectionProofs } from "./cluster/renew-injection-proofs.ts";
import { readIstiodsRepeatedly } from "./cluster/read-istiods.ts";
import { reconcileRecordedStops } from "./cluster/reconcile-recorded-stops.ts";
import { type Surroundings, takeSnapshot } from "./moves/take-snapshot.ts";
import type { Mover } from "./moves/job-in-hand.ts";
import { moveBatch } from "./moves/move-batch.ts";
import { createPaceMemory } from "./writes/batch-pace.ts";
import { createPendingWrites } from "./writes/pending-writes.ts";
import { createPublisher, type Publisher } from "./inventory/publish-inventory.ts";
import { createRefusals } from "./writes/refusals.ts";
import { createEventRecorder } from "./messages/record-events.ts";
import { createEventReporter, reportSkipped } from "./messages/report-as-events.ts";
import { createBusReporter } from "./messages/report-to-bus.ts";
import { createTroubles } from "./messages/troubles.ts";
import { remediateOnce, type Remediator } from "./moves/remediate.ts";
import { hideVmGroups } from "./vms/hide-vm-groups.ts";
import { startVms } from "./vms/start-vms.ts";

/** What the clusters of one executor share. */
export interface Shared extends Pick<
  Surroundings,
  "installation" | "mode" | "repositorySnapshots" | "control" | "clock"
> {
  readonly bus: Bus;
  readonly serve: ServeBatches<BatchJob>;
  readonly log: Logger;
  /** The VMs of a cluster's groups; absent = this executor serves none, and WorkloadGroups are no workloads. */
  readonly openVms?: ((cluster: string) => VmFleet | undefined) | undefined;
  /** Called whenever main or control changed. */
  readonly listeners: Set<() => void>;
  /** Called after each reconcile of a cluster with its duration in real ms: for health and metrics. */
  readonly onReconcile?: ((cluster: string, ms: number) => void) | undefined;
  /** Called with the number of Events that were given up. */
  readonly onEventsLost?: ((cluster: string, count: number) => void) | undefined;
}

/** Longest time between two reconciles, real ms: time limits pass without any event. */
const reconcileEveryMs = 1000;
/** Shortest time between two reconciles, real ms. */
const reconcileAtMostEveryMs = 100;
/** Real ms before a failed start of a cluster is tried again, plus a random part of up to half of it. */
const retryMs = 10_000;
/** After the process is asked to end, the patch in hand must have ended and the job be given back within this time, real ms. */
const endLimitMs = 8_000;

/** Starts the cluster's watches. A wrong kubeconfig or an API server that is away delays this cluster only. */
async function startPatiently(
  { cluster, clock, log }: { readonly cluster: Cluster; readonly clock: Clock; readonly log: Logger },
  signal: AbortSignal,
  onChange: (namespace: string | undefined) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await cluster.start(onChange, signal);
      return;
    } catch (error) {
      if (!signal.aborted) log.error({ error }, "the cluster cannot be looked at; tried again in 10 s");
    }
    await clock.sleepReal(retryMs * (1 + Math.random() / 2), signal).catch(() => undefined);
  }
}

/** Ends a job: publishes the inventory and then tells the planner, so that the next batch follows without a gap. */
async function endBatch({ bus, clock, log }: Shared, publisher: Publisher, job: BatchJob, why: string): Promise<void> {
  await publisher.flush();
  const id = `batch-ended-${job.run}-${job.cluster}-${clock.now()}`;
  const event = makeEvent("batchEnded", id, clock.now(), { run: job.run, cluster: job.cluster, why });
  await bus.publish(nameSubject(event), JSON.stringify(event)).catch((error: unknown) => {
    log.warn({ error }, "NATS refused the event that ends a batch: the planner finds the end by itself");
  });
}

/**
 * A planner that has just started trusts only values that it sees change, so the cluster publishes again when control has a new
 * writer.
 */
function announceToPlanners({ control, listeners }: Shared, publisher: Publisher): void {
  let writer = control.state()?.writer;
  listeners.add(() => {
    const now = control.state()?.writer;
    if (now === undefined || now === writer) return;
    writer = now;
    publisher.note(undefined);
  });
}

/** Reports to the bus and as Kubernetes Events. */
function createReporters(
  { bus, clock, onEventsLost }: Shared,
  { cluster, troubles, log }: Pick<Remediator, "troubles" | "log"> & Pick<Surroundings, "cluster">,
  signal: AbortSignal,
): Pick<Remediator, "report" | "reportSkipped"> {
  const onLost = (count: number) => onEventsLost?.(cluster.name, count);
  const events = { recorder: createEventRecorder({ cluster, troubles, clock, log, onLost }, signal), clock };
  const [reportToBus, reportAsEvent] = [createBusReporter(bus, clock, log), createEventReporter(events)];
  return {
    report: (...effect) => {
      reportToBus(...effect);
      reportAsEvent(...effect);
    },
    reportSkipped: (each, run, reason) => reportSkipped(events, each, run, reason),
  };
}

/** Takes the cluster's jobs one after the other. */
function serveJobs(shared: Shared, mover: Mover, publisher: Publisher): BatchWorker {
  const { name } = mover.surroundings.cluster;
  return shared.serve(name, async (held: HeldBatch<BatchJob>) => {
    const read = readBatchJob(held.job, name);
    if (!read.ok) {
      // Anyone with access to Redis can put anything there; it is dropped from the queue and stops nothing.
      mover.log.warn({ why: read.why }, "a job in the queue is none of meshroll's: dropped");
      return;
    }
    await moveBatch(mover, { ...held, job: read.job });
    // An aborted job was given back or lost: it continues elsewhere and must not be reported as ended.
    if (!held.signal.aborted) await endBatch(shared, publisher, read.job, "carried out");
  });
}

/** Reconciles what moves until the signal aborts; a remediation in hand is finished. */
async function remediateRepeatedly(
  remediator: Remediator,
  changes: ChangeSignal,
  onReconcile: Shared["onReconcile"],
  signal: AbortSignal,
): Promise<void> {
  const { clock, cluster } = remediator.surroundings;
  while (!signal.aborted) {
    const began = clock.monotonic();
    await remediateOnce(remediator, signal).catch((error: unknown) => {
      remediator.log.error({ error }, "could not remediate moves: the next reconcile tries again");
    });
    onReconcile?.(cluster.name, clock.monotonic() - began);
    // Watch events come in bursts: a reconcile for each would cost a core and finish nothing sooner.
    await clock.sleepReal(reconcileAtMostEveryMs, signal).catch(() => undefined);
    await changes.wait(reconcileEveryMs, signal);
  }
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/**
 * Does not wait longer than `endLimitMs` for an API server that hangs: the next executor sees on the objects what was written.
 */
async function endInTime(clock: Clock, work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const ended = new AbortController();
  const late = untilAborted(signal).then(async () => clock.sleepReal(endLimitMs, ended.signal).catch(() => undefined));
  await Promise.race([work, late]);
  ended.abort();
}

/** Serves one cluster until the signal aborts; then the patch in hand is finished and the job given back at once. */
export async function serveCluster(shared: Shared, watched: Cluster, signal: AbortSignal): Promise<void> {
  const { installation, mode, clock, bus, repositorySnapshots, control } = shared;
  const log = shared.log.child({ cluster: watched.name });
  const changes = createChangeSignal(clock);
  shared.listeners.add(changes.raise);
  const fleet = shared.openVms?.(watched.name);
  const vms = fleet === undefined ? undefined : startVms({ ...shared, cluster: watched, fleet, changes });
  const cluster = vms?.groups.cluster ?? hideVmGroups(watched);
  const pending = createPendingWrites(cluster);
  const troubles = createTroubles(() => publisher.note(undefined));
  let areMapsRead = mode === "observe";
  const publisher = createPublisher({
    cluster,
    mode,
    inventory: bus.bucket("inventory"),
    troubles,
    clock,
    log,
    areMapsRead: () => areMapsRead,
  });
  const pace = createPaceMemory();
  const surroundings: Surroundings = {
    installation,
    cluster,
    mode,
    repositorySnapshots,
    control,
    pending,
    pace,
    troubles,
    clock,
  };
  const { report, reportSkipped } = createReporters(shared, { cluster, troubles, log }, signal);
  const mover: Mover = {
    surroundings,
    waitForChange: async (stop) => changes.wait(reconcileEveryMs, stop),
    report,
    refusedIn: new Set(),
    refusals: createRefusals(),
    log,
  };
  const memory = { progress: new Map(), rolled: new Map(), refusals: createRefusals(), hasReportedAgain: false };
  const remediator: Remediator = {
    surroundings,
    report,
    reportSkipped,
    log,
    troubles,
    ...memory,
    causes: new Map(),
    reportedSkips: new Set(),
    held: new Set(),
  };

  const started = new AbortController();
  const notification = publisher.publishStartProblems(AbortSignal.any([signal, started.signal]));
  await startPatiently({ cluster, clock, log }, signal, (namespace) => {
    publisher.note(namespace);
    changes.raise();
  });
  started.abort();
  // Its last value must not be written after the publisher's first one.
  await notification;
  await vms?.start(signal);
  if (signal.aborted) return;
  announceToPlanners(shared, publisher);
  const waitForChange = async (longestMs: number, stop: AbortSignal) => changes.wait(longestMs, stop);
  const proving = renewInjectionProofs({ cluster, repositorySnapshots, mode, clock, log }, signal);
  const note = (namespace: string): void => publisher.note(namespace);
  const looking = [
    publisher.run(signal),
    readIstiodsRepeatedly({ cluster, clock, log, waitForChange }, signal),
    proving,
    vms?.follow({ ...shared, log, troubles, takeSnapshot: async () => takeSnapshot(surroundings) }, note, signal) ??
      Promise.resolve(),
  ];
  if (mode === "observe") return endInTime(clock, Promise.all(looking), signal);

  const worker = serveJobs(shared, mover, publisher);
  const claiming = claimCluster({ cluster, installation, troubles, clock, log, waitForChange }, signal);
  const recording = { installation, cluster, repositorySnapshots, control, troubles, clock, log, waitForChange };
  const closing = untilAborted(signal).then(async () => worker.close());
  const watching = remediateRepeatedly(remediator, changes, shared.onReconcile, signal);
  const takeOwnSnapshot = async () => takeSnapshot(surroundings);
  const admission = {
    cluster,
    repositorySnapshots,
    takeSnapshot: takeOwnSnapshot,
    troubles,
    clock,
    log,
    waitForChange,
    onShown: (isKnown: boolean) => void (areMapsRead = isKnown),
  };
  const work = [
    ...looking,
    closing,
    watching,
    claiming,
    reconcileAdmission(admission, signal),
    reconcileRecordedStops(recording, signal),
  ];
  await endInTime(clock, Promise.all(work), signal);
}
