import type { ApprovalRule } from "#libs/campaign";

import { code, escapeCell } from "./cells.ts";

/** Why a pull request needs approvals. */
export type ApprovalCause =
  /** It reaches this stage. */
  | { readonly kind: "stage"; readonly campaign: string; readonly stage: string }
  /** It changes the file of a campaign that main has. */
  | { readonly kind: "campaignFile"; readonly file: string }
  /** `meshroll.yml` on main requires them for everything else. */
  | { readonly kind: "settings" };

/** `2 approvals from team:mesh or user:ana (not the author's)`. */
export function printRule({ required, from, allowAuthor }: ApprovalRule): string {
  const count = `${required} approval${required === 1 ? "" : "s"}`;
  const whose = from.length === 0 ? "" : ` from ${from.map(escapeCell).join(" or ")}`;
  return `${count}${whose}${allowAuthor || required === 0 ? "" : " (not the author's)"}`;
}

function printCause(cause: ApprovalCause): string {
  switch (cause.kind) {
    case "stage":
      return `${code(cause.campaign)}, stage ${code(cause.stage)},`;
    case "campaignFile":
      return `A change of ${code(cause.file)}`;
    case "settings":
      return "`meshroll.yml`";
  }
}

/** A rule, and why it applies. */
export function printDemand(rule: ApprovalRule, cause: ApprovalCause): string {
  return `${printCause(cause)} needs ${printRule(rule)}`;
}
