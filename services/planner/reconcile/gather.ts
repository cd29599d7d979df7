import { type BakeMemory, readBakes } from "../memory/bake-memory.ts";
import { type BatchJob, type InventoryFold, readBatchJob } from "#libs/events";
import type { ClusterFacts } from "#libs/fleet";
import type { RepositorySnapshots, RepositorySnapshot } from "#libs/repository";
import {
  type VerbRequest,
  type BatchFacts,
  type ClusterSnapshot,
  listWantedCommits,
  listWantedRuns,
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
  /** When each cluster's last batch left its queue (`elapsed`): a clock that is set makes no delay longer. */
  readonly batchEndedAt: Map<string, number>;
  /** Clusters whose queue last held a batch. */
  readonly busy: Set<string>;
  readonly bakes: BakeMemory;
  /** Replaced when something in it changes, never changed. */
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

/**
 * Notes when a cluster's batch left the queue; answers when. Of a batch that this planner did not see end it knows nothing: the
 * cluster's executor keeps batches apart, by what the objects say.
 */
function noteBatchEnd(memory: PlannerMemory, name: string, batch: BatchFacts | undefined, moment: Moment): number {
  if (batch?.state !== "unread") {
    // What is no job of ours is no batch: its end puts off nothing.
    if (batch !== undefined && batch.state !== "foreign") memory.busy.add(name);
    else if (batch === undefined && memory.busy.delete(name)) memory.batchEndedAt.set(name, moment.elapsed);
  }
  return toNowTime(memory.batchEndedAt.get(name) ?? Number.NEGATIVE_INFINITY, moment);
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
      ...(each.facts.serverAt === undefined ? {} : { serverNow: each.facts.serverAt }),
      batchEndedAt: queues === undefined ? now : noteBatchEnd(memory, each.name, batch, moment),
    });
  }
  return {
    now,
    ledger: view.ledger,
    ...defineDoubt(view),
    main: view.main,
    specs: view.specs,
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
