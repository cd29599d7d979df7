import { type BakeMemory, readBakes } from "../memory/bake-memory.ts";
import { findLastRest } from "../memory/find-last-rest.ts";
import { type BatchJob, type FoldedCluster, type InventoryFold, readBatchJob } from "#libs/events";
import type { ClusterFacts } from "#libs/fleet";
import type { RepositorySnapshots, RepositorySnapshot } from "#libs/repository";
import {
  type VerbRequest,
  type BatchFacts,
  type ClusterSnapshot,
  listWantedCommits,
  listWantedRuns,
  refuseFleetWork,
  type Snapshot,
} from "#libs/plan";
import { type BatchQueue, type OpenBatch, QueueUnavailable } from "#libs/queue";
import type { Clock } from "#libs/runtime";

import type { ReconcileDeadline } from "../loop/reconcile-deadline.ts";
import type { QueueHealth } from "../loop/queue-health.ts";
import { type Moment, toNowTime } from "../loop/to-now-time.ts";

/** What the planner collects between two reconciles; everything in it can be read again. */
export interface Sources {
  readonly repositorySnapshots: RepositorySnapshots;
  readonly inventory: InventoryFold;
  readonly requests: ReadonlyMap<string, VerbRequest>;
  readonly queue: BatchQueue<BatchJob>;
  /** Why the queue takes no batch, beyond not answering; absent where it cannot be told. */
  readonly queueHealth?: QueueHealth;
  readonly clock: Clock;
  /** What only this process saw: when batches ended, since when workloads wait. Lost with it, and started again. */
  readonly memory: PlannerMemory;
  /** Stage pull requests as GitHub last told; absent without GitHub. */
  readonly pulls?: () => Snapshot["pulls"];
  /** What gates measured; absent without Prometheus. */
  readonly samples?: () => Snapshot["samples"];
  readonly deadline: Pick<ReconcileDeadline, "isDone">;
  /** Told when git did not say what verbs on their way speak of, or the queue of a cluster what it holds. */
  readonly onFault: (error: unknown) => void;
}

export interface PlannerMemory {
  /** `elapsed` at the start, and when each cluster's last batch ended: a clock that is set makes no delay longer. */
  readonly startedAt: number;
  readonly batchEndedAt: Map<string, number>;
  /** What each cluster's API server said last of its time, and when that was first seen here (`elapsed`). */
  readonly serverTimes: Map<string, { readonly serverAt: number; readonly elapsed: number }>;
  /** Clusters whose queue last held a batch. */
  readonly busy: Set<string>;
  readonly bakes: BakeMemory;
  /** Replaced when something in it changes, never changed. */
  waitingSince: ReadonlyMap<string, number>;
}

export function createMemory(clock: Clock): PlannerMemory {
  return {
    startedAt: clock.elapsed(),
    batchEndedAt: new Map(),
    serverTimes: new Map(),
    busy: new Set(),
    bakes: new Map(),
    waitingSince: new Map(),
  };
}

/** A cluster that published nothing new for so long is not fresh (rules 9.1), real ms. */
const inventoryLimitMs = 60_000;

/** What the queue of a cluster holds; a job that is not ours leaves it. */
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

/** The time of a cluster's API server now: between two of its words it goes on as ours does. Behind it, never ahead. */
function tellServerTime(
  { serverTimes }: PlannerMemory,
  { name, facts: { serverAt } }: FoldedCluster,
  elapsed: number,
): Pick<ClusterSnapshot, "serverNow"> {
  if (serverAt === undefined) return {};
  const before = serverTimes.get(name);
  const known = before?.serverAt === serverAt ? before : { serverAt, elapsed };
  serverTimes.set(name, known);
  return { serverNow: known.serverAt + elapsed - known.elapsed };
}

/** When the last batch ended that this planner did not see, by what the cluster says once all of it is known (`elapsed`). */
function recallBatchEnd(
  memory: PlannerMemory,
  { name, complete, changedAt, namespaces, facts }: FoldedCluster,
  elapsed: number,
): number {
  // Before it was seen to change its server's time may be long ago: then the age would be too short.
  const age = complete && Number.isFinite(changedAt) ? findLastRest(namespaces, facts) : undefined;
  if (age === undefined) return memory.startedAt;
  // Executors keep the delay by what they see: where this is read off facts that are old by now, they wait.
  memory.batchEndedAt.set(name, elapsed - age);
  return elapsed - age;
}

/** Notes when a cluster's batch left the queue: the delay between batches counts from there. */
function noteBatchEnd(
  memory: PlannerMemory,
  cluster: FoldedCluster,
  batch: BatchFacts | undefined,
  moment: Moment,
): number {
  const { name } = cluster;
  const tellEnd = (): number =>
    toNowTime(memory.batchEndedAt.get(name) ?? recallBatchEnd(memory, cluster, moment.elapsed), moment);
  if (batch?.state === "unread") return tellEnd();
  // What is no job of ours is no batch: its end puts off nothing.
  if (batch !== undefined && batch.state !== "foreign") memory.busy.add(name);
  else if (batch === undefined && memory.busy.delete(name)) memory.batchEndedAt.set(name, moment.elapsed);
  return tellEnd();
}

type Queues = ReadonlyMap<string, BatchFacts | undefined>;

/** Nothing is handed out to one that does not say what it holds. */
const unread: BatchFacts = { run: "unknown", state: "unread" };

/** Reads the queues of all clusters; undefined when Redis answers for none of them, and then nothing is handed out. */
async function lookAtQueues(
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
    // One that refuses us is reported by its name; one that is away is what no answer means.
    if (error instanceof QueueUnavailable && error.trouble.code !== "QueueDown") queueHealth?.failed(error);
    else if (faults.size < names.length) onFault(error);
  }
  return faults.size > 0 && faults.size === names.length ? undefined : queues;
}

function definePulls(pulls: Snapshot["pulls"]): Pick<Snapshot, "pulls"> {
  return pulls === undefined ? {} : { pulls };
}

function defineTrouble({ queueHealth }: Sources): Pick<Snapshot, "queueTrouble"> {
  const queueTrouble = queueHealth?.trouble();
  return queueTrouble === undefined ? {} : { queueTrouble };
}

function defineDoubt({ doubt }: RepositorySnapshot): Pick<Snapshot, "ledgerDoubt"> {
  return doubt === undefined ? {} : { ledgerDoubt: doubt };
}

function defineSamples(sources: Sources): Pick<Snapshot, "samples"> {
  const samples = sources.samples?.();
  return samples === undefined ? {} : { samples };
}

/** Before main was read once: nothing is known of it, and status says so. */
const neverRead: RepositorySnapshot = {
  main: { head: "", ageMs: Number.POSITIVE_INFINITY, contained: false, vanished: [], points: [] },
  ledger: undefined,
  specs: new Map(),
};

/** What is served for another installation is shown as it is, but for the stops in force there: they are the other's. */
function describeFacts(facts: ClusterFacts, ledger: Snapshot["ledger"]): Pick<ClusterSnapshot, "facts" | "servedFor"> {
  const { installation: other } = facts;
  if (other === undefined || ledger === undefined || other === ledger.baseline.installation) return { facts };
  return { facts: { ...facts, stops: { ...facts.stops, recorded: {} } }, servedFor: other };
}

function defineUnseen(inventory: InventoryFold): Pick<Snapshot, "unseen"> {
  const unseen = inventory.unseen().map(({ cluster: name, mode, problems }) => ({ name, mode, problems }));
  return unseen.length === 0 ? {} : { unseen };
}

/** One immutable snapshot of everything a decision may look at. */
export async function gather(sources: Sources): Promise<Snapshot> {
  const { repositorySnapshots, requests, deadline } = sources;
  const recorded = repositorySnapshots.view()?.ledger;
  const wanting = repositorySnapshots.want(
    listWantedCommits(requests.values(), recorded),
    listWantedRuns(requests.values(), recorded),
  );
  await deadline.isDone(wanting.catch(sources.onFault));
  const view = repositorySnapshots.view() ?? neverRead;
  const { clock, memory } = sources;
  const folded = sources.inventory.clusters();
  const queues = await lookAtQueues(
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
      // Before this planner saw it change only the executor's own clock says how old it is: good enough for people.
      ageMs: Number.isFinite(sinceChangeMs) ? sinceChangeMs : Math.max(0, now - each.facts.seenAt),
      fresh: each.complete && sinceChangeMs <= inventoryLimitMs,
      batch,
      ...tellServerTime(memory, each, moment.elapsed),
      batchEndedAt: queues === undefined ? now : noteBatchEnd(memory, each, batch, moment),
    });
  }
  return {
    now,
    ledger: view.ledger,
    ...defineDoubt(view),
    ...refuseFleetWork(view.main, view.specs, clusters),
    clusters,
    ...defineUnseen(sources.inventory),
    requests: [...sources.requests.values()],
    waitingSince: memory.waitingSince,
    bakes: readBakes(memory.bakes, view.ledger),
    ...definePulls(sources.pulls?.()),
    ...defineSamples(sources),
    queueUp: queues !== undefined,
    ...defineTrouble(sources),
  };
}
