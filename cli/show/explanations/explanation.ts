import { isManagedNamespace, type Settings } from "#libs/campaign";
import { dropAbsent, type FleetStatus } from "#libs/plan";
import type { Answer, Bucket, Share } from "#libs/rollouts";

import type { CameBy } from "./came-by.ts";
import { type Drift, findDrift } from "./drift.ts";
import { type Failed, findFailed } from "./failed.ts";
import type { ExplainSource } from "./source.ts";
import { findWaiting, type Waiting } from "./waiting.ts";
import type { ComingMove } from "../../files/find-moves.ts";
import { findNote, isOver, type PinNote } from "../../files/pin-note.ts";
import { defaultBucket, findPin, isPin } from "../../files/pin-forms.ts";
import type { RunsAnswer } from "../../read/read-runs.ts";

/** All about one namespace; `-o json` prints exactly this. */
export interface Explanation {
  readonly apiVersion: "meshroll.dev/v1";
  readonly kind: "Explanation";
  readonly namespace: string;
  readonly revision: string;
  readonly reason: Answer["reason"];
  readonly file: string;
  /** Of main; absent = this folder's file. */
  readonly commit?: string;
  /** The deciding bucket first, then the others that match, longest first. */
  readonly matches: readonly ExplainedBucket[];
  readonly seed: string;
  /** Only when the deciding bucket is between exactly two revisions. */
  readonly ramp?: Ramp;
  /** Why meshroll does not manage this namespace, or when it does; absent when it is managed. */
  readonly unmanaged?: string;
  /** It has an entry of its own. */
  readonly pinned: boolean;
  /** The note of `meshroll pin`: who, until when and why. */
  readonly note?: PinNote & { readonly over: boolean };
  /** What unfinished campaigns plan for it. */
  readonly moves: readonly ComingMove[];
  /** Why stops on these moves are unknown; absent where they are known, or where only local files were read. */
  readonly stopsUnknown?: string;
  /** The command that keeps it where it is; absent when it is pinned, or when no pin would decide. */
  readonly optOut?: string;
  /** The run that brought it there, where the ledger has it. */
  readonly cameBy?: CameBy;
  /** How to go back; absent where it is pinned, or where the earlier revision is unknown. */
  readonly goBack?: GoBack;
  /** What failed on the way to `revision`, and what to do; absent where nothing did, or where that is unknown. */
  readonly failed?: Failed;
  /** What it waits for, where an open run still has to move it; absent where none has, or where that is unknown. */
  readonly waiting?: Waiting;
  /** What differs from main though no run moves it, who wrote it, and what to do; absent where nothing does, or where that is unknown. */
  readonly drift?: Drift;
  /** What its pods run; absent = not requested. */
  readonly runs?: RunsAnswer;
  /** Lines for `rollouts.yml` that would pin it there; absent when it is pinned, or when no pin would decide. */
  readonly pin?: string;
}

/** `pin` takes only this namespace back, by a pull request; `rollback` the whole run. */
export interface GoBack {
  readonly to: string;
  readonly pin: string;
  readonly rollback?: string;
}

export interface ExplainedBucket {
  readonly pattern: string;
  readonly line: number;
  readonly column: number;
  /** The deciding length, in characters of the pattern; absent for `production`, which matches everything else. */
  readonly characters?: number;
  readonly shares: readonly Share[];
}

/** Between two revisions one number says when a namespace moves. */
export interface Ramp {
  /** Percent (0..100, two decimals, rounded down): above it, the namespace runs `to`. */
  readonly position: number;
  readonly from: string;
  readonly to: string;
}

function explainBucket({ pattern, line, column, shares }: Bucket): ExplainedBucket {
  return { pattern, line, column, ...(pattern !== defaultBucket && { characters: pattern.length }), shares };
}

/** Rounded down, because a share above the position moves it: rounded up it would already. */
function findRamp({ position, positionOf, bucket }: Answer): Ramp | undefined {
  if (position === undefined || positionOf === undefined) return undefined;
  const pair = bucket.shares.length === 2 ? bucket.shares : bucket.shares.filter(({ weight }) => weight > 0);
  const other = pair.find(({ revision }) => revision !== positionOf);
  return other && { position: Math.floor(position * 100) / 100, from: other.revision, to: positionOf };
}

function judgeManaged({ selector }: Pick<Settings, "selector">, namespace: string): string | undefined {
  // Labels are not known offline, so with a selector only its rules on names are judged.
  const judged = isManagedNamespace(
    selector === undefined ? {} : { selector: { requirements: [], text: "" } },
    namespace,
    {},
  );
  if (!judged.managed) return judged.reason;
  return selector === undefined
    ? undefined
    : `managed only while its labels meet namespaces.selector: ${selector.text}`;
}

/** The campaigns' libraries are loaded only where there is a campaign. */
async function readMoves(source: ExplainSource, namespace: string, now: number): Promise<readonly ComingMove[]> {
  if (source.campaigns.length === 0) return [];
  const { findMoves } = await import("../../files/find-moves.ts");
  const { spec, campaigns, commit = "" } = source;
  const { rollouts, resolver, settings, seed } = spec;
  const named = new Map(campaigns.map((campaign) => [campaign.name, campaign]));
  // Local files have no commit, but the same rules apply.
  return findMoves(
    { commit, rollouts, resolver, settings: { ...settings, seed }, campaigns: named },
    namespace,
    now,
    source.stops,
  );
}

function describePin(source: ExplainSource, bucket: Bucket, namespace: string, revision: string, now: number) {
  const { spec, text } = source;
  if (isPin(bucket, namespace)) {
    const note = findNote(text, bucket);
    return { pinned: true, ...(note === undefined ? {} : { note: { ...note, over: isOver(note, now) } }) };
  }
  const pin = findPin(spec.rollouts, spec.resolver.matches(namespace), namespace, revision);
  if (pin === undefined) return { pinned: false };
  return { pinned: false, pin, optOut: `meshroll pin ${namespace} ${revision} --for 7d --reason "…"` };
}

/**
 * Main's answer before the run, by the ledger; else what the bucket moves away from. After a rollback only a merge goes
 * forward.
 */
function findOrigin(cameBy: CameBy | undefined, revision: string, ramp: Ramp | undefined): string | undefined {
  if (cameBy !== undefined) return cameBy.direction === "rollback" ? undefined : cameBy.from;
  return ramp?.to === revision ? ramp.from : undefined;
}

function findGoBack(
  { cameBy, spec }: ExplainSource,
  namespace: string,
  { revision, bucket }: Answer,
  ramp?: Ramp,
): GoBack | undefined {
  const to = findOrigin(cameBy, revision, ramp);
  if (to === undefined || isPin(bucket, namespace)) return undefined;
  if (findPin(spec.rollouts, spec.resolver.matches(namespace), namespace, to) === undefined) return undefined;
  const rollback = cameBy === undefined ? {} : { rollback: `meshroll rollback run/${cameBy.run} --reason "…"` };
  return { to, pin: `meshroll pin ${namespace} ${to} --for 7d --reason "…"`, ...rollback };
}

/** What failed, what is waited for, and what differs from main. */
function describeState(
  source: ExplainSource,
  subject: Parameters<typeof findWaiting>[1],
  runs: RunsAnswer | undefined,
  status: Pick<FleetStatus, "runs" | "waiting"> | undefined,
): Pick<Explanation, "failed" | "waiting" | "drift"> {
  return dropAbsent({
    failed: findFailed(source, subject, runs),
    waiting: findWaiting(source, subject, runs, status),
    drift: findDrift(source, subject, runs),
  });
}

/** Explains one namespace by `rollouts.yml` and the campaigns. `now` is epoch ms; `status`: the planner's, where it is known. */
export async function explainNamespace(
  source: ExplainSource,
  namespace: string,
  now: number,
  runs?: RunsAnswer,
  status?: Pick<FleetStatus, "runs" | "waiting">,
): Promise<Explanation> {
  const { file, resolver, settings, seed } = source.spec;
  const answer = resolver.resolve(namespace);
  const { bucket, revision, reason } = answer;
  const others = resolver.matches(namespace).filter(({ pattern }) => pattern !== bucket.pattern);
  const ramp = findRamp(answer);
  const unmanaged = judgeManaged(settings, namespace);
  const goBack = findGoBack(source, namespace, answer, ramp);
  return {
    apiVersion: "meshroll.dev/v1",
    kind: "Explanation",
    namespace,
    revision,
    reason,
    file,
    ...(source.commit !== undefined && { commit: source.commit }),
    matches: [bucket, ...others].map(explainBucket),
    seed,
    ...(ramp !== undefined && { ramp }),
    ...(unmanaged !== undefined && { unmanaged }),
    ...describePin(source, bucket, namespace, revision, now),
    ...(source.cameBy !== undefined && { cameBy: source.cameBy }),
    ...(goBack !== undefined && { goBack }),
    ...describeState(source, { namespace, revision, bucket: bucket.pattern }, runs, status),
    moves: await readMoves(source, namespace, now),
    ...(source.stopsUnknown !== undefined && { stopsUnknown: source.stopsUnknown }),
    ...(runs !== undefined && { runs }),
  };
}
