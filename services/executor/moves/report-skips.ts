import { isConfirmed, type JudgedWorkload } from "#libs/plan";

import type { JudgedSnapshot } from "./take-snapshot.ts";

/** For each run at most this many, in the order of their keys: an excluded cluster must not cause a flood of Events. */
const mostOfRun = 500;

export type Skipped = Extract<JudgedWorkload["state"], { readonly kind: "skipped" }>;

interface Skip {
  readonly each: JudgedWorkload;
  readonly state: Skipped;
}

/**
 * Leaves out failures of the run, which are reported as failures, and namespaces that are being deleted, which accept no
 * Events.
 */
function readSkip(each: JudgedWorkload): Skip | undefined {
  const { state } = each;
  if (state.kind !== "skipped" || state.failed !== undefined || state.reason.code === "Terminating") return undefined;
  return { each, state };
}

/** What open runs leave alone in this cluster now, by the id that distinguishes one Event from another. */
function listSkips({ snapshot, judged }: JudgedSnapshot): ReadonlyMap<string, Skip & { readonly run: string }> {
  const skips = new Map<string, Skip & { readonly run: string }>();
  for (const { id: run, state } of Object.values(snapshot.ledger?.runs ?? {})) {
    if (state !== "open") continue;
    for (const skip of judged.collect({ run, is: "skipped" }, mostOfRun, readSkip)) {
      if (skip === undefined) continue;
      skips.set([run, skip.each.key, skip.each.workload.uid, skip.state.reason.code].join("|"), { ...skip, run });
    }
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
  report: (each: JudgedWorkload, run: string, reason: Skipped["reason"]) => void,
): ReadonlySet<string> {
  if (!isConfirmed(seen.snapshot)) return reported;
  const skips = listSkips(seen);
  for (const [id, { each, state, run }] of skips) if (!reported.has(id)) report(each, run, state.reason);
  return new Set(skips.keys());
}
