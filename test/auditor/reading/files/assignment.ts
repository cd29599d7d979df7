import { parse } from "yaml";

/** murmur3_x86_32 in BigInt, because plain code matters more here than speed. */
function hash(text: string, seed: bigint): bigint {
  const bytes = new TextEncoder().encode(text);
  const mask = 0xffffffffn;
  const rotate = (value: bigint, by: bigint) => ((value << by) | (value >> (32n - by))) & mask;
  const mix = (block: bigint) => (rotate((block * 0xcc9e2d51n) & mask, 15n) * 0x1b873593n) & mask;
  let h = seed;
  const whole = bytes.length - (bytes.length % 4);
  for (let i = 0; i < whole; i += 4) {
    let block = 0n;
    for (let j = 3; j >= 0; j--) block = (block << 8n) | BigInt(bytes[i + j] ?? 0);
    h = (rotate(h ^ mix(block), 13n) * 5n + 0xe6546b64n) & mask;
  }
  let tail = 0n;
  for (let j = bytes.length - 1; j >= whole; j--) tail = (tail << 8n) | BigInt(bytes[j] ?? 0);
  h ^= mix(tail) ^ BigInt(bytes.length);
  for (const [shift, factor] of [
    [16n, 0x85ebca6bn],
    [13n, 0xc2b2ae35n],
  ] as const)
    h = ((h ^ (h >> shift)) * factor) & mask;
  return h ^ (h >> 16n);
}

/** The 24 bits of log2 of a table point, by repeated squaring. */
function tablePoint(index: number): bigint {
  if (index === 2048) return 1n << 24n;
  let m = (1n << 25n) + BigInt(index) * (1n << 14n);
  let bits = 0n;
  for (let i = 0; i < 24; i++) {
    m *= m;
    const isHigh = m >= 1n << 51n;
    m >>= isHigh ? 26n : 25n;
    bits = bits * 2n + (isHigh ? 1n : 0n);
  }
  return bits;
}

/** −log2 of (2u+1)/2^33 in units of 2^-24. */
function negativeLog(u: bigint): bigint {
  const x = 2n * u + 1n;
  const e = BigInt(x.toString(2).length - 1);
  const fraction = (x - (1n << e)) << (32n - e);
  const index = Number(fraction >> 21n);
  const rest = fraction & 0x1fffffn;
  const low = tablePoint(index);
  return (33n - e) * (1n << 24n) - (low + (((tablePoint(index + 1) - low) * rest) >> 21n));
}

function pick(namespace: string, seed: string, shares: readonly (readonly [string, number])[]): string | undefined {
  const weighted = shares.filter(([, weight]) => weight > 0);
  if (weighted.length < 2) return weighted[0]?.[0];
  const base = hash(seed, 0n);
  const scored = weighted.map(([revision, weight]) => ({
    revision,
    weight: BigInt(weight),
    log: negativeLog(hash(namespace, hash(revision, base))),
  }));
  scored.sort((a, b) => {
    const difference = a.log * b.weight - b.log * a.weight;
    return difference === 0n ? (a.revision < b.revision ? -1 : 1) : difference < 0n ? -1 : 1;
  });
  return scored[0]?.revision;
}

type Shares = Readonly<Record<string, number>>;

/** Parsed files by their text: a log has thousands of writes but only a handful of commits. */
const parsed = new Map<string, Readonly<Record<string, Shares>>>();

export function parseFile(rollouts: string): Readonly<Record<string, Shares>> {
  const known = parsed.get(rollouts);
  if (known !== undefined) return known;
  const file = (parse(rollouts, { stringKeys: true }) ?? {}) as Record<string, Shares>;
  parsed.set(rollouts, file);
  return file;
}

/** Each pattern's shares as one text, sorted, so that equal distributions give equal texts. */
export function listDistributions(rollouts: string): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(parseFile(rollouts)).map(([pattern, shares]) => {
      const weighted = Object.entries(shares).filter(([, weight]) => weight > 0);
      return [
        pattern,
        weighted
          .map(([revision, weight]) => `${revision}=${weight}`)
          .toSorted()
          .join(" "),
      ];
    }),
  );
}

/** `assignment.seed` of a merged `meshroll.yml`. */
export function seedOf(settings: string | undefined): string {
  const file = settings === undefined ? undefined : (parse(settings) as { assignment?: { seed?: string } } | null);
  return String(file?.assignment?.seed ?? "");
}

/** The pattern that decides for a namespace: the longest that matches the whole name, else `production`. */
export function bucketOf(rollouts: string, namespace: string): string {
  const matching = Object.keys(parseFile(rollouts))
    .filter((pattern) => new RegExp(`^(?:${pattern})$`).test(namespace))
    .toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1));
  return matching[0] ?? "production";
}

/** The revision that a merged `rollouts.yml` gives a namespace. */
export function answerOf(rollouts: string, settings: string | undefined, namespace: string): string | undefined {
  const shares = parseFile(rollouts)[bucketOf(rollouts, namespace)] ?? {};
  return pick(namespace, seedOf(settings), Object.entries(shares));
}
