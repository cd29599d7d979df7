/** One line of the table: a figure of ours next to a peer's or a limit. */
export interface Figure {
  readonly metric: string;
  readonly ours: string;
  /** The peer's figure with its name; empty when the goal is a plain limit. */
  readonly peer: string;
  readonly ratio: string;
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
}

/** A figure that must not exceed a limit. */
export function limitFigure(metric: string, ours: Quantity, atMost: number): Figure {
  const goal = `<= ${print({ ...ours, value: atMost })}`;
  return { metric, ours: print(ours), peer: "", ratio: "", goal, isMet: ours.value <= atMost };
}

/** A figure of ours that must not exceed so many times the peer's. */
export function atMostPeer(metric: string, ours: Quantity, name: string, peer: Quantity, times: number): Figure {
  const ratio = ours.value / peer.value;
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
  const ratio = peer.value / ours.value;
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
