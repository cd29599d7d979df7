import type { Forge } from "#libs/github";

import { digestOf } from "./digest.ts";
import type { NotifyBook } from "./notify-book.ts";
import type { Pacer } from "./pacer.ts";
import { dashboardMarker, nameDashboard, renderDashboard } from "./render/dashboard.ts";
import type { RunBook } from "./run-book.ts";

const label = "meshroll";
const title = "Mesh rollouts";
const key = "github.dashboard";

export interface DashboardParts {
  readonly forge: Forge;
  readonly runs: RunBook;
  readonly rules: NotifyBook;
  readonly pacer: Pacer;
}

/** The one issue, made when there is none. The oldest counts should there ever be two: everybody agrees on it. */
async function write(forge: Forge, body: string): Promise<void> {
  const found = (await forge.listIssues(label)).find(
    ({ ours, body }) => ours === true && body.startsWith(dashboardMarker),
  );
  if (found === undefined) await forge.openIssue({ title, body, labels: [label] });
  else await forge.updateIssue(found.number, { title: found.title, body });
}

/** Answers how to bring the dashboard to the newest state, when somebody wants one and its turn has come. */
export function createDashboard({ forge, runs, rules, pacer }: DashboardParts): () => Promise<void> {
  let shown = "";
  return async () => {
    const { status } = runs;
    if (status === undefined || !rules.wantsDashboard) return;
    const digest = digestOf(nameDashboard(status));
    if (digest === shown) return;
    const outcome = await pacer.claim({ key, digest, asOf: status.at });
    if (outcome === "later") return;
    if (outcome === "ours") {
      try {
        await write(forge, renderDashboard(status));
      } catch (error) {
        await pacer.release(key);
        throw error;
      }
    }
    shown = digest;
  };
}
