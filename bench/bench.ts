/** One line of the table: our figure next to a peer's, to reference work, or to a limit. */
export interface Figure {
  readonly metric: string;
  readonly ours: string;
  /** The peer's figure with its name; empty where there is none. */
  readonly peer: string;
  readonly ratio: string;
  /** Empty for a figure without a goal. */
  readonly goal: string;
  readonly isMet: boolean;
  /** A miss that is documented: it is shown, and fails the run only below the level that is reached today. */
  readonly isKnownMiss?: true;
}

/** A group of figures. A new one is added to the list in `run.ts`. */
export interface Bench {
  /** The value for `--only`. */
  readonly name: string;
  run(): readonly Figure[] | Promise<readonly Figure[]>;
}

/** A measured value in its unit (`ns`, `MB`). */
export interface Quantity {
  readonly value: number;
  readonly unit: string;
  /** The values of the rounds, where there were several; two contestants that ran in turns are compared round by round. */
  readonly rounds?: readonly number[];
}

export function findMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}

/** The median of the rounds. */
export function takeMedian(rounds: readonly number[], unit: string): Quantity {
  return { value: findMedian(rounds), unit, rounds };
}

/** The ratio a / b. A disturbance affects both contestants of a round, so it is the median of the rounds' ratios. */
function computeRatio(a: Quantity, b: Quantity): number {
  const [ours, peers] = [a.rounds ?? [], b.rounds ?? []];
  if (ours.length === 0 || ours.length !== peers.length) return a.value / b.value;
  return findMedian(ours.map((value, round) => value / (peers[round] ?? Number.NaN)));
}

/** A figure without a goal: wall-clock time, or anything else that depends on the machine. */
export function plainFigure(metric: string, ours: Quantity): Figure {
  return { metric, ours: print(ours), peer: "", ratio: "", goal: "", isMet: true };
}

/** A figure that must not exceed a limit. Not to be used for times of the machine. */
export function limitFigure(metric: string, ours: Quantity, atMost: number): Figure {
  const goal = `<= ${print({ ...ours, value: atMost })}`;
  return { metric, ours: print(ours), peer: "", ratio: "", goal, isMet: ours.value <= atMost };
}

/** A figure that must be at most so many times the peer's. */
export function atMostPeer(metric: string, ours: Quantity, name: string, peer: Quantity, times: number): Figure {
  const ratio = computeRatio(ours, peer);
  const goal = `<= ${times}x`;
  return {
    metric,
    ours: print(ours),
    peer: `${name} ${print(peer)}`,
    ratio: `${printNumber(ratio)}x`,
    goal,
    isMet: ratio <= times,
  };
}

/** A rate that must be at least so many times the peer's. */
export function atLeastPeer(metric: string, ours: Quantity, name: string, peer: Quantity, times: number): Figure {
  const ratio = computeRatio(ours, peer);
  const named = { metric, ours: print(ours), peer: `${name} ${print(peer)}` };
  return { ...named, ratio: `${printNumber(ratio)}x`, goal: `>= ${times}x`, isMet: ratio >= times };
}

/** A figure that must be at least so many times smaller than the peer's. */
export function fasterThanPeer(metric: string, ours: Quantity, name: string, peer: Quantity, times: number): Figure {
  const ratio = computeRatio(peer, ours);
  const goal = `>= ${times}x less`;
  return {
    metric,
    ours: print(ours),
    peer: `${name} ${print(peer)}`,
    ratio: `${printNumber(ratio)}x less`,
    goal,
    isMet: ratio >= times,
  };
}

/** Marks a missed goal as known, as long as the level that is reached today is kept. */
export function knownMiss(figure: Figure, isLevelKept: boolean): Figure {
  return figure.isMet || !isLevelKept ? figure : { ...figure, isKnownMiss: true };
}

function print({ value, unit }: Quantity): string {
  return `${printNumber(value)} ${unit}`;
}

function printNumber(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
}
