/** Samples of one series: pairs of epoch ms and value. */
export interface Series {
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly samples: readonly (readonly [at: number, value: number])[];
}

function printValue(value: number): string {
  if (value === Infinity) return "+Inf";
  return value === -Infinity ? "-Inf" : String(value);
}

/** OpenMetrics with a time at each sample, from which `promtool` fills a store. */
export function printSeries(all: readonly Series[]): string {
  const lines = all.flatMap(({ metric, labels, samples }) => {
    const pairs = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
    return samples.map(([at, value]) => `${metric}{${pairs.join(",")}} ${printValue(value)} ${(at / 1000).toFixed(3)}`);
  });
  return `${lines.join("\n")}\n# EOF\n`;
}

/** A counter that grew by `perSecond` for some minutes before `until` (epoch ms), scraped every 15 s. */
export function countUp(perSecond: number, minutes: number, until: number): Series["samples"] {
  const scrapes = minutes * 4;
  return Array.from({ length: scrapes + 1 }, (_, index) => {
    return [until - (scrapes - index) * 15_000, perSecond * 15 * index] as const;
  });
}
