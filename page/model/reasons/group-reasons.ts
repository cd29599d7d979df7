import { printText, type Text } from "#libs/wording";

/** What has the same reason. */
export interface ReasonGroup<Row> {
  readonly reason: string;
  readonly rows: readonly Row[];
}

/** Groups rows by their reason and by what `apart` says of them, the largest group first; rows keep their order. Pure. */
export function groupReasons<Row extends { readonly message: Text }>(
  rows: readonly Row[],
  apart: (row: Row) => string = () => "",
): readonly ReasonGroup<Row>[] {
  const groups = Map.groupBy(rows, (row) => JSON.stringify([printText(row.message), apart(row)]));
  return [...groups.values()]
    .map((some) => ({ reason: some[0] === undefined ? "" : printText(some[0].message), rows: some }))
    .toSorted((a, b) => b.rows.length - a.rows.length);
}
