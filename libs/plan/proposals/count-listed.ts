import type { SkippedFor } from "#libs/wording";

/** A workload of a namespace that moves. */
interface Listed {
  readonly isMigrated: boolean;
  readonly skipped?: SkippedFor;
  readonly neighbour?: true;
}

/** Whether the change restarts it: it is neither migrated nor skipped. */
export function willRestart({ isMigrated, skipped }: Pick<Listed, "isMigrated" | "skipped">): boolean {
  return !isMigrated && skipped === undefined;
}

/** The workloads that the run of a change has once it is merged; `workloads` is the sum of the others. */
export interface ListedCounts {
  readonly workloads: number;
  /** On the list of restarts. */
  readonly listed: number;
  /** In place already. */
  readonly migrated: number;
  readonly skipped: number;
}

/** How many workloads the run of these moves will have: as the run counts them, without those that are not managed. */
export function countListed(moves: readonly { readonly workloads: readonly Listed[] }[]): ListedCounts {
  let [listed, migrated, skipped] = [0, 0, 0];
  for (const { workloads } of moves)
    for (const each of workloads) {
      if (each.neighbour === true) continue;
      if (willRestart(each)) listed += 1;
      else if (each.isMigrated) migrated += 1;
      else skipped += 1;
    }
  return { workloads: listed + migrated + skipped, listed, migrated, skipped };
}

/** How many workloads a list has, of which each has a line. */
export function countLines(list: string): number {
  let count = 0;
  for (let at = list.indexOf("\n"); at >= 0; at = list.indexOf("\n", at + 1)) count += 1;
  return list === "" || list.endsWith("\n") ? count : count + 1;
}
