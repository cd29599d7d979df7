import type { Hub } from "../state/hub.ts";
import type { LedgerProtection } from "../state/options.ts";
import { apiUrl } from "./repository.ts";
import { hashName } from "./user.ts";

/** The rules of the default branch as GitHub shows them. */
export function showProtection(hub: Hub): Readonly<Record<string, unknown>> {
  const url = apiUrl(hub, `/branches/${hub.defaultBranch}/protection`);
  const { requiredChecks, requiredReviews, dismissStale, checkSource } = hub.protection;
  const checks = `${url}/required_status_checks`;
  return {
    url,
    enabled: true,
    required_status_checks: {
      url: checks,
      strict: false,
      contexts: [...requiredChecks],
      contexts_url: `${checks}/contexts`,
      checks: requiredChecks.map((context) => ({
        context,
        app_id: checkSource === undefined ? null : hashName(checkSource),
      })),
    },
    ...(requiredReviews === 0
      ? {}
      : {
          required_pull_request_reviews: {
            url: `${url}/required_pull_request_reviews`,
            dismiss_stale_reviews: dismissStale === true,
            require_code_owner_reviews: false,
            require_last_push_approval: false,
            required_approving_review_count: requiredReviews,
          },
        }),
    enforce_admins: { url: `${url}/enforce_admins`, enabled: false },
    required_linear_history: { enabled: false },
    allow_force_pushes: { enabled: false },
    allow_deletions: { enabled: false },
  };
}

/** Classic protection of the ledger's branch. */
export function showLedgerProtection(
  hub: Hub,
  { forcePushes, deletions, restricted }: LedgerProtection,
): Readonly<Record<string, unknown>> {
  const url = apiUrl(hub, "/branches/meshroll/ledger/protection");
  const restrictions = {
    url: `${url}/restrictions`,
    users_url: `${url}/restrictions/users`,
    teams_url: `${url}/restrictions/teams`,
    apps_url: `${url}/restrictions/apps`,
    users: [],
    teams: [],
    apps: [],
  };
  return {
    url,
    enforce_admins: { url: `${url}/enforce_admins`, enabled: true },
    allow_force_pushes: { enabled: forcePushes },
    allow_deletions: { enabled: deletions },
    ...(restricted ? { restrictions } : {}),
  };
}
