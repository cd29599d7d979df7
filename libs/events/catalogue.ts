import { z } from "zod";

import { instant, line } from "./forms.ts";

/** Names and sentences alike: cleaned and cut where they are read, and where they are written. */
const text = line(2000);

/** It distinguishes messages, and is a line of the API's stream: refused, never cleaned, for two must not become one. */
const eventId = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u);

const define = <const T extends string, S extends z.ZodType>(type: T, data: S) => ({
  type,
  schema: z.object({ type: z.literal(type), id: eventId, at: instant, data }),
});

const workload = z.object({ run: text, cluster: text, workload: text, revision: text });

/** A wait that needs a person: `scope` as in the status, `all` or `run/<id>@<cluster>`; `since` ties end to beginning. */
const wait = z.object({
  scope: text,
  code: text,
  since: instant,
  run: text.exactOptional(),
});

/** Where a run belongs; absent on a person's run. */
const belonging = { campaign: text.exactOptional(), stage: text.exactOptional() };

/** A stage's pull request. */
const stage = z.object({ campaign: text, stage: text, pull: z.number().int(), url: text });

/** `runs`: those that cannot end without the cluster; `since`: when it was first not seen. */
const absence = z.object({ cluster: text, since: instant, runs: z.array(text) });

/**
 * Every message on the stream MESHROLL. A type's name carries its version; an optional field may be added, anything else
 * is a new version next to the old one. Messages wake and inform: nothing is decided on them.
 *
 * @internal
 */
export const catalogue = {
  runStarted: define(
    "run.v1.started",
    z.object({
      run: text,
      commit: text,
      subject: text,
      author: text,
      workloads: z.number().int(),
      /** Clusters whose wave opened with the run. */
      clusters: z.array(text).exactOptional(),
      ...belonging,
    }),
  ),
  runDone: define(
    "run.v1.done",
    z.object({
      run: text,
      state: z.enum(["done", "empty", "gone"]),
      migrated: z.number().int(),
      /** Their label is set, and they have 0 replicas; absent = none. */
      idle: z.number().int().exactOptional(),
      skipped: z.number().int(),
      /** Of the run's commit, as in `run.v1.started`: a reader that gets this one first must know what ended. */
      commit: text.exactOptional(),
      subject: text.exactOptional(),
      author: text.exactOptional(),
      /** The later run that took its workloads over: after a rollback, its rollback. */
      takenOverBy: text.exactOptional(),
      /** What is skipped, by cluster and by reason. */
      clusters: z.array(z.object({ name: text, skipped: z.number().int(), failed: z.number().int() })).exactOptional(),
      reasons: z
        .array(
          z.object({ code: text.exactOptional(), reason: text, count: z.number().int(), workloads: z.array(text) }),
        )
        .exactOptional(),
      ...belonging,
      startedAt: instant.exactOptional(),
      /** Against the list of its pull request (rules 10.2): how many for each cause, with the first of them. */
      differences: z.array(z.object({ why: text, count: z.number().int(), workloads: z.array(text) })).exactOptional(),
    }),
  ),
  runWaveOpened: define("run.v1.waveOpened", z.object({ run: text, cluster: text })),
  /** Nothing of the run is left in these clusters. */
  runWaveClosed: define("run.v1.waveClosed", z.object({ run: text, clusters: z.array(text), ...belonging })),
  /** Its bake (rules 6.2), ms of seen health; `progress` changes a figure and is no news. */
  runBake: define(
    "run.v1.bake",
    z.object({
      run: text,
      step: z.enum(["began", "progress", "paused", "over"]),
      healthyMs: z.number(),
      neededMs: z.number(),
      /** Of a pause. */
      why: text.exactOptional(),
      ...belonging,
    }),
  ),
  gateJudged: define(
    "gate.v1.judged",
    z.object({
      run: text,
      gate: text,
      verdict: z.enum(["pass", "fail", "noData"]),
      /** Value, limit and query in one sentence. */
      why: text,
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
      from: z.array(text).exactOptional(),
      /** The campaign's newest run, in whose thread it is reported. */
      after: text.exactOptional(),
    }),
  ),
  /** Its pull request is open, and merges itself at `mergesAt` at the earliest unless a person holds it. */
  stageAutoMerge: define(
    "stage.v1.autoMerge",
    stage.extend({
      mergesAt: instant,
      workloads: z.number().int().exactOptional(),
      after: text.exactOptional(),
    }),
  ),
  campaignCompleted: define(
    "campaign.v1.completed",
    z.object({
      campaign: text,
      target: text,
      runs: z.array(text),
      /** As its runs ended; what a later one took over counts once. */
      skipped: z.number().int(),
    }),
  ),
  batchHandedOut: define("batch.v1.handedOut", z.object({ run: text, cluster: text })),
  batchEnded: define("batch.v1.ended", z.object({ run: text, cluster: text, why: text })),
  workloadMoved: define("workload.v1.moved", workload),
  workloadMigrated: define("workload.v1.migrated", workload),
  workloadFailed: define(
    "workload.v1.failed",
    workload.extend({ code: text.exactOptional(), reason: text, reverted: z.boolean() }),
  ),
  workloadReverted: define("workload.v1.reverted", workload.extend({ reason: text })),
  stopPlaced: define(
    "stop.v1.placed",
    z.object({
      stop: text,
      scope: text,
      who: text,
      why: text,
      strength: z.enum(["propose", "move"]).exactOptional(),
      /** As in the ledger's record: `verb`, `failures`, `rollback`, … */
      cause: text.exactOptional(),
      until: text.exactOptional(),
    }),
  ),
  stopResumed: define(
    "stop.v1.resumed",
    z.object({
      stops: z.array(text),
      who: text,
      why: text,
      /** Of each of `stops`, in their order. */
      scopes: z.array(text).exactOptional(),
    }),
  ),
  /** Its `until` has passed: nothing moves by itself, its owner is notified (rules 7.1). */
  stopOverdue: define(
    "stop.v1.overdue",
    z.object({
      stop: text,
      scope: text,
      who: text,
      why: text,
      until: text,
      strength: z.enum(["propose", "move"]),
    }),
  ),
  waitBegan: define(
    "wait.v1.began",
    wait.extend({
      message: text,
      owner: text,
      command: text.exactOptional(),
      until: text.exactOptional(),
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

/** A message of the catalogue; `id` is the effect it reports, so that sent twice it is one message to its readers. */
export function makeEvent<K extends EventName>(name: K, id: string, at: number, data: EventData<K>): Event {
  return catalogue[name].schema.parse({
    type: catalogue[name].type,
    id,
    at: new Date(at).toISOString(),
    data,
  }) as Event;
}

/**
 * What tells a message from all others, and a repeat from news: the stream keeps both. Its type is part of it, as a login may publish
 * under its own types alone: none takes the id of another's message first.
 */
export function identifyEvent({ type, id }: Event): string {
  return `${type}/${id}`;
}

/** Subject on the bus: `meshroll.v1.<type>`. */
export function nameSubject(event: Event): string {
  return `meshroll.v1.${event.type}`;
}

const { runStarted, ...others } = catalogue;

/** Any message of the catalogue. */
export const anyEvent: z.ZodType<Event> = z.discriminatedUnion("type", [
  runStarted.schema,
  ...Object.values(others).map(({ schema }) => schema),
]);

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Not JSON: who wrote it is none of us, and there is nothing to tell.
    return undefined;
  }
}

/** Reads a message; undefined for one that this version does not know (a newer process next to us), and for what is none. */
export function readEvent(body: string): Event | undefined {
  return anyEvent.safeParse(parseBody(body)).data;
}

/**
 * True when a message says of itself what its subject says. A login may publish under the subjects of its service alone, and
 * that is worth nothing where only the body is read.
 */
export function isOfItsSubject(subject: string, body: string): boolean {
  const read = z.object({ type: z.string() }).safeParse(parseBody(body));
  return read.success && subject === `meshroll.v1.${read.data.type}`;
}
