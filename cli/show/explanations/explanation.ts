import { isManagedNamespace, type Settings } from "#libs/campaign";
import type { Answer, Bucket, Share } from "#libs/rollouts";

import type { CameBy } from "./came-by.ts";
import { type Failed, findFailed } from "./failed.ts";
import type { ExplainSource } from "./source.ts";
import type { ComingMove } from "../../files/find-moves.ts";
import { findNote, isOver, type PinNote } from "../../files/pin-note.ts";
import { defaultBucket, findPin, isPin } from "../../files/pin-forms.ts";
import type { RunsAnswer } from "../../read/read-runs.ts";

/** Everything that is to be said of one namespace; `-o json` prints exactly this. */
export interface Explanation {
  readonly apiVersion: "meshroll.dev/v1";
  readonly kind: "Explanation";
  readonly namespace: string;
  readonly revision: string;
  readonly reason: Answer["reason"];
  readonly file: string;
  /** Of main; absent = the file of this folder. */
  readonly commit?: string;
  /** The deciding bucket first, then the others that match, longest first. */
  readonly matches: readonly ExplainedBucket[];
  readonly seed: string;
  /** Absent unless the deciding bucket is between exactly two revisions. */
  readonly ramp?: Ramp;
  /** Why meshroll leaves this namespace alone, or when it does; absent when nothing speaks against it. */
  readonly unmanaged?: string;
  /** An entry of its own already keeps the namespace where it is. */
  readonly pinned: boolean;
  /** Who pinned it, until when and why, where `meshroll pin` wrote it. */
  readonly note?: PinNote & { readonly over: boolean };
  /** What unfinished campaigns have in mind for it. */
  readonly moves: readonly ComingMove[];
  /** Why the stops that may bind these moves are not known; absent where they are, or where only files of a folder were read. */
  readonly stopsUnknown?: string;
  /** The command that keeps it where it is; absent when it is pinned, or when no form of a pin would win. */
  readonly optOut?: string;
  /** The run that it came by, where the ledger knows it. */
  readonly cameBy?: CameBy;
  /** How it goes back; absent where it is pinned, or where nothing says what it ran before. */
  readonly goBack?: GoBack;
  /** What of it failed on the way to `revision`, and what to type; absent where nothing did, or what runs is not known. */
  readonly failed?: Failed;
  /** What its pods run; absent = not requested. */
  readonly runs?: RunsAnswer;
  /** Lines for `rollouts.yml` that would pin it there; absent when it is pinned, or when no form of a pin would win. */
  readonly pin?: string;
}

/** `pin` takes this namespace alone back, by a pull request; `rollback` all of the run that it came by. */
export interface GoBack {
  readonly to: string;
  readonly pin: string;
  readonly rollback?: string;
}

export interface ExplainedBucket {
  readonly pattern: string;
  readonly line: number;
  readonly column: number;
  /** The length that decides, in characters of the pattern; absent for `production`, which only steps in. */
  readonly characters?: number;
  readonly shares: readonly Share[];
}

/** With two revisions one number says when a namespace moves. */
export interface Ramp {
  /** Percent (0..100, two decimals, rounded down): above it, the namespace runs `to`. */
  readonly position: number;
  readonly from: string;
  readonly to: string;
}

function explainBucket({ pattern, line, column, shares }: Bucket): ExplainedBucket {
  return { pattern, line, column, ...(pattern !== defaultBucket && { characters: pattern.length }), shares };
}

/** Rounded down, since a share *above* the position moves it: rounded up, the text would name a share that moves it already. */
function findRamp({ position, positionOf, bucket }: Answer): Ramp | undefined {
  if (position === undefined || positionOf === undefined) return undefined;
  const pair = bucket.shares.length === 2 ? bucket.shares : bucket.shares.filter(({ weight }) => weight > 0);
  const other = pair.find(({ revision }) => revision !== positionOf);
  return other && { position: Math.floor(position * 100) / 100, from: other.revision, to: positionOf };
}

function judgeManaged({ selector }: Pick<Settings, "selector">, namespace: string): string | undefined {
  // Labels are not known offline: with a selector only the names that no selector reaches can be judged.
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

/** The libraries of campaigns take their time to load: where there is none, they are not loaded. */
async function readMoves(source: ExplainSource, namespace: string, now: number): Promise<readonly ComingMove[]> {
  if (source.campaigns.length === 0) return [];
  const { findMoves } = await import("../../files/find-moves.ts");
  const { spec, campaigns, commit = "" } = source;
  const { rollouts, resolver, settings, seed } = spec;
  const named = new Map(campaigns.map((campaign) => [campaign.name, campaign]));
  // Files of a folder are no commit, and yet the same rules hold for them.
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
 * Main's word before its run, by the ledger; else what the bucket moves away from. What a rollback brought back goes forward by
 * main alone.
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

/** Says what `rollouts.yml` and the campaigns mean for one namespace, and why. `now` is epoch ms. */
export async function explainNamespace(
  source: ExplainSource,
  namespace: string,
  now: number,
  runs?: RunsAnswer,
): Promise<Explanation> {
  const { file, resolver, settings, seed } = source.spec;
  const answer = resolver.resolve(namespace);
  const { bucket, revision, reason } = answer;
  const others = resolver.matches(namespace).filter(({ pattern }) => pattern !== bucket.pattern);
  const ramp = findRamp(answer);
  const unmanaged = judgeManaged(settings, namespace);
  const goBack = findGoBack(source, namespace, answer, ramp);
  const failed = findFailed(source, { namespace, revision }, runs);
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
    ...(failed !== undefined && { failed }),
    moves: await readMoves(source, namespace, now),
    ...(source.stopsUnknown !== undefined && { stopsUnknown: source.stopsUnknown }),
    ...(runs !== undefined && { runs }),
  };
}
