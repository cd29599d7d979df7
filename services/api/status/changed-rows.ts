import type { StampedTable } from "#libs/events";

type Row = StampedTable["rows"][number];

/** The difference from an earlier table: new or changed rows, and names that are gone. */
export interface ChangedRows {
  readonly since: string;
  readonly changed: readonly Row[];
  readonly gone: readonly string[];
}

/** Rows contain indexes into lists of their table, so they can be compared only while these lists are equal. */
function areSameLists(one: StampedTable, other: StampedTable): boolean {
  const print = ({ revisions, states, buckets, clusters }: StampedTable) =>
    JSON.stringify([
      revisions,
      states,
      buckets.map(({ bucket, to }) => [bucket, to]),
      clusters.map(({ name }) => name),
    ]);
  return print(one) === print(other);
}

/** Undefined where the rows cannot be compared: then the newer table is sent whole. */
export function listChangedRows(before: StampedTable, now: StampedTable): ChangedRows | undefined {
  if (!areSameLists(before, now)) return undefined;
  const known = new Map(before.rows.map((row) => [row[0], JSON.stringify(row)]));
  const changed = now.rows.filter((row) => known.get(row[0]) !== JSON.stringify(row));
  const names = new Set(now.rows.map(([name]) => name));
  const gone = before.rows.flatMap(([name]) => (names.has(name) ? [] : [name]));
  return { since: before.stamp, changed, gone };
}
