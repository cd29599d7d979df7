import type { NamespaceRow, NamespaceTable } from "#libs/plan";

/** What a cell of the picture stands for. `done`: runs the growing revision as requested. `toCome`: is not to move yet. */
export const cellKinds = ["done", "moving", "waiting", "failed", "pending", "skipped", "toCome"] as const;
export type CellKind = (typeof cellKinds)[number];

const byState: ReadonlyMap<string, CellKind> = new Map([
  ["Failed", "failed"],
  ["Moving", "moving"],
  ["Waiting", "waiting"],
  ["Pending", "pending"],
  ["Skipped", "skipped"],
]);

/** The kind of a namespace's cell. A state of a newer planner is none that we know: it is shown as not moved. */
export function judgeCell({ states, buckets, revisions }: NamespaceTable, row: NamespaceRow): CellKind {
  const [, bucket, , requested, , state] = row;
  const known = byState.get(states[state] ?? "");
  if (known !== undefined) return known;
  const to = buckets[bucket]?.to;
  return to === undefined || revisions[requested] === to ? "done" : "toCome";
}
