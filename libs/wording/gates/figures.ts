const digits = 4;

/** A measured number for people: `0.0313`, `12`, `1.2e-7`. */
export function printFigure(value: number): string {
  return String(Number(value.toPrecision(digits)));
}

/** A ratio (0..1) for people: `99.9 %`. */
export function printRatio(ratio: number): string {
  return `${printFigure(ratio * 100)} %`;
}
