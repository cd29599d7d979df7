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

/** The kind of a namespace's cell. An unknown state, of a newer planner, is shown as not moved. */
export function judgeCell({ states, buckets, revisions }: NamespaceTable, row: NamespaceRow): CellKind {
  const [, bucket, , requested, , state] = row;
  const known = byState.get(states[state] ?? "");
  if (known !== undefined) return known;
  const to = buckets[bucket]?.to;
  return to === undefined || revisions[requested] === to ? "done" : "toCome";
}
