import type { ReasonOf } from "#libs/wording";

import { countClasses, type RunView } from "../index/index.ts";
import { findCampaign, nameRunOwner, settingsOf } from "../main/index.ts";
import type { Spec } from "../records/index.ts";

/** The evidence of a run's bake and gates. */
export interface Evidence {
  readonly migrated: number;
  readonly idle: number;
  readonly skipped: number;
  /** The number that its settings require. */
  readonly minWorkloads: number;
}

/** Left out by main's files: `exclude` of the campaign, or an excluded cluster. */
const leftOut: readonly string[] = ["Excluded", "ClusterExcluded"];

/** Merged files leave out all workloads of the run: it has nothing to prove, and the next stage is held instead. */
function isLeftOut({ clusters }: RunView): boolean {
  for (const share of clusters.values())
    for (const { state } of share.list(["skipped"]))
      if (state.kind === "skipped" && !leftOut.includes(state.reason.code)) return false;
  return true;
}

/**
 * The evidence of a run where it is too little; undefined where it suffices. A converging run needs none, because an earlier
 * run had it, nor does a person's run whose workloads were all skipped: no stage rests on it.
 */
export function findLackingEvidence(head: Spec, view: RunView): Evidence | undefined {
  const { run } = view;
  const { minWorkloads } = settingsOf(head, run);
  const migrated = countClasses(view, ["migrated"]);
  if (migrated >= minWorkloads || run.converge !== undefined) return undefined;
  const idle = countClasses(view, ["idle"]);
  if (migrated + idle === 0 && (run.campaign === undefined || isLeftOut(view))) return undefined;
  return { migrated, idle, skipped: countClasses(view, ["skipped"]), minWorkloads };
}

/** The lack of evidence as a wait, with its owner. */
export function findNoEvidence(head: Spec, view: RunView): ReasonOf<"NoEvidence"> | undefined {
  const lacking = findLackingEvidence(head, view);
  if (lacking === undefined) return undefined;
  const { run } = view;
  const file = findCampaign(head, run)?.file ?? "meshroll.yml";
  return { code: "NoEvidence", run: run.id, ...lacking, file, owner: nameRunOwner(head, run) };
}
