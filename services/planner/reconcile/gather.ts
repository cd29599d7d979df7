import { type BakeMemory, readBakes } from "../memory/bake-memory.ts";
import { type BatchJob, type InventoryFold, readBatchJob } from "#libs/events";
import type { ClusterFacts } from "#libs/fleet";
import type { RepositorySnapshots, RepositorySnapshot } from "#libs/repository";
import {
  type VerbRequest,
  type BatchFacts,
  type ClusterSnapshot,
  dropAbsent,
  listWantedCommits,
  listWantedRuns,
  type Snapshot,
} from "#libs/plan";
import { type BatchQueue, type OpenBatch, QueueUnavailable } from "#libs/queue";
import type { Clock } from "#libs/runtime";

import type { ReconcileDeadline } from "../loop/reconcile-deadline.ts";
import type { QueueHealth } from "../loop/queue-health.ts";
import { type Moment, toNowTime } from "../loop/to-now-time.ts";

/** What the planner holds between two reconciles; all of it can be read again. */
export interface Sources {
  readonly repositorySnapshots: RepositorySnapshots;
  readonly inventory: InventoryFold;
  readonly requests: ReadonlyMap<string, VerbRequest>;
  readonly queue: BatchQueue<BatchJob>;
  /** Why Redis accepts no batch although it answers; absent = unknown. */
  readonly queueHealth?: QueueHealth;
  readonly clock: Clock;
  /** What only this process saw: when batches ended, and since when workloads wait. A new process starts with none. */
  readonly memory: PlannerMemory;
  /** Pull requests of stages as the SCM last returned them; absent without an SCM. */
  readonly pulls?: () => Snapshot["pulls"];
  /** What gates measured; absent without Prometheus. */
  readonly samples?: () => Snapshot["samples"];
  readonly deadline: Pick<ReconcileDeadline, "isDone">;
  /** Called when git could not return what open verbs refer to, or Redis one cluster's queue. */
  readonly onFault: (error: unknown) => void;
}

export interface PlannerMemory {
  /** When each cluster's last batch left its queue, by `Clock.elapsed`: setting the machine's clock does not change a delay. */
  readonly batchEndedAt: Map<string, number>;
  /** Clusters whose queue held a batch when it was last read. */
  readonly busy: Set<string>;
  readonly bakes: BakeMemory;
  /** Replaced when something in it changes; the map itself is never changed. */
  waitingSince: ReadonlyMap<string, number>;
}

export function createMemory(): PlannerMemory {
  return {
    batchEndedAt: new Map(),
    busy: new Set(),
    bakes: new Map(),
    waitingSince: new Map(),
  };
}

/** A cluster is fresh if it published a change within this time (rules 9.1), real ms. */
const inventoryLimitMs = 60_000;

/** A cluster's open batch; a job that this version cannot read is `foreign`, with the reason. */
function describeBatch(cluster: string, open: OpenBatch<BatchJob> | undefined): BatchFacts | undefined {
  if (open === undefined) return undefined;
  const read = readBatchJob(open.job, cluster);
  if (!read.ok) {
    const reason = `the job is not ours: ${read.why}`;
    return { run: "unknown", state: "foreign", reason };
  }
  const { reason } = open;
  return { run: read.job.run, state: open.state, ...(reason === undefined ? {} : { reason }) };
}

/**
 * Notes when a cluster's batch left the queue, and returns it as `now`-time. -Infinity when this planner did not see one end:
 * the executor keeps batches apart by what the objects say.
 */
function noteBatchEnd(memory: PlannerMemory, name: string, batch: BatchFacts | undefined, moment: Moment): number {
  if (batch?.state !== "unread") {
    // A job that is not ours is no batch, so no delay follows its end.
    if (batch !== undefined && batch.state !== "foreign") memory.busy.add(name);
    else if (batch === undefined && memory.busy.delete(name)) memory.batchEndedAt.set(name, moment.elapsed);
  }
  return toNowTime(memory.batchEndedAt.get(name) ?? Number.NEGATIVE_INFINITY, moment);
}

type Queues = ReadonlyMap<string, BatchFacts | undefined>;

/** A queue that could not be read. No batch is handed out to its cluster. */
const unread: BatchFacts = { run: "unknown", state: "unread" };

/** Reads the queues of all clusters; undefined when Redis answered for none of them: then no batch is handed out. */
async function inspectQueues(
  { queue, queueHealth, onFault }: Sources,
  names: readonly string[],
): Promise<Queues | undefined> {
  const queues = new Map<string, BatchFacts | undefined>();
  const faults = new Map<string, unknown>();
  await Promise.all(
    names.map(async (name) => {
      try {
        queues.set(name, describeBatch(name, await queue.inspect(name)));
      } catch (error) {
        faults.set(name, error);
      }
    }),
  );
  for (const [name, error] of faults) {
    queues.set(name, unread);
    // A refusal has a reason of its own. Other errors are logged, unless all queues fail: then the status says that Redis is
    // down.
    if (error instanceof QueueUnavailable && error.trouble.code !== "QueueDown") queueHealth?.failed(error);
    else if (faults.size < names.length) onFault(error);
  }
  return faults.size > 0 && faults.size === names.length ? undefined : queues;
}

/** Used until main was read once. */
const neverRead: RepositorySnapshot = {
  main: { head: "", ageMs: Number.POSITIVE_INFINITY, contained: false, vanished: [], points: [] },
  ledger: undefined,
  specs: new Map(),
};

/**
 * A cluster whose executor serves another installation: its facts are shown, but without its stops, which belong to that
 * installation.
 */
function describeFacts(facts: ClusterFacts, ledger: Snapshot["ledger"]): Pick<ClusterSnapshot, "facts" | "servedFor"> {
  const { installation: other } = facts;
  if (other === undefined || ledger === undefined || other === ledger.baseline.installation) return { facts };
  return { facts: { ...facts, stops: { ...facts.stops, recorded: {} } }, servedFor: other };
}

function listUnseen(inventory: InventoryFold): Snapshot["unseen"] {
  const unseen = inventory.unseen().map(({ cluster: name, mode, problems }) => ({ name, mode, problems }));
  return unseen.length === 0 ? undefined : unseen;
}

/** The parts of a snapshot that may be absent. */
function describeOptional({ inventory, pulls, samples, queueHealth }: Sources, { doubt }: RepositorySnapshot) {
  return dropAbsent({
    ledgerDoubt: doubt,
    unseen: listUnseen(inventory),
    pulls: pulls?.(),
    samples: samples?.(),
    queueTrouble: queueHealth?.trouble(),
  });
}

/** Gathers one immutable snapshot: all that decisions may read. */
export async function gather(sources: Sources): Promise<Snapshot> {
  const { repositorySnapshots, requests, deadline } = sources;
  const recorded = repositorySnapshots.view()?.ledger;
  const reading = repositorySnapshots.want(
    listWantedCommits(requests.values(), recorded),
    listWantedRuns(requests.values(), recorded),
  );
  await deadline.isDone(reading.catch(sources.onFault));
  const view = repositorySnapshots.view() ?? neverRead;
  const { clock, memory } = sources;
  const folded = sources.inventory.clusters();
  const queues = await inspectQueues(
    sources,
    folded.map((each) => each.name),
  );
  const moment = { now: clock.now(), elapsed: clock.elapsed() };
  const { now } = moment;
  const clusters = new Map<string, ClusterSnapshot>();
  for (const each of folded) {
    const sinceChangeMs = clock.monotonic() - each.changedAt;
    const batch = queues?.get(each.name);
    clusters.set(each.name, {
      name: each.name,
      ...describeFacts(each.facts, view.ledger),
      namespaces: each.namespaces,
      // Before this planner saw a change, the age is by the executor's clock: only people read it then.
      ageMs: Number.isFinite(sinceChangeMs) ? sinceChangeMs : Math.max(0, now - each.facts.seenAt),
      fresh: each.complete && sinceChangeMs <= inventoryLimitMs,
      batch,
      ...(each.facts.serverAt === undefined ? {} : { serverNow: each.facts.serverAt }),
      batchEndedAt: queues === undefined ? now : noteBatchEnd(memory, each.name, batch, moment),
    });
  }
  return {
    now,
    ledger: view.ledger,
    main: view.main,
    specs: view.specs,
    clusters,
    requests: [...sources.requests.values()],
    waitingSince: memory.waitingSince,
    bakes: readBakes(memory.bakes, view.ledger),
    queueUp: queues !== undefined,
    ...describeOptional(sources, view),
  };
}
