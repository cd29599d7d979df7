import { z } from "zod";

import { instant, line } from "./forms.ts";

/** Names and sentences for people; cleaned and cut when read and when written. */
const text = line(2000);

/**
 * Identifies messages, and is one line of the API's stream. Refused instead of cleaned, so that two ids cannot become equal.
 */
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

/**
 * A wait that needs a person. `scope` as in the status: `all` or `run/<id>@<cluster>`; `since` connects the end with the
 * beginning.
 */
const wait = z.object({
  scope: text,
  code: text,
  since: instant,
  run: text.exactOptional(),
});

/** Campaign and stage of a run; absent for a person's run. */
const belonging = { campaign: text.exactOptional(), stage: text.exactOptional() };

/** A stage's pull request. */
const stage = z.object({ campaign: text, stage: text, pull: z.number().int(), url: text });

/** `runs`: runs that cannot end without the cluster; `since`: since when it is not seen. */
const absence = z.object({ cluster: text, since: instant, runs: z.array(text) });

/**
 * Every message of the stream. A type's name has its version: optional fields may be added, any other change is a new version
 * next to the old one. Messages wake and inform; nothing is decided by them. @internal
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
      /** Workloads whose label is set and which have 0 replicas; absent: none. */
      idle: z.number().int().exactOptional(),
      skipped: z.number().int(),
      /** A part of `skipped`; absent: none. */
      failed: z.number().int().exactOptional(),
      /** With `takenOverBy`: workloads that had not moved then; absent: none. */
      left: z.number().int().exactOptional(),
      /** As in `run.v1.started`, for readers that did not get that message. */
      commit: text.exactOptional(),
      subject: text.exactOptional(),
      author: text.exactOptional(),
      /** The later run that took its workloads over; the counts are those of before. */
      takenOverBy: text.exactOptional(),
      /** That run is its rollback. */
      rolledBack: z.literal(true).exactOptional(),
      /** Skipped workloads by cluster and by reason. */
      clusters: z.array(z.object({ name: text, skipped: z.number().int(), failed: z.number().int() })).exactOptional(),
      reasons: z
        .array(
          z.object({ code: text.exactOptional(), reason: text, count: z.number().int(), workloads: z.array(text) }),
        )
        .exactOptional(),
      ...belonging,
      startedAt: instant.exactOptional(),
      /** Differences from the list of its pull request (rules 10.2): the number for each cause, with the first workloads. */
      differences: z.array(z.object({ why: text, count: z.number().int(), workloads: z.array(text) })).exactOptional(),
    }),
  ),
  runWaveOpened: define("run.v1.waveOpened", z.object({ run: text, cluster: text })),
  /** No workload of the run is left in these clusters. */
  runWaveClosed: define("run.v1.waveClosed", z.object({ run: text, clusters: z.array(text), ...belonging })),
  /** Its bake (rules 6.2), in ms of observed health; `progress` only updates a figure and is not posted. */
  runBake: define(
    "run.v1.bake",
    z.object({
      run: text,
      step: z.enum(["began", "progress", "paused", "over"]),
      healthyMs: z.number(),
      neededMs: z.number(),
      /** Only for a pause. */
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
  /** Its pull request is open, and the ledger has the list of its workloads. */
  stageProposed: define(
    "stage.v1.proposed",
    stage.extend({
      workloads: z.number().int(),
      /** Approvals by people that it needs. */
      approvals: z.number().int().exactOptional(),
      from: z.array(text).exactOptional(),
      /** The campaign's newest run, in whose thread the message is posted. */
      after: text.exactOptional(),
    }),
  ),
  /** Its pull request is open and will be merged automatically, at `mergesAt` at the earliest, unless a person holds it. */
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
      /** Summed over its runs; workloads that a later run took over count once. */
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
      /** The scope of each of `stops`, in the same order. */
      scopes: z.array(text).exactOptional(),
      /** `unhold` where each was a hold. */
      verb: z.enum(["resume", "unhold"]).exactOptional(),
    }),
  ),
  /** Its `until` has passed: the stop stays in force, and its owner is notified (rules 7.1). */
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
  /** A webhook of GitHub: main, pull requests, or both may have changed. Nothing else of the webhook is passed on. */
  githubHint: define("hint.v1.github", z.object({ main: z.boolean(), pulls: z.boolean() })),
} as const;

type Catalogue = typeof catalogue;
export type EventName = keyof Catalogue;
export type Event = { [K in EventName]: z.infer<Catalogue[K]["schema"]> }[EventName];
export type EventData<K extends EventName> = z.infer<Catalogue[K]["schema"]>["data"];

/** A message of the catalogue. `id` names the effect that it reports, so a message that is sent twice counts once. */
export function makeEvent<K extends EventName>(name: K, id: string, at: number, data: EventData<K>): Event {
  return catalogue[name].schema.parse({
    type: catalogue[name].type,
    id,
    at: new Date(at).toISOString(),
    data,
  }) as Event;
}

/**
 * Distinguishes messages and recognises repeated ones, which the stream stores. It contains the type, because a login may
 * publish only its own types and so cannot use up the id of another's message.
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
    // Not JSON, so not written by meshroll.
    return undefined;
  }
}

/** Reads a message; undefined for types of a newer version, and for anything else. */
export function readEvent(body: string): Event | undefined {
  return anyEvent.safeParse(parseBody(body)).data;
}

/**
 * Whether a message has the type that its subject says. The server limits a login to the subjects of its service, which is
 * useless if only the body is checked.
 */
export function isOfItsSubject(subject: string, body: string): boolean {
  const read = z.object({ type: z.string() }).safeParse(parseBody(body));
  return read.success && subject === `meshroll.v1.${read.data.type}`;
}
