import type { Bus } from "#libs/bus";
import { type BatchJob, makeEvent, nameSubject, readBatchJob } from "#libs/events";
import type { RolloutsRepository } from "#libs/git";
import type { Cluster } from "#libs/kube";
import { openLedger } from "#libs/ledger";
import { createMainline, type Mainline } from "#libs/mainline";
import type { HeldBatch, ServeBatches } from "#libs/queue";
import type { Clock, Logger } from "#libs/runtime";

import { type ControlView, followControl } from "./follow-control.ts";
import { createChangeSignal } from "./change-signal.ts";
import { keepMainFresh } from "./keep-main-fresh.ts";
import type { Surroundings } from "./look-around.ts";
import { moveBatch, type Mover } from "./move-batch.ts";
import { createPendingWrites } from "./pending-writes.ts";
import { createPublisher, type Publisher } from "./publish-inventory.ts";
import { createTeller } from "./tell.ts";
import { watchOver, type Watchman } from "./watch-over.ts";

export interface ExecutorParts {
  readonly repository: RolloutsRepository;
  readonly clusters: readonly Cluster[];
  readonly mode: "observe" | "act";
  readonly bus: Bus;
  readonly serve: ServeBatches<BatchJob>;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Shared extends ExecutorParts {
  readonly mainline: Mainline;
  readonly control: ControlView;
}

/** Real ms between two looks at what moves when nothing changes: time limits pass without any event. */
const lookEveryMs = 1000;

/** Real ms between two looks at the least. */
const lookAtMostEveryMs = 100;
/** Real ms before a cluster that could not be opened is tried again. */
const retryMs = 10_000;

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
    await clock.sleepReal(retryMs, signal).catch(() => undefined);
  }
}

/** Ends a job with the inventory published and the planner told, so that the next batch follows without a gap. */
async function endBatch({ bus, clock, log }: Shared, publisher: Publisher, job: BatchJob, why: string): Promise<void> {
  await publisher.flush();
  const id = `batch-ended-${job.run}-${job.cluster}-${clock.now()}`;
  const event = makeEvent("batchEnded", id, clock.now(), { run: job.run, cluster: job.cluster, why });
  await bus.publish(nameSubject(event), id, JSON.stringify(event)).catch((error: unknown) => {
    log.warn({ error }, "the bus did not take the end of a batch: the planner finds it by looking");
  });
}

/** A planner that has just started trusts only what it sees change: it is shown that this cluster is there. */
function announceToPlanners(control: ControlView, publisher: Publisher, onAnyChange: Set<() => void>): void {
  let writer = control.state()?.writer;
  onAnyChange.add(() => {
    const now = control.state()?.writer;
    if (now === undefined || now === writer) return;
    writer = now;
    publisher.note(undefined);
  });
}

/** Serves one cluster until the signal aborts. */
async function serveCluster(
  shared: Shared,
  cluster: Cluster,
  onAnyChange: Set<() => void>,
  signal: AbortSignal,
): Promise<void> {
  const { mode, clock, bus } = shared;
  const log = shared.log.child({ cluster: cluster.name });
  const changes = createChangeSignal(clock);
  onAnyChange.add(changes.raise);
  const pending = createPendingWrites(cluster);
  const troubles = new Map<string, string>();
  const publisher = createPublisher({ cluster, mode, inventory: bus.bucket("inventory"), troubles, clock, log });
  const surroundings: Surroundings = {
    cluster,
    mode,
    mainline: shared.mainline,
    control: shared.control,
    pending,
    clock,
  };
  const tell = createTeller(bus, clock, log);
  const waitForChange = async (stop: AbortSignal) => changes.wait(lookEveryMs, stop);
  const mover: Mover = { surroundings, waitForChange, tell, log };
  const watchman: Watchman = { surroundings, tell, log, troubles, progress: new Map(), rolled: new Map() };

  await startPatiently({ cluster, clock, log }, signal, (namespace) => {
    publisher.note(namespace);
    changes.raise();
  });
  if (signal.aborted) return;
  announceToPlanners(shared.control, publisher, onAnyChange);
  const publishing = publisher.run(signal);
  if (mode === "observe") return publishing;

  const worker = shared.serve(cluster.name, async (held: HeldBatch<BatchJob>) => {
    const read = readBatchJob(held.job);
    if (!read.ok) throw new Error(`the job in the queue of ${cluster.name} is not ours: ${read.why}`);
    await moveBatch(mover, { job: read.job, signal: held.signal, holdsLock: () => held.holdsLock() });
    await endBatch(shared, publisher, read.job, "carried out");
  });
  while (!signal.aborted) {
    await watchOver(watchman).catch((error: unknown) => {
      log.error({ error }, "could not look after what moves: the next look tries again");
    });
    // Watch events come in bursts: looking at each would cost a core and make nothing sooner.
    await clock.sleepReal(lookAtMostEveryMs, signal).catch(() => undefined);
    await waitForChange(signal);
  }
  await worker.close();
  await publishing;
}

/** Runs the executor of some clusters until the signal aborts. One cluster's fault never holds up another. */
export async function runExecutor(parts: ExecutorParts, signal: AbortSignal): Promise<void> {
  const mainline = createMainline(parts.repository, openLedger(parts.repository), parts.clock);
  const listeners = new Set<() => void>();
  const raiseAll = (): void => {
    for (const raise of listeners) raise();
  };
  const control = await followControl(parts.bus.bucket("control"), parts.clock, raiseAll, signal);
  const shared: Shared = { ...parts, mainline, control };
  await Promise.all([
    keepMainFresh({ mainline, control, clock: parts.clock, log: parts.log, onChange: raiseAll }, signal),
    ...parts.clusters.map(async (cluster) => serveCluster(shared, cluster, listeners, signal)),
  ]);
}
