import type { ReasonOf } from "#libs/wording";

import { countClasses, type RunView } from "../index/index.ts";
import { findCampaign, nameRunOwner, settingsOf } from "../main/index.ts";
import type { Spec } from "../records/index.ts";

/** How much there is that a run's bake and gates could rest on. */
export interface Evidence {
  readonly migrated: number;
  readonly idle: number;
  readonly skipped: number;
  /** What its settings ask for. */
  readonly minWorkloads: number;
}

/** By main's own files: `exclude` of the campaign, or a cluster that is excluded. */
const leftOut: readonly string[] = ["Excluded", "ClusterExcluded"];

/** All that the run is about is left out by merged files: it has nothing to prove, and what comes after it is held instead. */
function isLeftOut({ clusters }: RunView): boolean {
  for (const share of clusters.values())
    for (const { state } of share.list(["skipped"]))
      if (state.kind === "skipped" && !leftOut.includes(state.reason.code)) return false;
  return true;
}

/**
 * What of a run is there as evidence, where it is too little; undefined where it suffices. What converges needs none of its own: the
 * run that brought what main says had it. Nor does a person's run that skipped all: no stage rests on it.
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

/** The same as a wait: who can end it, and how. */
export function findNoEvidence(head: Spec, view: RunView): ReasonOf<"NoEvidence"> | undefined {
  const lacking = findLackingEvidence(head, view);
  if (lacking === undefined) return undefined;
  const { run } = view;
  const file = findCampaign(head, run)?.file ?? "meshroll.yml";
  return { code: "NoEvidence", run: run.id, ...lacking, file, owner: nameRunOwner(head, run) };
}
