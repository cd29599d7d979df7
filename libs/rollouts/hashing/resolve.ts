import { DEFAULT_BUCKET } from "../file/check-buckets.ts";
import { comparePatterns, compilePatterns, type PatternIndex } from "../patterns/pattern-index.ts";
import type { Answer, Bucket, Rollouts } from "../source/types.ts";
import { type Candidate, findPair, hashSeed, judgePair, listCandidates, pickCandidate } from "./wrh1.ts";

/** `rollouts.yml`, compiled: pure, and the same on every machine. */
export interface Resolver {
  /** What the file says of a namespace, and why. About a microsecond. */
  resolve(namespace: string): Answer;
  /** Every bucket that matches, the winner first: longest pattern, then byte order. `production` is last unless that is the name. */
  matches(namespace: string): readonly Bucket[];
  /** `Answer.position`, as if this bucket decided; undefined for a bucket without one. */
  position(namespace: string, bucket: Bucket): number | undefined;
}

/** Compiles parsed `rollouts.yml` with the seed of `meshroll.yml` (empty when it names none). Throws for a file that did not parse. */
export function compileRollouts(rollouts: Rollouts, seed: string): Resolver {
  const buckets = rollouts.buckets.toSorted((a, b) => comparePatterns(a.pattern, b.pattern));
  const index = compilePatterns(buckets.map(({ pattern }) => pattern));
  return new CompiledRollouts(buckets, index, hashSeed(seed));
}

/** A bucket with the hash seeds of its revisions. */
interface CompiledBucket {
  readonly bucket: Bucket;
  readonly candidates: readonly Candidate[];
  /** The two revisions between which a namespace has a position; one of them may have weight 0. */
  readonly pair: readonly [Candidate, Candidate] | undefined;
  readonly reason: Answer["reason"];
}

class CompiledRollouts implements Resolver {
  readonly #seed: number;
  readonly #index: PatternIndex;
  readonly #buckets: readonly CompiledBucket[];
  readonly #fallback: CompiledBucket;

  constructor(buckets: readonly Bucket[], index: PatternIndex, seed: number) {
    this.#seed = seed;
    this.#index = index;
    this.#buckets = buckets.map((bucket) => compileBucket(bucket, "TARGETING_MATCH", seed));
    const production = buckets.find(({ pattern }) => pattern === DEFAULT_BUCKET);
    if (production === undefined)
      throw new Error(`there is no bucket \`${DEFAULT_BUCKET}\`: parseRollouts refuses such a file`);
    this.#fallback = compileBucket(production, "DEFAULT", seed);
  }

  resolve(namespace: string): Answer {
    const found = this.#index.findBest(namespace);
    const { bucket, candidates, pair, reason } =
      (found === undefined ? undefined : this.#buckets[found]) ?? this.#fallback;
    if (pair === undefined) return { namespace, revision: pickRevision(namespace, bucket, candidates), bucket, reason };
    const [first, second] = pair;
    const { isSecond, position } = judgePair(namespace, first, second);
    const { revision } = isSecond ? second : first;
    return { namespace, revision, bucket, reason, position, positionOf: second.revision };
  }

  matches(namespace: string): readonly Bucket[] {
    const found = this.#index.findAll(namespace).flatMap((rank) => this.#buckets[rank]?.bucket ?? []);
    return found.includes(this.#fallback.bucket) ? found : [...found, this.#fallback.bucket];
  }

  position(namespace: string, bucket: Bucket): number | undefined {
    const pair = findPair(bucket.shares, this.#seed);
    return pair === undefined ? undefined : judgePair(namespace, ...pair).position;
  }
}

function pickRevision(namespace: string, { pattern }: Bucket, candidates: readonly Candidate[]): string {
  const picked = pickCandidate(namespace, candidates);
  if (picked === undefined)
    throw new Error(`no revision of \`${pattern}\` has a weight: parseRollouts refuses such a file`);
  return picked.revision;
}

function compileBucket(bucket: Bucket, whenWhole: Answer["reason"], seed: number): CompiledBucket {
  const candidates = listCandidates(bucket.shares, seed);
  return {
    bucket,
    candidates,
    pair: findPair(bucket.shares, seed),
    reason: candidates.length > 1 ? "SPLIT" : whenWhole,
  };
}
