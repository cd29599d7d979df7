/** One line of the table: a figure of ours next to a peer's, to a loop of known work, or to a limit. */
export interface Figure {
  readonly metric: string;
  readonly ours: string;
  /** The peer's figure with its name; empty where there is none. */
  readonly peer: string;
  readonly ratio: string;
  /** Empty for a figure that is only for reading. */
  readonly goal: string;
  readonly isMet: boolean;
  /** Missed, and known to be: it is shown as a miss, and only a fall below what is reached today fails the run. */
  readonly isKnownMiss?: true;
}

/** A file of figures; `run.ts` lists them all. To add one: write it, then name it there. */
export interface Bench {
  /** What `--only` takes. */
  readonly name: string;
  run(): readonly Figure[] | Promise<readonly Figure[]>;
}

/** What something took, in its unit (`ns`, `MB`). */
export interface Quantity {
  readonly value: number;
  readonly unit: string;
  /** What each round took, where there were several: two that ran in turns are compared round by round. */
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

/** How many times the second the first is. What disturbs a round disturbs both, so the median of the rounds' ratios counts. */
function divide(a: Quantity, b: Quantity): number {
  const [ours, peers] = [a.rounds ?? [], b.rounds ?? []];
  if (ours.length === 0 || ours.length !== peers.length) return a.value / b.value;
  return findMedian(ours.map((value, round) => value / (peers[round] ?? Number.NaN)));
}

/** A figure for reading: a time on the wall, or of this machine, is no goal on another one. */
export function plainFigure(metric: string, ours: Quantity): Figure {
  return { metric, ours: print(ours), peer: "", ratio: "", goal: "", isMet: true };
}

/** A figure that must not exceed a limit. Never of a machine's own time. */
export function limitFigure(metric: string, ours: Quantity, atMost: number): Figure {
  const goal = `<= ${print({ ...ours, value: atMost })}`;
  return { metric, ours: print(ours), peer: "", ratio: "", goal, isMet: ours.value <= atMost };
}

/** A figure of ours that must not exceed so many times the peer's. */
export function atMostPeer(metric: string, ours: Quantity, name: string, peer: Quantity, times: number): Figure {
  const ratio = divide(ours, peer);
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

/** A figure of ours that the peer's must exceed so many times. */
export function fasterThanPeer(metric: string, ours: Quantity, name: string, peer: Quantity, times: number): Figure {
  const ratio = divide(peer, ours);
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

/** A goal that is out of reach today, kept as it was set. What is reached now must not be lost meanwhile. */
export function knownMiss(figure: Figure, isAboveFloor: boolean): Figure {
  return figure.isMet || !isAboveFloor ? figure : { ...figure, isKnownMiss: true };
}

function print({ value, unit }: Quantity): string {
  return `${printNumber(value)} ${unit}`;
}

function printNumber(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
}
