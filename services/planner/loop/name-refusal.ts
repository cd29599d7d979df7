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
  // Git got no login, because GitHub gave no token.
  return nameRefusal(fault.cause);
}

/** What GitHub or git refused, by its own code where it has one. */
export function findReason(fault: unknown, other: "GitRefused" | "PullRequestsFailed"): Reason {
  return { code: nameRefusal(fault) ?? other, why: describeFault(fault) };
}
