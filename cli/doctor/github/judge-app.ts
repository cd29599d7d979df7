import { lookUp } from "#libs/input";
import type { Rights } from "#libs/scm";

import { type CheckResult, fail, pass, warn } from "../check.ts";

const app = { code: "MR9015", area: "github" } as const;

/** What fails without each right, the worst first. */
const effects: readonly (readonly [right: string, effect: string, isNeeded: boolean])[] = [
  ["metadata", "GitHub answers nothing", true],
  ["contents", "no branch, no ledger and no merge can be written", true],
  ["pull_requests", "no pull request can be opened or read", true],
  ["checks", "meshroll/plan and meshroll/approvals cannot be posted", true],
  ["statuses", "a status that another account posted under a check's name cannot be replaced", false],
  ["issues", "there is no dashboard issue", false],
  ["deployments", "no deployment is shown for a cluster", false],
  ["members", "no approval of a team: can be counted", false],
];

/** Whether the installation has each right that planner and notifier use; `missing` are those it lacks. */
export function judgeApp(id: string, missing: Rights): CheckResult {
  const lacks = effects.flatMap(([right, effect, isNeeded]) => {
    const level = lookUp(missing, right);
    return level === undefined ? [] : [{ text: `${right}=${level}: ${effect}`, isNeeded }];
  });
  if (lacks.length === 0) return pass(app, `App ${id} was granted every right that meshroll uses`);
  const message = `App ${id} was not granted ${lacks.map(({ text }) => text).join("; ")}`;
  const fix = [
    "grant it in the App's settings at GitHub (Permissions & events), and accept it in the installation (Configure)",
    "docs/how-to/use-a-github-app.md",
  ] as const;
  return lacks.some(({ isNeeded }) => isNeeded) ? fail(app, message, ...fix) : warn(app, message, ...fix);
}
