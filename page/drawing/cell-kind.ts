import type { NamespaceRow, NamespaceTable } from "#libs/plan";

/** The state that a cell shows. `done`: runs the growing revision as requested. `toCome`: not to be moved yet. */
export const cellKinds = ["done", "moving", "waiting", "failed", "pending", "skipped", "toCome"] as const;
export type CellKind = (typeof cellKinds)[number];

const byState: ReadonlyMap<string, CellKind> = new Map([
  ["Failed", "failed"],
  ["Moving", "moving"],
  ["Waiting", "waiting"],
  ["Pending", "pending"],
  ["Skipped", "skipped"],
]);

type Lists = Pick<NamespaceTable, "states" | "buckets" | "revisions">;

/** Whether main requests the growing revision for it; a namespace of a bucket without one is not moved at all. */
export function isRequested({ buckets, revisions }: Lists, [, bucket, , requested]: NamespaceRow): boolean {
  const to = buckets[bucket]?.to;
  return to === undefined || revisions[requested] === to;
}

/**
 * The kind of a namespace's cell, over all its clusters or by its state in one of them. An unknown state, of a newer planner,
 * is shown as not moved.
 */
export function judgeCell(lists: Lists, row: NamespaceRow, state = row[5]): CellKind {
  return byState.get(lists.states[state] ?? "") ?? (isRequested(lists, row) ? "done" : "toCome");
}
