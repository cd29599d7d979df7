import type { MergeDemands } from "#libs/scm";

import { type CheckResult, fail, pass, warn } from "../check.ts";

const merges = { code: "MR9014", area: "github" } as const;
const guide = "docs/how-to/require-checks.md";

type Stop = MergeDemands["stops"][number];

/** Exempts only meshroll's account; the rule still applies to people. */
const bypass = "let meshroll's account bypass that ruleset for pull requests";

/** What each demand prevents, and the setting that ends it. */
const told: Readonly<Record<Stop, readonly [effect: string, setting: string]>> = {
  queueTestsLast: [
    "its merge queue tests the last of a group alone, so two changes of rollouts.yml in one group wait for each other",
    "in the merge queue's settings require all entries to pass the required checks",
  ],
  signatures: [
    "it requires signed commits, and with a personal token those of stages and rollbacks are signed only where the planner's git has a key",
    "use a GitHub App (docs/how-to/use-a-github-app.md), or let git sign (docs/how-to/protect-the-ledger.md)",
  ],
  reviews: ["GitHub counts approvals itself, so a rollback waits for one", bypass],
  codeOwners: ["code owners must review, so a rollback may wait for one", bypass],
  lastPush: ["the last push must be approved by another, so a rollback waits for that", bypass],
  upToDate: [
    "branches must be up to date, so after each merge meshroll makes its branches again on main, and their checks and notices start again",
    "do not require branches to be up to date, for each merge is judged against main as it is",
  ],
  deployments: ["deployments must succeed before the merge, and meshroll's come after it", "require none"],
};

/** With these every merge by meshroll is refused. */
const blocking: readonly Stop[] = ["deployments"];

/**
 * Whether meshroll's merges can meet the branch's demands, checked before the first campaign. `isApp`: the token is an App's, whose
 * commits GitHub signs.
 */
export function judgeMerges(branch: string, { methods, stops: found }: MergeDemands, isApp: boolean): CheckResult {
  const stops = found.filter((stop) => !(isApp && stop === "signatures"));
  const [first] = methods;
  if (first === undefined) {
    const message = `${branch} allows no way to merge: its rules forbid what the repository allows`;
    return fail(merges, message, `allow merge commits, squashing or rebasing in the repository's settings: ${guide}`);
  }
  const sorted = stops.toSorted((a, b) => Number(blocking.includes(b)) - Number(blocking.includes(a)));
  const [worst] = sorted;
  if (worst === undefined) return pass(merges, `${branch} takes meshroll's merges, by ${first}`);
  const message = `${branch}: ${sorted.map((stop) => told[stop][0]).join("; ")}`;
  const settings = new Set(sorted.map((stop) => told[stop][1]));
  const fix = `${[...settings].join("; ")}: ${guide}`;
  return blocking.includes(worst) ? fail(merges, message, fix) : warn(merges, message, fix);
}
