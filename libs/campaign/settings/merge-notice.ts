import type { ApprovalRule, Settings } from "./settings.ts";

type Written = Pick<Settings, "autoMerge" | "ledgerSigners">;

/** The ledger alone says that a gate passed: who wrote that is known only where main names who may (ADR 39). */
function isSigned({ ledgerSigners = [] }: Written): boolean {
  return ledgerSigners.length > 0;
}

/** How long the head of a stage that merges itself has to be open, ms; undefined = a person merges it. */
export function findMergeNotice(settings: Written): number | undefined {
  return isSigned(settings) ? settings.autoMerge?.notice : undefined;
}

/** `autoMerge` is written, and a person merges all the same: main names no `ledger.signers`. */
export function lacksSigners(settings: Written): boolean {
  return settings.autoMerge !== undefined && !isSigned(settings);
}

/** How a stage is merged, for people and scripts. */
export interface MergePlan {
  readonly approvals: ApprovalRule;
  /** Absent = a person merges it. */
  readonly autoMerge?: { readonly noticeMs: number };
  /** `autoMerge` is written, and waits for this in `meshroll.yml` on main. */
  readonly autoMergeNeeds?: "ledger.signers";
}

export function planMerge(settings: Settings): MergePlan {
  const { approvals } = settings;
  const noticeMs = findMergeNotice(settings);
  if (noticeMs !== undefined) return { approvals, autoMerge: { noticeMs } };
  return lacksSigners(settings) ? { approvals, autoMergeNeeds: "ledger.signers" } : { approvals };
}
