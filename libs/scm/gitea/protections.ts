import type { ReviewRule } from "#libs/wording";
import { z } from "zod";

import { isHidden } from "../http/classify.ts";
import { parseAnswer } from "../http/parse-answer.ts";
import type { LedgerRules } from "../port/ledger-rules.ts";
import type { GiteaClient } from "./client.ts";

const protections = z.array(
  z.object({
    rule_name: z.string(),
    enable_status_check: z.boolean(),
    status_check_contexts: z.array(z.string()).nullish(),
    enable_force_push: z.boolean().nullish(),
    enable_push_whitelist: z.boolean().nullish(),
    dismiss_stale_approvals: z.boolean().nullish(),
    ignore_stale_approvals: z.boolean().nullish(),
  }),
);

export type Protections = z.infer<typeof protections>;

/** All branch protections; undefined: this token does not administer the repository and may not read them. */
export async function readProtections(client: GiteaClient): Promise<Protections | undefined> {
  try {
    return parseAnswer(protections, await client.get("branch_protections"), "reading the branch protections");
  } catch (error) {
    if (isHidden(error)) return undefined;
    throw error;
  }
}

/** The protection whose name is exactly the branch; names that are patterns are not considered. */
export function findProtection(found: Protections | undefined, branch: string): Protections[number] | undefined {
  return found?.find(({ rule_name: name }) => name === branch);
}

/** Gitea has no rule about the last push and does not enforce reviews of code owners, so only one rule can be missing. */
export function listMissingRules(found: Protections | undefined, branch: string): readonly ReviewRule[] {
  const rule = findProtection(found, branch);
  const isDismissed = rule?.dismiss_stale_approvals === true || rule?.ignore_stale_approvals === true;
  return isDismissed ? [] : ["staleDismissed"];
}

/** The ledger branch's rules in the words of GitHub's rulesets. On Gitea a protected branch cannot be deleted. */
export function listLedgerRules(found: Protections | undefined): LedgerRules {
  if (found === undefined) return { ledgerRules: [], ledgerUnread: true };
  const own = findProtection(found, "meshroll/ledger");
  if (own === undefined) return { ledgerRules: [] };
  return {
    ledgerRules: [
      "deletion",
      ...(own.enable_force_push === true ? [] : ["non_fast_forward"]),
      ...(own.enable_push_whitelist === true ? ["update"] : []),
    ],
  };
}
