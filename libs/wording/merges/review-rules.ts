/** The SCM's own rules about approvals, for cases that the names in commits cannot show (ADR 66). */
export type ReviewRule = "lastPush" | "staleDismissed" | "codeOwners";

const words: Readonly<Record<ReviewRule, string>> = {
  lastPush: "the approval of the most recent push by someone other than its pusher",
  staleDismissed: "that approvals of an earlier head are dismissed",
  codeOwners: "the review of code owners",
};

/** As the object of "the branch does not demand". */
export function listReviewRules(rules: readonly ReviewRule[]): string {
  return rules.map((rule) => words[rule]).join(", ");
}
