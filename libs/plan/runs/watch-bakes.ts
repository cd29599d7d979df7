import type { Reason } from "#libs/wording";

import { findBakePause, findNoEvidence } from "../conditions/index.ts";
import type { RunRecord, Snapshot } from "../records/index.ts";
import { settingsOf } from "../main/index.ts";
import { buildContext } from "../index/index.ts";
import { listBaking } from "./advance-runs.ts";

/** The bakes in progress, and why each is paused: what the planner observes between two reconciles (rules 6.2). */
export function watchBakes(
  snapshot: Snapshot,
): readonly { readonly run: RunRecord; readonly paused: Reason | undefined }[] {
  const { ledger, main } = snapshot;
  const context = ledger === undefined || !main.contained ? undefined : buildContext(snapshot, ledger, main.head);
  if (context === undefined) return [];
  return listBaking(context).map((view) => {
    const paused =
      findNoEvidence(context.head, view) ?? findBakePause(view, settingsOf(context.head, view.run), snapshot.clusters);
    return { run: view.run, paused };
  });
}
