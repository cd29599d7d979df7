import { countOutcome, dropAbsent, type RunRecord } from "../records/index.ts";
import type { RunClass } from "./index-keys.ts";
import { pendingClasses, type RunInCluster, type RunView } from "./run-view.ts";

/** The workloads of a run, each in exactly one of the six classes; `workloads` is their sum. All surfaces print these. */
export interface RunCounts {
  readonly workloads: number;
  readonly migrated: number;
  /** Label set, 0 replicas: no evidence. */
  readonly idle: number;
  readonly migrating: number;
  readonly pending: number;
  readonly waiting: number;
  readonly skipped: number;
  /** Of `skipped`: a failure keeps it there, of this run or an earlier one. */
  readonly failed: number;
  /** Of `workloads`: an earlier stage left it over, so this run's pull request does not list it. */
  readonly leftover: number;
}

const classesOf = {
  migrated: ["migrated"],
  idle: ["idle"],
  migrating: ["migrating"],
  pending: pendingClasses,
  waiting: ["waiting"],
  skipped: ["skipped"],
} as const satisfies Readonly<Record<string, readonly RunClass[]>>;

type Class = keyof typeof classesOf;

type Counted = Pick<RunInCluster, "count" | "countFailureAnnotated" | "countLeftover">;

/** The counts of several clusters or runs together. */
export function countInClusters(shares: readonly Counted[]): RunCounts {
  const sum = (read: (share: Counted) => number) => shares.reduce((total, share) => total + read(share), 0);
  const count = (name: Class) => sum((share) => share.count(classesOf[name]));
  const [migrated, idle, migrating] = [count("migrated"), count("idle"), count("migrating")];
  const [pending, waiting, skipped] = [count("pending"), count("waiting"), count("skipped")];
  return {
    workloads: migrated + idle + migrating + pending + waiting + skipped,
    migrated,
    idle,
    migrating,
    pending,
    waiting,
    skipped,
    failed: sum((share) => share.countFailureAnnotated()),
    leftover: sum((share) => share.countLeftover()),
  };
}

/** The counts of runs over the fleet. */
export function countRuns(views: readonly RunView[]): RunCounts {
  return countInClusters(views.flatMap(({ clusters }) => [...clusters.values()]));
}

/** The classes that an ended run still has; `left`: not moved when a later run took over. `workloads` is the sum. */
export interface EndedCounts extends Pick<RunCounts, "workloads" | "migrated" | "idle" | "skipped"> {
  readonly left: number;
  /** Absent where the record of an archived run does not say how many of the skipped ones failed. */
  readonly failed?: number;
}

/**
 * What an ended run's record counts; undefined while it is open, and for a record without figures. An earlier version wrote only
 * zeros into the record of a run that a later one took over.
 */
export function countEnded({ outcome, counts }: Pick<RunRecord, "outcome" | "counts">): EndedCounts | undefined {
  const ended = outcome === undefined ? counts : { failed: 0, ...countOutcome(outcome) };
  if (ended === undefined) return undefined;
  const { migrated, idle = 0, skipped, left = 0 } = ended;
  const workloads = migrated + idle + skipped + left;
  if (workloads === 0 && outcome?.takenOverBy !== undefined) return undefined;
  const failed = skipped === 0 ? 0 : ended.failed;
  return { workloads, migrated, idle, skipped, left, ...dropAbsent({ failed }) };
}
