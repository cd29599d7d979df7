import type { NamespaceRow, NamespaceTable } from "#libs/plan";

import { type CellKind, cellKinds, isRequested, judgeCell } from "./cell-kind.ts";
import type { Unplaced } from "./lay-out-bucket.ts";

type StripKind = "bucket" | "cluster";

/** One row of the fleet's picture: the namespaces of a bucket, or of a cluster. */
export interface Strip {
  readonly by: StripKind;
  readonly name: string;
  /** The revision that grows; absent where there is none, or several. */
  readonly to?: string;
  /** In the order in which they move. */
  readonly cells: readonly Unplaced[];
  /** Where the line between requested and to come is, in percent of the width; absent where nothing grows. */
  readonly line?: number;
  /** Namespaces of buckets in which a revision grows, and those of them for which main requests it. */
  readonly growing: number;
  readonly requested: number;
  /** How many cells there are of each kind. */
  readonly kinds: ReadonlyMap<CellKind, number>;
  /** Namespaces that lack pods, on whatever revision. */
  readonly lacking: number;
}

/** A namespace lacks pods: in one of its clusters, for any reason. */
function lacksPods([, , , , , , , unhealthy]: NamespaceRow): boolean {
  return unhealthy > 0;
}

/** Number of cells of each kind. */
export function countKinds(cells: readonly { readonly kind: CellKind }[]): ReadonlyMap<CellKind, number> {
  const counts = new Map<CellKind, number>();
  for (const { kind } of cells) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** Namespaces that lack pods. */
export function countLacking(rows: readonly NamespaceRow[]): number {
  return rows.filter(lacksPods).length;
}

type Counts = Pick<Strip, "kinds" | "lacking" | "growing" | "requested">;

function countCells(table: NamespaceTable, cells: readonly Unplaced[]): Counts {
  const rows = cells.map(({ row }) => row);
  const growing = rows.filter(([, bucket]) => table.buckets[bucket]?.to !== undefined);
  return {
    kinds: countKinds(cells),
    lacking: countLacking(rows),
    growing: growing.length,
    requested: growing.filter((row) => isRequested(table, row)).length,
  };
}

/** Groups rows by places in a list of the table. */
function groupRows(
  rows: readonly NamespaceRow[],
  find: (row: NamespaceRow) => readonly number[],
): ReadonlyMap<number, readonly NamespaceRow[]> {
  const groups = new Map<number, NamespaceRow[]>();
  for (const row of rows) {
    for (const place of find(row)) {
      const group = groups.get(place);
      if (group === undefined) groups.set(place, [row]);
      else group.push(row);
    }
  }
  return groups;
}

/**
 * A strip for each bucket, the largest first. A cell is at the percentage at which its namespace moves, so that a line at the
 * requested share separates what is to have moved from what is to come. Pure.
 */
export function listBucketStrips(table: NamespaceTable): readonly Strip[] {
  const groups = groupRows(table.rows, ([, bucket]) => [bucket]);
  const strips = table.buckets.flatMap(({ bucket, to, shares }, at): readonly Strip[] => {
    const rows = [...(groups.get(at) ?? [])].sort((a, b) => (a[2] ?? 0) - (b[2] ?? 0) || (a[0] < b[0] ? -1 : 1));
    if (rows.length === 0) return [];
    const cells = rows.map((row, index): Unplaced => {
      const [, , movesAt] = row;
      return {
        row,
        kind: judgeCell(table, row),
        place: movesAt === null ? (index + 0.5) / rows.length : movesAt / 100,
      };
    });
    const line = shares.find(({ revision }) => revision === to)?.requested;
    const own = { by: "bucket", name: bucket, cells, ...countCells(table, cells) } as const;
    return [{ ...own, ...(to === undefined ? {} : { to }), ...(line === undefined ? {} : { line }) }];
  });
  return strips.toSorted((a, b) => b.cells.length - a.cells.length);
}

/** How far a namespace is behind its bucket's line: below 0 it is to have moved. */
function measureDistance({ buckets }: NamespaceTable, [, bucket, movesAt]: NamespaceRow): number {
  const found = buckets[bucket];
  const line = found?.shares.find(({ revision }) => revision === found.to)?.requested ?? 0;
  return (movesAt ?? 0) - line;
}

/** The state in one of its clusters. */
function findState(row: NamespaceRow, cluster: number): number {
  const [, , , , , state, , , clusters, states] = row;
  return states?.[clusters.indexOf(cluster)] ?? state;
}

/**
 * A strip for each cluster, by name. Its buckets have lines of their own, so the cells stand close together in the order of
 * their distance to the line of their bucket: first what main requests, then what is to come. Pure.
 */
export function listClusterStrips(table: NamespaceTable): readonly Strip[] {
  const groups = groupRows(table.rows, ([, , , , , , , , clusters]) => clusters);
  const strips = table.clusters.flatMap(({ name }, at): readonly Strip[] => {
    const sorted = [...(groups.get(at) ?? [])]
      .map((row) => ({ row, isFirst: isRequested(table, row), distance: measureDistance(table, row) }))
      .sort(
        (a, b) => Number(b.isFirst) - Number(a.isFirst) || a.distance - b.distance || (a.row[0] < b.row[0] ? -1 : 1),
      );
    if (sorted.length === 0) return [];
    const cells = sorted.map(({ row }, index): Unplaced => {
      return { row, kind: judgeCell(table, row, findState(row, at)), place: (index + 0.5) / sorted.length };
    });
    const growing = new Set(sorted.flatMap(({ row: [, bucket] }) => table.buckets[bucket]?.to ?? []));
    const [to] = growing;
    const own = { by: "cluster", name, cells, ...countCells(table, cells) } as const;
    const first = sorted.filter(({ isFirst }) => isFirst).length;
    const line = growing.size === 0 ? {} : { line: (100 * first) / cells.length };
    return [{ ...own, ...line, ...(to === undefined || growing.size > 1 ? {} : { to }) }];
  });
  return strips.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The kinds of a strip with their counts, without those that it has none of. */
export function listKinds({ kinds }: Pick<Strip, "kinds">): readonly (readonly [CellKind, number])[] {
  return cellKinds.flatMap((kind) => {
    const number = kinds.get(kind) ?? 0;
    return number === 0 ? [] : [[kind, number] as const];
  });
}
