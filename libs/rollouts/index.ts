export { compareBytes } from "./source/byte-order.ts";
export { appendBucket, removeBucket, removeZeroShares, type ZeroShare } from "./edit/edit-lines.ts";
export { editShares, type Edited, type ShareChange } from "./edit/edit.ts";
export { countSummary, renderFindings } from "./source/excerpt.ts";
export { parseRollouts } from "./parse.ts";
export type { Answer, Bucket, Finding, Parsed, RelatedPlace, Rollouts, Share } from "./source/types.ts";
// Reading any of our YAML files: `#libs/campaign` reads `meshroll.yml` and campaigns by the same reader.
export { findBucket, findWeight } from "./source/buckets.ts";
export { decodeSource } from "./source/decode.ts";
export { readYaml } from "./file/read-yaml.ts";
export { locate, type Problem, type Source, type Span, toFinding } from "./source/source.ts";
// The same patterns in other files: exclusions of a campaign.
export { compileNamePattern } from "./patterns/match-pattern.ts";
export { findPatternSlip } from "./patterns/pattern-slips.ts";
export { findRevisionSlip } from "./file/check-buckets.ts";
export { rolloutsSchema } from "./file/rollouts-schema.ts";
// Who runs what: `wrh1` and the patterns.
export {
  changedBuckets,
  printDistributions,
  readDistribution,
  sameRollouts,
  showDistribution,
} from "./hashing/changed-buckets.ts";
export { type BucketDiff, diffRollouts, type Move, type RevisionCount, type RolloutDiff } from "./hashing/diff.ts";
export { compileRollouts, type Resolver } from "./hashing/resolve.ts";
export { findTies } from "./hashing/ties.ts";
export { findUnmatched, reportUnmatched } from "./hashing/unmatched.ts";
/** 32 bits of a text: what hashing seeds are made of. */
export { hashSeed } from "./hashing/wrh1.ts";
