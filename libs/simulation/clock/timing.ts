/** How long what happens by itself takes in a simulation. All ms. */
export interface Timing {
  /** Half of all workloads have restarted after this long: the median of a log-normal distribution. */
  readonly readyMedian: number;
  /** Its spread, the standard deviation of the logarithm: 0 = all take the same. */
  readonly readySpread: number;
  /** What was recorded of a workload goes before the distribution: `cluster:namespace/Kind/name` -> ms until it had arrived. */
  readonly recorded: ReadonlyMap<string, number>;
  /** From a change in a cluster until the planner's next step there: publishing, looking, a push, the queue. */
  readonly reaction: number;
  /** Until a failed workload runs its previous template again: its old pods never went away. */
  readonly undo: number;
  /** From a pull request's opening until a person has approved and merged it. */
  readonly approval: number;
}

/** Readiness as fleets show it: median 45 s with a long tail, 99 in 100 within 4 minutes. People merge at once. */
export const defaultTiming: Timing = {
  readyMedian: 45_000,
  readySpread: 0.7,
  recorded: new Map(),
  reaction: 1500,
  undo: 10_000,
  approval: 0,
};

/** 32 bits of a text (FNV-1a with a last mix): what is drawn depends on seed and name alone, never on what was drawn before. */
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

/** Ms until a workload has arrived after its patch; the same for the same seed, name and try. */
export function drawReady(timing: Timing, seed: string, name: string, attempt: number): number {
  const recorded = timing.recorded.get(name);
  if (recorded !== undefined) return recorded;
  if (timing.readySpread === 0) return timing.readyMedian;
  const normal = drawNormal(`${seed} ${name} ${attempt}`);
  return Math.max(1000, Math.round(timing.readyMedian * Math.exp(timing.readySpread * normal)));
}
