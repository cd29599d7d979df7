import type { Reason } from "#libs/wording";

import { findBakePause, findNoEvidence, isBaked } from "../conditions/index.ts";
import type { RunRecord, Snapshot } from "../records/index.ts";
import { settingsOf } from "../main/index.ts";
import { isUnderRevert } from "../stops/index.ts";
import { buildContext, countLeft, type DecisionContext, type RunView } from "../index/index.ts";

/** Runs with nothing left whose bake is in progress; the planner watches these between two reconciles. */
export function listBaking(context: DecisionContext): readonly RunView[] {
  return context.evaluation.views.filter((view) => {
    const { run } = view;
    const isOpen = run.state === "open" && run.bake !== undefined && !isUnderRevert(run, context.stops, context.ledger);
    return isOpen && !isBaked(run, settingsOf(context.head, run)) && countLeft(view).left === 0;
  });
}

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
