import { findExclusion } from "#libs/campaign";
import { type Namespace, readAnnotations, type Workload } from "#libs/fleet";
import type { OwnersWait } from "./waiting/endless.ts";

import { findCampaign } from "../main/index.ts";
import type { RunRecord, Spec } from "../records/index.ts";

/** The workload of the rollout, and the files. */
interface BudgetCase {
  readonly workload: Workload;
  readonly namespace: Namespace;
  readonly head: Spec;
  readonly run: RunRecord | undefined;
}

/** Why its budgets are ignored: by its owner, else its namespace's, else the campaign. */
function findWaiver({ workload, namespace, head, run }: BudgetCase): string | undefined {
  const said = readAnnotations(workload)?.ignoreBudget ?? readAnnotations(namespace)?.ignoreBudget;
  if (said !== undefined) return said === false ? undefined : said;
  const { ignoreBudgets = [] } = findCampaign(head, run) ?? {};
  // `ignoreBudgets` has no end, so the time does not matter.
  return findExclusion(ignoreBudgets, namespace.name, 0)?.reason;
}

export type BudgetAnswer =
  | { readonly kind: "fits" }
  /** `why`: the reason for ignoring them. */
  | { readonly kind: "ignored"; readonly why: string }
  | { readonly kind: "tooSmall"; readonly reason: OwnersWait };

const fits: BudgetAnswer = { kind: "fits" };

/**
 * A rollout evicts nothing, so budgets do not prevent it, but they tell what its owner wants: a rollout that adds pods before
 * it takes others away continues under any budget, another one only as far as the budget has room.
 */
export function judgeBudget(each: BudgetCase): BudgetAnswer {
  const { replicas, disruptionsAllowed: allowed, rolloutUnavailable: takes } = each.workload;
  // For an unknown strategy at least one pod is assumed.
  if (allowed === undefined || replicas === 0 || (takes ?? 1) <= allowed) return fits;
  const why = findWaiver(each);
  if (why !== undefined) return { kind: "ignored", why };
  if (takes === undefined) return { kind: "tooSmall", reason: { code: "BudgetAllowsNothing" } };
  if (allowed === 0) return { kind: "tooSmall", reason: { code: "BudgetAllowsNothing", takes } };
  return { kind: "tooSmall", reason: { code: "BudgetAllowsLess", takes, allowed } };
}

/** Whether it waits for a budget. */
export function isBudget({ code }: OwnersWait): boolean {
  return code === "BudgetAllowsNothing" || code === "BudgetAllowsLess";
}
