import { isManagedNamespace, type Settings } from "#libs/campaign";
import type { Answer, Bucket, Share } from "#libs/spec";

import type { LoadedSpec } from "./load-spec.ts";
import { defaultBucket, findPin, isPin } from "./pin.ts";

/** Everything that is to be said of one namespace; `-o json` prints exactly this. */
export interface Explanation {
  readonly namespace: string;
  readonly revision: string;
  readonly reason: Answer["reason"];
  readonly file: string;
  /** The deciding bucket first, then the others that match, longest first. */
  readonly matches: readonly ExplainedBucket[];
  readonly seed: string;
  /** Absent unless the deciding bucket is between exactly two revisions. */
  readonly ramp?: Ramp;
  /** Why meshroll leaves this namespace alone, or when it does; absent when nothing speaks against it. */
  readonly unmanaged?: string;
  /** An entry of its own already keeps the namespace where it is. */
  readonly pinned: boolean;
  /** Lines for `rollouts.yml` that would pin it there; absent when it is pinned, or when no form of a pin would win. */
  readonly pin?: string;
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

/** Says what `rollouts.yml` means for one namespace, and why. */
export function explainNamespace(spec: LoadedSpec, namespace: string): Explanation {
  const { file, rollouts, resolver, settings, seed } = spec;
  const answer = resolver.resolve(namespace);
  const { bucket, revision, reason } = answer;
  const rivals = resolver.matches(namespace);
  const others = rivals.filter(({ pattern }) => pattern !== bucket.pattern);
  const ramp = findRamp(answer);
  const unmanaged = judgeManaged(settings, namespace);
  const pinned = isPin(bucket, namespace);
  const pin = pinned ? undefined : findPin(rollouts, rivals, namespace, revision);
  return {
    namespace,
    revision,
    reason,
    file,
    matches: [bucket, ...others].map(explainBucket),
    seed,
    ...(ramp !== undefined && { ramp }),
    ...(unmanaged !== undefined && { unmanaged }),
    pinned,
    ...(pin !== undefined && { pin }),
  };
}
