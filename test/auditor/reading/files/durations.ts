const units: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** `1h30m` in ms; undefined for text that is not a duration. */
export function readDuration(value: unknown): number | undefined {
  if (typeof value !== "string" || !/^(?:\d+(?:ms|[dhms]))+$/u.test(value)) return undefined;
  const parts = value.matchAll(/(\d+)(ms|[dhms])/gu);
  let sum = 0;
  for (const [, count = "0", unit = "ms"] of parts) sum += Number(count) * (units[unit] ?? 0);
  return sum;
}
