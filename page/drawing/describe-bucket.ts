import type { TableBucket } from "#libs/plan";

import { type CellKind, cellKinds } from "./cell-kind.ts";

const words: Readonly<Record<CellKind, string>> = {
  done: "done",
  moving: "restarting",
  waiting: "waiting for their owners",
  failed: "failed",
  pending: "pending",
  skipped: "skipped",
  toCome: "to come",
};

/** The label of a kind. */
export function nameKind(kind: CellKind): string {
  return words[kind];
}

/** Number of cells of each kind. */
export function countKinds(cells: readonly { readonly kind: CellKind }[]): ReadonlyMap<CellKind, number> {
  const counts = new Map<CellKind, number>();
  for (const { kind } of cells) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** The picture in one sentence, for screen readers. */
export function describeBucket({ bucket, to, shares }: TableBucket, counts: ReadonlyMap<CellKind, number>): string {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const requested = shares.find(({ revision }) => revision === to)?.requested;
  const parts = cellKinds.flatMap((kind) => {
    const count = counts.get(kind) ?? 0;
    return count === 0 ? [] : [`${count} ${words[kind]}`];
  });
  const goal = to === undefined || requested === undefined ? "" : `, ${requested} % requested on ${to}`;
  return `${bucket}: ${total} namespaces${goal}: ${parts.join(", ")}`;
}
