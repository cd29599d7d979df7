import type { Scm, ScmProbe } from "#libs/scm";
import { listReviewRules } from "#libs/wording";

import { type CheckResult, fail, pass } from "../check.ts";

const reviews = { code: "MR9016", area: "github" } as const;

/** Whether the SCM enforces what meshroll cannot find in commits: who pushed, and whether a push followed an approval. */
export function judgeReviewRules(
  branch: string,
  { missingRules }: Pick<ScmProbe, "missingRules">,
  scm: Scm["name"],
): CheckResult {
  // Gitea has no rule about who pushed.
  const pusher = scm === "Gitea" ? "" : ", and not those of its pusher";
  if (missingRules.length === 0) return pass(reviews, `${branch} counts only approvals of the newest head${pusher}`);
  const message = `the rules of ${branch} do not demand ${listReviewRules(missingRules)}: no stage merges itself`;
  return fail(reviews, message, "demand it in a ruleset: docs/how-to/require-checks.md");
}
