import { findWaitedOut, isConfirmed, type JudgedWorkload } from "#libs/plan";
import type { WorkloadReason } from "#libs/wording";

import type { JudgedSnapshot } from "./take-snapshot.ts";

/** For each run at most this many, in the order of their keys: an excluded cluster must not cause a flood of Events. */
const mostOfRun = 500;

interface Skip {
  readonly each: JudgedWorkload;
  readonly reason: WorkloadReason;
}

/**
 * Leaves out failures of the run, which are reported as failures, and namespaces that are being deleted, which accept no
 * Events.
 */
function readSkip(each: JudgedWorkload): Skip | undefined {
  const { state } = each;
  if (state.kind !== "skipped" || state.failed !== undefined || state.reason.code === "Terminating") return undefined;
  return { each, reason: state.reason };
}

const asItIs = (each: JudgedWorkload): JudgedWorkload => each;

/** What waits for its owner in vain: the planner skips it from now on, and the run ends without it. */
function listWaitedOut({ snapshot, judged }: JudgedSnapshot, run: string): readonly Skip[] {
  const { head, cluster, now } = snapshot;
  if (head === undefined) return [];
  return judged.collect({ run, is: "waiting" }, mostOfRun, asItIs).flatMap((each) => {
    const reason = findWaitedOut(each, head, { serverNow: cluster.serverNow, now });
    return reason === undefined ? [] : [{ each, reason }];
  });
}

/** What open runs leave alone in this cluster now, by the id that distinguishes one Event from another. */
function listSkips(seen: JudgedSnapshot): ReadonlyMap<string, Skip & { readonly run: string }> {
  const skips = new Map<string, Skip & { readonly run: string }>();
  for (const { id: run, state } of Object.values(seen.snapshot.ledger?.runs ?? {})) {
    if (state !== "open") continue;
    const skipped = seen.judged
      .collect({ run, is: "skipped" }, mostOfRun, readSkip)
      .filter((each) => each !== undefined);
    for (const skip of [...skipped, ...listWaitedOut(seen, run)])
      skips.set([run, skip.each.key, skip.each.workload.uid, skip.reason.code].join("|"), { ...skip, run });
  }
  return skips;
}

/**
 * Reports each workload that an open run leaves alone, once while it does. `reported` are the ids that were reported before;
 * returns those of now. Reports only by a main that git confirms: what an old main skips may be moved a moment later.
 */
export function reportSkips(
  seen: JudgedSnapshot,
  reported: ReadonlySet<string>,
  report: (each: JudgedWorkload, run: string, reason: WorkloadReason) => void,
): ReadonlySet<string> {
  if (!isConfirmed(seen.snapshot)) return reported;
  const skips = listSkips(seen);
  for (const [id, { each, reason, run }] of skips) if (!reported.has(id)) report(each, run, reason);
  return new Set(skips.keys());
}
