import type { RunRecord } from "#libs/plan";

/** The run that changed a namespace's answer last. */
export interface CameBy {
  readonly run: string;
  /** The revision in main before. */
  readonly from: string;
  readonly subject: string;
  readonly author: string;
  /** ISO. */
  readonly startedAt: string;
  readonly direction: "forward" | "rollback";
}

/** For each run two commits of main are read, so older ones are not considered. */
const mostRuns = 16;

/**
 * The newest of these runs of `pattern` with which main began to want `revision` for a namespace. `resolveAt` resolves it at a
 * commit; undefined where that cannot be read.
 */
export async function findCameBy(
  runs: readonly RunRecord[],
  { pattern, revision }: { readonly pattern: string; readonly revision: string },
  resolveAt: (commit: string) => Promise<string | undefined>,
): Promise<CameBy | undefined> {
  const own = runs
    .filter(({ state, buckets }) => state !== "gone" && buckets.includes(pattern))
    .toSorted((a, b) => b.order - a.order);
  for (const { id, commit, before, subject, author, startedAt, changes } of own.slice(0, mostRuns)) {
    if ((await resolveAt(commit)) !== revision) return undefined;
    const from = await resolveAt(before);
    if (from === undefined) return undefined;
    const direction = changes.find((each) => each.pattern === pattern)?.direction ?? "forward";
    if (from !== revision) return { run: id, from, subject, author, startedAt, direction };
  }
  return undefined;
}
