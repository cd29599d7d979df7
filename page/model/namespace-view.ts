import type { NamespaceRow, NamespaceTable } from "#libs/plan";

/** A row with names in place of indexes. */
export interface NamespaceLine {
  readonly name: string;
  readonly bucket: string;
  /** The bucket's growing revision, and the percentage of it above which the namespace moves. */
  readonly to: string | undefined;
  readonly movesAt: number | undefined;
  readonly requested: string;
  /** Undefined: several, or unknown. */
  readonly actual: string | undefined;
  readonly state: string;
  readonly workloads: number;
  readonly unhealthy: number;
  readonly clusters: readonly string[];
}

type Lists = Pick<NamespaceTable, "buckets" | "revisions" | "states" | "clusters">;

/** A row in words. */
export function readRow(table: Lists, row: NamespaceRow): NamespaceLine {
  const [name, bucket, movesAt, requested, actual, state, workloads, unhealthy, clusters] = row;
  return {
    name,
    bucket: table.buckets[bucket]?.bucket ?? "",
    to: table.buckets[bucket]?.to,
    movesAt: movesAt ?? undefined,
    requested: table.revisions[requested] ?? "",
    actual: table.revisions[actual],
    state: table.states[state] ?? "",
    workloads,
    unhealthy,
    clusters: clusters.map((place) => table.clusters[place]?.name ?? ""),
  };
}

/** The filter of the table; empty = all. */
export interface Filter {
  /** Part of a name. */
  readonly text: string;
  readonly state: string;
  readonly cluster: string;
  readonly bucket: string;
  readonly revision: string;
}

/** The filter as an address holds it. */
export function readFilter(read: (name: string) => string): Filter {
  return {
    text: read("q"),
    state: read("state"),
    cluster: read("cluster"),
    bucket: read("bucket"),
    revision: read("revision"),
  };
}

function placeOf(list: readonly string[], name: string): number | undefined {
  return name === "" ? undefined : list.indexOf(name);
}

/** The matching rows, in order. A filter for an unknown name matches none. */
export function filterRows(table: NamespaceTable, filter: Filter): readonly NamespaceRow[] {
  const text = filter.text.trim().toLowerCase();
  const state = placeOf(table.states, filter.state);
  const bucket = placeOf(
    table.buckets.map((each) => each.bucket),
    filter.bucket,
  );
  const cluster = placeOf(
    table.clusters.map(({ name }) => name),
    filter.cluster,
  );
  const revision = placeOf(table.revisions, filter.revision);
  const fits = (wanted: number | undefined, found: number) => wanted === undefined || wanted === found;
  return table.rows.filter(
    ([name, ofBucket, , , actual, ofState, , , clusters]) =>
      (text === "" || name.includes(text)) &&
      fits(bucket, ofBucket) &&
      fits(state, ofState) &&
      // -1 stands for an unknown value or several revisions, and matches no filter.
      (revision === undefined || (revision >= 0 && revision === actual)) &&
      (cluster === undefined || clusters.includes(cluster)),
  );
}

/** The sort keys of the columns. */
const columns: Readonly<Record<string, (row: NamespaceRow) => string | number>> = {
  name: ([name]) => name,
  movesAt: ([, , movesAt]) => movesAt ?? 101,
  requested: ([, , , requested]) => requested,
  actual: ([, , , , actual]) => actual,
  state: ([, , , , , state]) => state,
  workloads: ([, , , , , , workloads]) => workloads,
};

/** Sorted by a column, descending with `-` before it; equal rows by name. An unknown column changes nothing. */
export function sortRows(rows: readonly NamespaceRow[], by: string): readonly NamespaceRow[] {
  const [sign, name] = by.startsWith("-") ? [-1, by.slice(1)] : [1, by];
  const read = Object.hasOwn(columns, name) ? columns[name] : undefined;
  if (read === undefined) return rows;
  return [...rows].sort((a, b) => {
    const [x, y] = [read(a), read(b)];
    if (x === y) return a[0] < b[0] ? -1 : 1;
    return x < y ? -sign : sign;
  });
}
