import type { Scm } from "#libs/scm";

import { digestOf } from "../facts/digest.ts";
import type { NotifyStore } from "../facts/notify-store.ts";
import type { RateLimiter } from "../delivery/rate-limiter.ts";
import { dashboardMarker, nameDashboard, renderDashboard } from "../render/github/dashboard.ts";
import type { RunStore } from "../facts/run-store.ts";

const label = "meshroll";
const title = "Mesh rollouts";
const key = "github.dashboard";

export interface DashboardParts {
  readonly scm: Scm;
  readonly runs: RunStore;
  readonly rules: NotifyStore;
  readonly rateLimiter: RateLimiter;
}

/** Returns a function that edits the dashboard, where a file wants one and the rate limit allows it. */
export function createDashboard({ scm, runs, rules, rateLimiter }: DashboardParts): () => Promise<void> {
  let shown = "";
  return async () => {
    const { status } = runs;
    if (status === undefined || !rules.wantsDashboard) return;
    const digest = digestOf(nameDashboard(status));
    if (digest === shown) return;
    const outcome = await rateLimiter.claim({ key, digest, asOf: status.at });
    if (outcome === "later") return;
    if (outcome === "ours") {
      try {
        await scm.putIssue(dashboardMarker, { title, body: renderDashboard(status), label });
      } catch (error) {
        await rateLimiter.release(key);
        throw error;
      }
    }
    shown = digest;
  };
}
