import type { Hub } from "../state/hub.ts";
import type { LedgerProtection } from "../state/options.ts";
import { findAppId } from "./app.ts";
import { apiUrl } from "./repository.ts";

/** The rules of the default branch as GitHub shows them. */
export function showProtection(hub: Hub): Readonly<Record<string, unknown>> {
  const url = apiUrl(hub, `/branches/${hub.defaultBranch}/protection`);
  const { requiredChecks, requiredReviews, dismissStale, checkSource, strict, locked } = hub.protection;
  const checks = `${url}/required_status_checks`;
  return {
    url,
    enabled: true,
    required_status_checks: {
      url: checks,
      strict: strict === true,
      contexts: [...requiredChecks],
      contexts_url: `${checks}/contexts`,
      checks: requiredChecks.map((context) => ({
        context,
        app_id: checkSource === undefined ? null : findAppId(hub, checkSource),
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
    lock_branch: { enabled: locked === true },
    required_linear_history: { enabled: false },
    allow_force_pushes: { enabled: false },
    allow_deletions: { enabled: false },
  };
}

/** What everyone may see of it in the branch's own answer: the required checks. */
export function showToAll(hub: Hub): Readonly<Record<string, unknown>> {
  const { enabled, required_status_checks: checks } = showProtection(hub);
  const { contexts, checks: sourced } = checks as Readonly<Record<string, unknown>>;
  return {
    enabled,
    required_status_checks: { enforcement_level: "non_admins", contexts, checks: sourced },
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
