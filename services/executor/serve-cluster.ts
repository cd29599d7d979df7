import type { Bus } from "#libs/bus";
import { type BatchJob, makeEvent, nameSubject, readBatchJob } from "#libs/events";
import type { Cluster } from "#libs/kube";
import type { BatchWorker, HeldBatch, ServeBatches } from "#libs/queue";
import { type ChangeSignal, type Clock, createChangeSignal, type Logger } from "#libs/runtime";

import { keepAdmission } from "./cluster/keep-admission.ts";
import { keepClusterClaimed } from "./cluster/keep-cluster-claimed.ts";
import { keepInjectionProven } from "./cluster/keep-injection-proven.ts";
import { keepIstiodsRead } from "./cluster/keep-istiods-read.ts";
import { keepStopsRecorded } from "./cluster/keep-stops-recorded.ts";
import { type Surroundings, takeSnapshot } from "./moves/take-snapshot.ts";
import type { Mover } from "./moves/hold-job.ts";
import { moveBatch } from "./moves/move-batch.ts";
import { createPaceMemory } from "./writes/batch-pace.ts";
import { createPendingWrites } from "./writes/pending-writes.ts";
import { createPublisher, type Publisher } from "./inventory/publish-inventory.ts";
import { createRefusals } from "./writes/refusals.ts";
import { createEventRecorder } from "./messages/record-events.ts";
import { createEventTeller, tellSkipped } from "./messages/tell-events.ts";
import { createTeller } from "./messages/tell.ts";
import { createTroubles } from "./messages/troubles.ts";
import { watchOver, type Watcher } from "./moves/remediate.ts";

/** What the clusters of one executor share; none of it waits for any of them. */
export interface Shared extends Pick<
  Surroundings,
  "installation" | "mode" | "repositorySnapshots" | "control" | "clock"
> {
  readonly bus: Bus;
  readonly serve: ServeBatches<BatchJob>;
  readonly log: Logger;
  /** Told whenever main or control changed. */
  readonly listeners: Set<() => void>;
  /** Told after each look at a cluster how long it took, real ms: for health and metrics. */
  readonly onReconcile?: ((cluster: string, ms: number) => void) | undefined;
  /** Told how many Events were given up. */
  readonly onEventsLost?: ((cluster: string, count: number) => void) | undefined;
}

/** Real ms between two looks at what moves when nothing changes: time limits pass without any event. */
const reconcileEveryMs = 1000;
/** Real ms between two looks at the least. */
const reconcileAtMostEveryMs = 100;
/** Real ms before a cluster that could not be opened is tried again, and up to half of it more. */
const retryMs = 10_000;
/** Real ms in which the patch in hand must have ended and the job be given back, once the process is asked to end. */
const endLimitMs = 8_000;

/** A kubeconfig that is wrong, or an API server that is away, keeps its own cluster waiting and no other. */
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

/** Ends a job with the inventory published and the planner told, so that the next batch follows without a gap. */
async function endBatch({ bus, clock, log }: Shared, publisher: Publisher, job: BatchJob, why: string): Promise<void> {
  await publisher.flush();
  const id = `batch-ended-${job.run}-${job.cluster}-${clock.now()}`;
  const event = makeEvent("batchEnded", id, clock.now(), { run: job.run, cluster: job.cluster, why });
  await bus.publish(nameSubject(event), JSON.stringify(event)).catch((error: unknown) => {
    log.warn({ error }, "the bus did not take the end of a batch: the planner finds it by looking");
  });
}

/** A planner that has just started trusts only what it sees change: it is shown that this cluster is there. */
function announceToPlanners({ control, listeners }: Shared, publisher: Publisher): void {
  let writer = control.state()?.writer;
  listeners.add(() => {
    const now = control.state()?.writer;
    if (now === undefined || now === writer) return;
    writer = now;
    publisher.note(undefined);
  });
}

/** What happens to a workload is told to the bus, and to who asks the cluster itself. */
function createTellers(
  { bus, clock, onEventsLost }: Shared,
  { cluster, troubles, log }: Pick<Watcher, "troubles" | "log"> & Pick<Surroundings, "cluster">,
  signal: AbortSignal,
): Pick<Watcher, "tell" | "tellSkipped"> {
  const onLost = (count: number) => onEventsLost?.(cluster.name, count);
  const events = { recorder: createEventRecorder({ cluster, troubles, clock, log, onLost }, signal), clock };
  const [tellBus, tellCluster] = [createTeller(bus, clock, log), createEventTeller(events)];
  return {
    tell: (...effect) => {
      tellBus(...effect);
      tellCluster(...effect);
    },
    tellSkipped: (each, run, reason) => tellSkipped(events, each, run, reason),
  };
}

/** Takes the cluster's batches one after the other. */
function serveJobs(shared: Shared, mover: Mover, publisher: Publisher): BatchWorker {
  const { name } = mover.surroundings.cluster;
  return shared.serve(name, async (held: HeldBatch<BatchJob>) => {
    const read = readBatchJob(held.job, name);
    if (!read.ok) {
      // Who reaches Redis can put anything there: it leaves the queue, and stops nothing.
      mover.log.warn({ why: read.why }, "a job in the queue is none of meshroll's: dropped");
      return;
    }
    await moveBatch(mover, { job: read.job, signal: held.signal, holdsLock: () => held.holdsLock() });
    // Given back or lost: it goes on elsewhere, and must not be reported as ended.
    if (!held.signal.aborted) await endBatch(shared, publisher, read.job, "carried out");
  });
}

/** Looks after what moves until the signal aborts; a remediation in hand is finished. */
async function keepWatch(
  watcher: Watcher,
  changes: ChangeSignal,
  onReconcile: Shared["onReconcile"],
  signal: AbortSignal,
): Promise<void> {
  const { clock, cluster } = watcher.surroundings;
  while (!signal.aborted) {
    const began = clock.monotonic();
    await watchOver(watcher, signal).catch((error: unknown) => {
      watcher.log.error({ error }, "could not look after what moves: the next reconcile tries again");
    });
    onReconcile?.(cluster.name, clock.monotonic() - began);
    // Watch events come in bursts: looking at each would cost a core and make nothing sooner.
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

/** Whatever an API server keeps hanging is left behind: it shows on the objects, and the next executor looks at them. */
async function endInTime(clock: Clock, work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const ended = new AbortController();
  const late = untilAborted(signal).then(async () => clock.sleepReal(endLimitMs, ended.signal).catch(() => undefined));
  await Promise.race([work, late]);
  ended.abort();
}

/** Serves one cluster until the signal aborts; then the patch in hand is finished and the batch given back at once. */
export async function serveCluster(shared: Shared, cluster: Cluster, signal: AbortSignal): Promise<void> {
  const { installation, mode, clock, bus, repositorySnapshots, control } = shared;
  const log = shared.log.child({ cluster: cluster.name });
  const changes = createChangeSignal(clock);
  shared.listeners.add(changes.raise);
  const pending = createPendingWrites(cluster);
  const troubles = createTroubles(() => publisher.note(undefined));
  const publisher = createPublisher({
    cluster,
    mode,
    inventory: bus.bucket("inventory"),
    troubles,
    clock,
    log,
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
  const { tell, tellSkipped } = createTellers(shared, { cluster, troubles, log }, signal);
  const mover: Mover = {
    surroundings,
    waitForChange: async (stop) => changes.wait(reconcileEveryMs, stop),
    tell,
    refusedIn: new Set(),
    refusals: createRefusals(),
    log,
  };
  const memory = { progress: new Map(), rolled: new Map(), refusals: createRefusals(), hasToldAgain: false };
  const watcher: Watcher = {
    surroundings,
    tell,
    tellSkipped,
    log,
    troubles,
    ...memory,
    skipsTold: new Set(),
    held: new Set(),
  };

  const started = new AbortController();
  const notification = publisher.tellWhyUnseen(AbortSignal.any([signal, started.signal]));
  await startPatiently({ cluster, clock, log }, signal, (namespace) => {
    publisher.note(namespace);
    changes.raise();
  });
  started.abort();
  // Its last word must not come after the first true one.
  await notification;
  if (signal.aborted) return;
  announceToPlanners(shared, publisher);
  const waitForChange = async (longestMs: number, stop: AbortSignal) => changes.wait(longestMs, stop);
  const proving = keepInjectionProven({ cluster, repositorySnapshots, mode, clock, log }, signal);
  const looking = [publisher.run(signal), keepIstiodsRead({ cluster, clock, log, waitForChange }, signal), proving];
  if (mode === "observe") return endInTime(clock, Promise.all(looking), signal);

  const worker = serveJobs(shared, mover, publisher);
  const claiming = keepClusterClaimed({ cluster, installation, troubles, clock, log, waitForChange }, signal);
  const recording = { installation, cluster, repositorySnapshots, control, troubles, clock, log, waitForChange };
  const closing = untilAborted(signal).then(async () => worker.close());
  const watching = keepWatch(watcher, changes, shared.onReconcile, signal);
  const looksAround = async () => takeSnapshot(surroundings);
  const admission = { cluster, repositorySnapshots, takeSnapshot: looksAround, troubles, clock, log, waitForChange };
  const work = [
    ...looking,
    closing,
    watching,
    claiming,
    keepAdmission(admission, signal),
    keepStopsRecorded(recording, signal),
  ];
  await endInTime(clock, Promise.all(work), signal);
}
