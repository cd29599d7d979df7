import { GitRefused } from "#libs/git";
import { type ScmReason, ScmRefused } from "#libs/scm";
import type { Reason } from "#libs/wording";

import { describeFault } from "./make-wait.ts";

type Named = ScmReason | "BranchGone";

function nameRefusal(fault: unknown): Named | undefined {
  if (fault instanceof ScmRefused) return fault.reason;
  if (!(fault instanceof GitRefused)) return undefined;
  if (fault.refusal === "noBranch") return "BranchGone";
  if (fault.refusal === "moved") return "RepositoryMoved";
  // Git had no login because the SCM issued no token: the cause is the SCM's refusal.
  return nameRefusal(fault.cause);
}

/** The reason for an error of git or the SCM: the code of a known refusal, else `other`. */
export function findReason(fault: unknown, other: "GitRefused" | "PullRequestsFailed"): Reason {
  return { code: nameRefusal(fault) ?? other, why: describeFault(fault) };
}
