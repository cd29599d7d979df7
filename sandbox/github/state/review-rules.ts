import type { Protection } from "./options.ts";

/** The rules about approvals that doctor demands; the logins in `bypass` may bypass them for pull requests. */
export function demandReviews(bypass: readonly string[]): Pick<Protection, "rules" | "bypass"> {
  const parameters = {
    required_approving_review_count: 0,
    require_last_push_approval: true,
    dismiss_stale_reviews_on_push: true,
    require_code_owner_review: true,
    required_review_thread_resolution: false,
  };
  return { rules: [{ type: "pull_request", parameters }], bypass };
}
