/** Pseudorandom numbers in [0, 1), determined by a seed. */
export type Random = () => number;

export function pick<T>(random: Random, list: readonly T[]): T {
  const found = list[Math.floor(random() * list.length)];
  if (found === undefined) throw new Error("nothing to pick from");
  return found;
}

function nest(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Texts that often break programs: inherited property names, paths, terminal sequences, markup, times, sizes. */
const texts: readonly string[] = [
  "",
  "constructor",
  "__proto__",
  "toString",
  "hasOwnProperty",
  "../heads",
  "../../etc/passwd",
  "refs/heads/main",
  "--upload-pack=touch /tmp/x",
  "\u001b[2J\u001b]0;x\u0007",
  "\u202Egnp.exe",
  "\u200B",
  "\ud800",
  "\0",
  "a\nb\r\nc",
  "<!-- meshroll:answers -->",
  "<!channel> @here",
  "| a | b |\n|---|",
  "run/constructor",
  "run/__proto__",
  "bogus",
  "all/all",
  "cluster/../two",
  "namespace/*",
  "bucket/(a+)+$",
  "cluster/one",
  "all",
  "production",
  "0".repeat(40),
  "f".repeat(12),
  "+300000-01-01T00:00:00.000Z",
  "2026-99-99T99:99:99Z",
  "1970-01-01T00:00:00.000Z",
  "9999-12-31T23:59:59.999Z",
  "NaN",
  "1e309",
  "x".repeat(100_000),
  "💥".repeat(1000),
];

const values: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  -0,
  1.5,
  2 ** 53,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  [],
  {},
  [[]],
  nest(100),
  nest(2000),
  Array.from({ length: 5000 }, (_, index) => index),
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
];

export function drawText(random: Random): string {
  return pick(random, texts);
}

/** A hostile JSON value. */
export function drawValue(random: Random): unknown {
  return random() < 0.6 ? drawText(random) : pick(random, values);
}
