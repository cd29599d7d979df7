/** A measured value with at most four digits that count. */
export function printNumber(value: number): string {
  return value.toLocaleString("en-US", { maximumSignificantDigits: 4 });
}
