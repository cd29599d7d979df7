import type { Protection } from "./options.ts";

/** What rulesets and classic protection of the default branch require together. */
export interface Demands {
  readonly reviews: number;
  readonly codeOwners: boolean;
  readonly lastPush: boolean;
  readonly staleDismissed: boolean;
  readonly conversations: boolean;
  readonly signatures: boolean;
  readonly strict: boolean;
  readonly queue: boolean;
  readonly checks: readonly string[];
}

/** Rules have their parameters by GitHub's names. */
export function readDemands({ rules = [], requiredChecks, requiredReviews, strict }: Protection): Demands {
  const has = (type: string): boolean => rules.some((rule) => rule.type === type);
  const read = (name: string): readonly unknown[] =>
    rules.flatMap(({ parameters = {} }) => new Map(Object.entries(parameters)).get(name) ?? []);
  const isSet = (name: string): boolean => read(name).includes(true);
  const counts = read("required_approving_review_count").map(Number);
  const checks = read("required_status_checks") as readonly { readonly context: string }[];
  return {
    reviews: Math.max(requiredReviews, ...counts),
    codeOwners: isSet("require_code_owner_review"),
    lastPush: isSet("require_last_push_approval"),
    staleDismissed: isSet("dismiss_stale_reviews_on_push"),
    conversations: isSet("required_review_thread_resolution"),
    signatures: has("required_signatures"),
    strict: strict === true || isSet("strict_required_status_checks_policy"),
    queue: has("merge_queue"),
    checks: [...new Set([...requiredChecks, ...checks.map(({ context }) => context)])],
  };
}
