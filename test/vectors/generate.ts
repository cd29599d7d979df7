import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { LOG_TABLE, negativeLog2 } from "../../libs/rollouts/hashing/log-table.ts";
import { hashText } from "../../libs/rollouts/hashing/murmur3.ts";
import {
  findPair,
  findPosition,
  hashSeed,
  isNearer,
  listCandidates,
  measureDistance,
  pickCandidate,
} from "../../libs/rollouts/hashing/wrh1.ts";

// Writes wrh1.jsonl: `node test/vectors/generate.ts`. Only a new version of the algorithm may change what stands there.

type Dist = readonly (readonly [revision: string, weight: number])[];

export const vectorsFile = new URL("wrh1.jsonl", import.meta.url);

const seeds = ["", "2026q4", "a", "é", "longer-than-one-block"];

const keys = [
  "a", "ab", "abc", "abcd", "abcde", "istio-e2e", "payments-api-staging", "production", "team-0", "team-1",
  "a-name-of-sixty-three-characters-which-is-all-that-kubernetes-has", "prod-use1-a/payments-api",
  "", "π", "größe-web", "名前空間", "emoji-😀-prod", "nul-\0-byte", "\uFFFF", "\u{10FFFF}",
];

const dists: readonly Dist[] = [
  [["1-24-5", 75], ["1-25-2", 25]],
  // The same in another order: the same winners.
  [["1-25-2", 25], ["1-24-5", 75]],
  [["1-24-5", 99], ["1-25-2", 1]],
  [["1-24-5", 0], ["1-25-2", 100]],
  [["1-24-5", 60], ["1-25-2", 0], ["1-26-0", 40]],
  [["1-26-0", 10], ["1-24-5", 60], ["1-25-2", 30]],
  [["1-24-5", 1], ["1-25-2", 999_999]],
  [["1-24-5", 999_999], ["1-25-2", 1]],
  [["1-9", 333_333], ["1-10", 333_333], ["Z", 333_334]],
  [["a", 15], ["b", 15], ["c", 20], ["d", 50]],
  // Byte order differs from the order of UTF-16 units here.
  [["😀", 50], ["～", 50]],
  [["only", 100]],
];

/** The two of the specification. */
const published = [
  { seed: "2026q4", key: "istio-e2e", dist: [["1-24-5", 75], ["1-25-2", 25]] },
  { seed: "", key: "payments-api-staging", dist: [["1-24-5", 75], ["1-25-2", 25]] },
] as const;

/** One assignment with everything on the way to it; `h` and `L` stand in the order of `dist`, weights of 0 included. */
function describeAssignment(seed: string, key: string, dist: Dist): object {
  const s0 = hashSeed(seed);
  const shares = dist.map(([revision, weight]) => ({ revision, weight }));
  const h = dist.map(([revision]) => hashText(key, hashText(revision, s0)));
  const pair = findPair(shares, s0);
  return {
    seed,
    key,
    dist,
    s0,
    h,
    L: h.map(negativeLog2),
    want: pickCandidate(key, listCandidates(shares, s0))?.revision,
    ...(pair && { position: findPosition(measureDistance(key, pair[0]), measureDistance(key, pair[1])) }),
  };
}

function listHashes(): readonly number[] {
  const powers = Array.from({ length: 32 }, (_, bit) => 2 ** bit);
  const edges = powers.flatMap((power) => [power - 1, power, power + 1]);
  const spread = Array.from({ length: 64 }, (_, at) => Math.imul(at, 2_654_435_761) >>> 0);
  return [...new Set([...edges, ...spread, 0xffff_fffe, 0xffff_ffff])];
}

function hashTable(): string {
  const bytes = Buffer.alloc(LOG_TABLE.length * 4);
  for (const [at, value] of LOG_TABLE.entries()) bytes.writeUInt32LE(value, at * 4);
  return createHash("sha256").update(bytes).digest("hex");
}

/** Comparisons as [distance, weight, other distance, other weight, nearer]; ties are nearer in neither direction. */
function listComparisons(): readonly unknown[] {
  const distances = [1, 2, 3, 553_648_127, 553_648_128];
  const sides = distances.flatMap((distance) => [0, 1, 2, 999_999, 1_000_000].map((weight) => ({ distance, weight })));
  return sides.flatMap((a) =>
    sides.map((b) => [a.distance, a.weight, b.distance, b.weight, isNearer(a.distance, a.weight, b.distance, b.weight)]),
  );
}

/** Every line of the file, in order. */
export function generateLines(): readonly string[] {
  const every = dists.flatMap((dist, row) => keys.map((key, column) => ({ dist, key, seed: seeds[(row + column) % seeds.length] ?? "" })));
  const more = Array.from({ length: 60 }, (_, at) => ({
    dist: [["1-24-5", 100 - at], ["1-25-2", at]] as const,
    key: `team-${at * 7}-web`,
    seed: "2026q4",
  }));
  const texts = [...keys, ...seeds, "hello, world"];
  const murmur3 = texts.flatMap((text) => [0, 1, 0x9747_b28c, 0xffff_ffff].map((seed) => [text, seed, hashText(text, seed)]));
  const values = [
    { algorithm: "wrh1", unit: "2^-24", table: 2049, sha256: hashTable() },
    { murmur3 },
    { nlog: listHashes().map((u) => [u, negativeLog2(u)]) },
    { nearer: listComparisons() },
    ...[...published, ...every, ...more].map(({ seed, key, dist }) => describeAssignment(seed, key, dist)),
  ];
  return values.map((value) => JSON.stringify(value));
}

if (import.meta.main) writeFileSync(vectorsFile, `${generateLines().join("\n")}\n`);
