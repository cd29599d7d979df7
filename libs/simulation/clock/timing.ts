/** Durations of a simulation, all in ms. */
export interface Timing {
  /** Median of the log-normal distribution of restarts. */
  readonly readyMedian: number;
  /** Spread of that distribution, the standard deviation of the logarithm: 0 = all take equally long. */
  readonly readySpread: number;
  /**
   * Recorded durations, which take precedence over the distribution: `cluster:namespace/Kind/name` -> ms from the patch until
   * migrated.
   */
  readonly recorded: ReadonlyMap<string, number>;
  /** From a change in a cluster until the planner's next step there: publishing, a reconcile, a push, the queue. */
  readonly reaction: number;
  /** Until a failed workload runs its previous template again; its old pods never stopped. */
  readonly undo: number;
  /** From the opening of a pull request until a person has approved and merged it. */
  readonly approval: number;
}

/** Restarts as fleets show them: median 45 s with a long tail, 99 % within 4 minutes. Merges are immediate. */
export const defaultTiming: Timing = {
  readyMedian: 45_000,
  readySpread: 0.7,
  recorded: new Map(),
  reaction: 1500,
  undo: 10_000,
  approval: 0,
};

/** 32 bits of a text (FNV-1a with a final mix). What is drawn depends only on seed and name, never on earlier draws. */
function hashText(text: string): number {
  let hash = 0x811c_9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x0100_0193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Above 0 and at most 1. */
function toShare(bits: number): number {
  return (bits + 1) / 0x1_0000_0000;
}

/** A standard normal number (Box-Muller) for this text. */
function drawNormal(text: string): number {
  const first = hashText(text);
  const second = Math.imul(first ^ 0x9e37_79b9, 0xc2b2_ae35) >>> 0;
  const other = (second ^ (second >>> 15)) >>> 0;
  return Math.sqrt(-2 * Math.log(toShare(first))) * Math.cos(2 * Math.PI * toShare(other));
}

/** Ms from the patch until the workload has migrated; the same for the same seed, name and attempt. */
export function drawReady(timing: Timing, seed: string, name: string, attempt: number): number {
  const recorded = timing.recorded.get(name);
  if (recorded !== undefined) return recorded;
  if (timing.readySpread === 0) return timing.readyMedian;
  const normal = drawNormal(`${seed} ${name} ${attempt}`);
  return Math.max(1000, Math.round(timing.readyMedian * Math.exp(timing.readySpread * normal)));
}
