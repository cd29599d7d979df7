import type { StampedTable } from "#libs/events";

type Row = StampedTable["rows"][number];

/** What became of a table since an earlier one: rows that are new or other, and names that are gone. */
export interface ChangedRows {
  readonly since: string;
  readonly changed: readonly Row[];
  readonly gone: readonly string[];
}

/** Rows hold places in lists of their table: they say the same only while those lists do. */
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

/** Undefined where the rows of the two tables cannot be compared: then all of the newer one is news. */
export function listChangedRows(before: StampedTable, now: StampedTable): ChangedRows | undefined {
  if (!areSameLists(before, now)) return undefined;
  const known = new Map(before.rows.map((row) => [row[0], JSON.stringify(row)]));
  const changed = now.rows.filter((row) => known.get(row[0]) !== JSON.stringify(row));
  const names = new Set(now.rows.map(([name]) => name));
  const gone = before.rows.flatMap(([name]) => (names.has(name) ? [] : [name]));
  return { since: before.stamp, changed, gone };
}
