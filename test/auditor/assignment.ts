import { parse } from "yaml";

/** murmur3_x86_32, written with BigInt for plainness: the auditor need not be fast. */
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

/** What a merged `rollouts.yml` says of a namespace: the longest pattern that matches it whole, else `production`. */
export function answerOf(rollouts: string, settings: string | undefined, namespace: string): string | undefined {
  const file = parse(rollouts, { stringKeys: true }) as Record<string, Record<string, number>>;
  const seed =
    settings === undefined
      ? ""
      : String((parse(settings) as { assignment?: { seed?: string } })?.assignment?.seed ?? "");
  const matching = Object.keys(file)
    .filter((pattern) => new RegExp(`^(?:${pattern})$`).test(namespace))
    .toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1));
  return pick(namespace, seed, Object.entries(file[matching[0] ?? "production"] ?? {}));
}

/** `defaults.batch.batchSize` of a merged `meshroll.yml`. */
export function batchSizeOf(settings: string | undefined): number {
  const file =
    settings === undefined ? undefined : (parse(settings) as { defaults?: { batch?: { batchSize?: number } } });
  return file?.defaults?.batch?.batchSize ?? 1;
}
