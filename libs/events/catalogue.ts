import { z } from "zod";

const define = <const T extends string, S extends z.ZodType>(type: T, data: S) => ({
  type,
  schema: z.object({ type: z.literal(type), id: z.string(), at: z.iso.datetime(), data }),
});

const workload = z.object({ run: z.string(), cluster: z.string(), workload: z.string(), revision: z.string() });

/** A wait that needs a person: `scope` as in the status, `all` or `run/<id>@<cluster>`; `since` ties end to beginning. */
const wait = z.object({
  scope: z.string(),
  code: z.string(),
  since: z.iso.datetime(),
  run: z.string().exactOptional(),
});

/** Where a run belongs; absent on a person's run. */
const belonging = { campaign: z.string().exactOptional(), stage: z.string().exactOptional() };

/** A stage's pull request. */
const stage = z.object({ campaign: z.string(), stage: z.string(), pull: z.number().int(), url: z.string() });

/** `runs`: those that cannot end without the cluster; `since`: when it was first not seen. */
const absence = z.object({ cluster: z.string(), since: z.iso.datetime(), runs: z.array(z.string()) });

/**
 * Every message on the stream MESHROLL. A type's name carries its version; an optional field may be added, anything else
 * is a new version beside the old one. Messages wake and inform: nothing is decided on them.
 *
 * @internal
 */
export const catalogue = {
  runStarted: define(
    "run.v1.started",
    z.object({
      run: z.string(),
      commit: z.string(),
      subject: z.string(),
      author: z.string(),
      workloads: z.number().int(),
      /** Clusters whose wave opened with the run. */
      clusters: z.array(z.string()).exactOptional(),
      ...belonging,
    }),
  ),
  runDone: define(
    "run.v1.done",
    z.object({
      run: z.string(),
      state: z.enum(["done", "empty", "gone"]),
      arrived: z.number().int(),
      aside: z.number().int(),
      /** Of the run's commit, as in `run.v1.started`: whoever hears this one first must know what ended. */
      commit: z.string().exactOptional(),
      subject: z.string().exactOptional(),
      author: z.string().exactOptional(),
      /** The later run that took its workloads over: after a rollback, its return. */
      takenOverBy: z.string().exactOptional(),
      /** What is aside, by cluster and by reason. */
      clusters: z
        .array(z.object({ name: z.string(), aside: z.number().int(), failed: z.number().int() }))
        .exactOptional(),
      reasons: z
        .array(z.object({ reason: z.string(), count: z.number().int(), workloads: z.array(z.string()) }))
        .exactOptional(),
      ...belonging,
      startedAt: z.iso.datetime().exactOptional(),
      /** Against the list of its pull request (rules 10.2): how many for each cause, with the first of them. */
      differences: z
        .array(z.object({ why: z.string(), count: z.number().int(), workloads: z.array(z.string()) }))
        .exactOptional(),
    }),
  ),
  runWaveOpened: define("run.v1.waveOpened", z.object({ run: z.string(), cluster: z.string() })),
  /** Nothing of the run is left in these clusters. */
  runWaveClosed: define(
    "run.v1.waveClosed",
    z.object({ run: z.string(), clusters: z.array(z.string()), ...belonging }),
  ),
  /** Its bake (rules 6.2), ms of seen health; `progress` changes a figure and is no news. */
  runBake: define(
    "run.v1.bake",
    z.object({
      run: z.string(),
      step: z.enum(["began", "progress", "paused", "over"]),
      healthyMs: z.number(),
      neededMs: z.number(),
      /** Of a pause. */
      why: z.string().exactOptional(),
      ...belonging,
    }),
  ),
  gateJudged: define(
    "gate.v1.judged",
    z.object({
      run: z.string(),
      gate: z.string(),
      verdict: z.enum(["pass", "fail", "noData"]),
      /** Value, limit and query in one sentence. */
      why: z.string(),
      value: z.number().exactOptional(),
      limit: z.number().exactOptional(),
      ...belonging,
    }),
  ),
  /** Its pull request is open, and the ledger has the list of who moves. */
  stageProposed: define(
    "stage.v1.proposed",
    stage.extend({
      workloads: z.number().int(),
      /** Human approvals that it needs. */
      approvals: z.number().int().exactOptional(),
      from: z.array(z.string()).exactOptional(),
      /** The campaign's newest run, in whose thread it is told. */
      after: z.string().exactOptional(),
    }),
  ),
  /** Its pull request is open, and merges itself at `mergesAt` at the earliest unless somebody holds it. */
  stageAutoMerge: define(
    "stage.v1.autoMerge",
    stage.extend({
      mergesAt: z.iso.datetime(),
      workloads: z.number().int().exactOptional(),
      after: z.string().exactOptional(),
    }),
  ),
  campaignCompleted: define(
    "campaign.v1.completed",
    z.object({
      campaign: z.string(),
      target: z.string(),
      runs: z.array(z.string()),
      /** As its runs ended; what a later one took over counts once. */
      aside: z.number().int(),
    }),
  ),
  batchHandedOut: define(
    "batch.v1.handedOut",
    z.object({ run: z.string(), cluster: z.string(), workloads: z.array(z.string()) }),
  ),
  batchEnded: define("batch.v1.ended", z.object({ run: z.string(), cluster: z.string(), why: z.string() })),
  workloadMoved: define("workload.v1.moved", workload),
  workloadArrived: define("workload.v1.arrived", workload),
  workloadFailed: define("workload.v1.failed", workload.extend({ reason: z.string(), reverted: z.boolean() })),
  workloadTakenBack: define("workload.v1.takenBack", workload.extend({ reason: z.string() })),
  stopPlaced: define(
    "stop.v1.placed",
    z.object({
      stop: z.string(),
      scope: z.string(),
      who: z.string(),
      why: z.string(),
      strength: z.enum(["propose", "move"]).exactOptional(),
      /** As in the ledger's record: `verb`, `failures`, `rollback`, … */
      cause: z.string().exactOptional(),
      until: z.string().exactOptional(),
    }),
  ),
  stopLifted: define(
    "stop.v1.lifted",
    z.object({
      stops: z.array(z.string()),
      who: z.string(),
      why: z.string(),
      /** Of each of `stops`, in their order. */
      scopes: z.array(z.string()).exactOptional(),
    }),
  ),
  /** Its `until` has passed: nothing moves by itself, its owner is asked (rules 7.1). */
  stopOverdue: define(
    "stop.v1.overdue",
    z.object({
      stop: z.string(),
      scope: z.string(),
      who: z.string(),
      why: z.string(),
      until: z.string(),
      strength: z.enum(["propose", "move"]),
    }),
  ),
  waitBegan: define(
    "wait.v1.began",
    wait.extend({
      message: z.string(),
      owner: z.string(),
      command: z.string().exactOptional(),
      until: z.string().exactOptional(),
    }),
  ),
  waitEnded: define("wait.v1.ended", wait),
  clusterUnreachable: define("cluster.v1.unreachable", absence),
  clusterSeen: define("cluster.v1.seen", absence),
  /** GitHub said that something changed: look at main, at pull requests, or at both. Nothing of its body is passed on. */
  githubHint: define("hint.v1.github", z.object({ main: z.boolean(), pulls: z.boolean() })),
} as const;

type Catalogue = typeof catalogue;
export type EventName = keyof Catalogue;
export type Event = { [K in EventName]: z.infer<Catalogue[K]["schema"]> }[EventName];
export type EventData<K extends EventName> = z.infer<Catalogue[K]["schema"]>["data"];

/** A message of the catalogue; `id` is the effect it tells of, so that telling it twice is one message. */
export function makeEvent<K extends EventName>(name: K, id: string, at: number, data: EventData<K>): Event {
  return catalogue[name].schema.parse({
    type: catalogue[name].type,
    id,
    at: new Date(at).toISOString(),
    data,
  }) as Event;
}

/** Subject on the bus: `meshroll.v1.<type>`. */
export function nameSubject(event: Event): string {
  return `meshroll.v1.${event.type}`;
}

/** Reads a message; undefined for one that this version does not know (a newer process beside us). */
export function readEvent(body: string): Event | undefined {
  const parsed: unknown = JSON.parse(body);
  const type = z.object({ type: z.string() }).safeParse(parsed).data?.type;
  const entry = Object.values(catalogue).find((each) => each.type === type);
  return entry?.schema.safeParse(parsed).data as Event | undefined;
}
