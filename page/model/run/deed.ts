import type { RecordReport, RunReport } from "#libs/plan";

/** What a difference from the list means. */
const whys: ReadonlyMap<string, string> = new Map([
  ["gone", "gone before it was moved"],
  ["already there", "on the requested revision already"],
  ["unhealthy", "unhealthy, so it was not moved"],
  ["failed", "failed to become ready"],
  ["overwritten", "moved, and overwritten by its owner's deploy"],
  ["rolled back", "rolled back"],
  ["late", "not in the list: it came later"],
  ["skipped", "skipped"],
]);

/** A reason that a newer planner gives is shown as it is. */
export function nameDifference(why: string): string {
  return whys.get(why) ?? why;
}

/** The list of the pull request against what was done. */
export interface Deed {
  /** Absent: the run has no list. */
  readonly listed?: number;
  readonly moved: number;
  readonly idle: number;
  readonly skipped: number;
  /** Absent where it is not known. */
  readonly failed?: number;
  readonly left: number;
  /** Left over by an earlier stage, and so not listed. */
  readonly leftover: number;
}

function readEnded({ counts, listed }: RecordReport): Deed | undefined {
  if (counts === undefined) return undefined;
  const { migrated: moved, idle, skipped, failed, left } = counts;
  return {
    ...(listed === undefined ? {} : { listed }),
    ...(failed === undefined ? {} : { failed }),
    moved,
    idle,
    skipped,
    left,
    leftover: 0,
  };
}

/** By the present state while it is open, else by its record; undefined where neither has figures. */
export function readDeed(record: RecordReport | undefined, now: RunReport["now"]): Deed | undefined {
  if (now === undefined) return record === undefined ? undefined : readEnded(record);
  const { listed = record?.listed, migrated: moved, idle, skippedTotal: skipped, leftover = 0, clusters } = now;
  return {
    ...(listed === undefined ? {} : { listed }),
    failed: clusters.reduce((sum, share) => sum + share.failed, 0),
    moved,
    idle,
    skipped,
    left: now.migrating + now.pending + now.waiting,
    leftover,
  };
}
