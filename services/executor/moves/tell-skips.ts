import { isConfirmed, type JudgedWorkload } from "#libs/plan";

import type { Lookout } from "./take-snapshot.ts";

/** Of each run the first so many, in the order of their keys: a cluster that is excluded as a whole must not become a flood. */
const mostOfRun = 500;

export type Skipped = Extract<JudgedWorkload["state"], { readonly kind: "skipped" }>;

interface Skip {
  readonly each: JudgedWorkload;
  readonly state: Skipped;
}

/** A failure of the run itself is told as a failure, and a namespace that is being deleted takes no Events. */
function readSkip(each: JudgedWorkload): Skip | undefined {
  const { state } = each;
  if (state.kind !== "skipped" || state.failed !== undefined || state.reason.code === "Terminating") return undefined;
  return { each, state };
}

/** What open runs leave alone in this cluster now, by what distinguishes one Event from another. */
function listSkips({ snapshot, judged }: Lookout): ReadonlyMap<string, Skip & { readonly run: string }> {
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
 * Tells of each workload that an open run leaves alone, once while it does so. `told` is what was told before; the answer takes
 * its place. Only by a main that git confirms: what an old one skips may move in a moment.
 */
export function tellSkips(
  seen: Lookout,
  told: ReadonlySet<string>,
  tell: (each: JudgedWorkload, run: string, reason: Skipped["reason"]) => void,
): ReadonlySet<string> {
  if (!isConfirmed(seen.snapshot)) return told;
  const skips = listSkips(seen);
  for (const [id, { each, state, run }] of skips) if (!told.has(id)) tell(each, run, state.reason);
  return new Set(skips.keys());
}
