import type { ReviewRule } from "#libs/wording";
import { z } from "zod";

import { readStatus } from "../http/classify.ts";
import { parseAnswer } from "../http/parse-answer.ts";
import type { GiteaClient } from "./client.ts";

const rules = z.array(
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

export type BranchRules = z.infer<typeof rules>;

/** Undefined: this token does not administer the repository, and is told no rules. */
export async function readBranchRules(client: GiteaClient): Promise<BranchRules | undefined> {
  const doing = "reading the branch protections";
  try {
    return parseAnswer(rules, await client.get("branch_protections"), doing);
  } catch (error) {
    const status = readStatus(error)?.status;
    if (status === 403 || status === 404) return undefined;
    throw error;
  }
}

/** A rule is found by its exact name: one that is a pattern is not read. */
export function findRule(found: BranchRules | undefined, branch: string): BranchRules[number] | undefined {
  return found?.find(({ rule_name: name }) => name === branch);
}

/** Gitea has no rule about the last push, and code owners are only requested to review. */
export function listMissingRules(found: BranchRules | undefined, branch: string): readonly ReviewRule[] {
  const rule = findRule(found, branch);
  const isDismissed = rule?.dismiss_stale_approvals === true || rule?.ignore_stale_approvals === true;
  return isDismissed ? [] : ["staleDismissed"];
}
