/** A limit for a measurement. */
export type MeasuredLimit =
  | { readonly kind: "max" | "min"; readonly limit: number }
  | { readonly kind: "baseline"; readonly ratio: number; readonly baseline: number };

/** The result of one measurement of Prometheus. */
export type Measurement =
  /** `fault`: the error of Prometheus or of the connection; absent = the query had no result. */
  | { readonly kind: "noValue"; readonly fault?: string }
  /** Without `fault` no workload is left on the replaced revision. */
  | { readonly kind: "noBaseline"; readonly value: number; readonly fault?: string }
  | { readonly kind: "within"; readonly value: number; readonly limits: readonly MeasuredLimit[] }
  | { readonly kind: "missed"; readonly value: number; readonly limit: MeasuredLimit };

function printLimit(limit: MeasuredLimit): string {
  return limit.kind === "baseline"
    ? `${printFigure(limit.ratio)} times the baseline ${printFigure(limit.baseline)}`
    : `${limit.kind} ${printFigure(limit.limit)}`;
}

function printBeyond(limit: MeasuredLimit): string {
  return `${limit.kind === "min" ? "below" : "above"} ${printLimit(limit)}`;
}

export function printMeasurement(measured: Measurement): string {
  switch (measured.kind) {
    case "noValue":
      return `no data: ${measured.fault ?? "the query returned no value"}`;
    case "noBaseline": {
      const why = measured.fault ?? "no workload is left on the replaced revision";
      return `${printFigure(measured.value)}, no baseline: ${why}`;
    }
    case "within":
      return `${printFigure(measured.value)}, within ${measured.limits.map(printLimit).join(" and ")}`;
    case "missed":
      return `${printFigure(measured.value)}, ${printBeyond(measured.limit)}`;
  }
}

const digits = 4;

/** A measured number for people: `0.0313`, `12`, `1.2e-7`. */
function printFigure(value: number): string {
  return String(Number(value.toPrecision(digits)));
}
