import { createOwnership, type RunRecord } from "#libs/plan";
import { expect, test } from "vitest";

import { makeLedger, makeRun, makeSpec, sha } from "./build.ts";
import { makeCampaign, withCampaign } from "./campaigns/campaign.ts";

const names = Array.from({ length: 40 }, (_, index) => `shop-${index}`);
const changes = (direction: "forward" | "rollback") => [{ pattern: "production", from: "a", to: "b", direction }];

interface Case {
  readonly name: string;
  readonly first?: Partial<RunRecord>;
  readonly second?: Partial<RunRecord>;
  readonly isFinished?: boolean;
  /** Owner of the namespaces that the first run, which is over, moved. */
  readonly want: string;
}

/** A campaign gave half of production to `new` by a run that is done, and now gives all. */
function findOwner({ first, second, isFinished = false }: Case): string {
  const campaign = makeCampaign();
  const specs = [0, 50, 100].map((percent, index) => {
    const spec = makeSpec(sha(`c${index}`), percent);
    return isFinished ? spec : withCampaign(spec, campaign);
  });
  const runs = [first, second].map((change, index) =>
    makeRun(sha(`c${index + 1}`), sha(`c${index}`), {
      id: `run${index + 1}`,
      order: index + 1,
      campaign: "up",
      state: index === 0 ? "done" : "open",
      changes: changes("forward"),
      ...change,
    }),
  );
  const ledger = makeLedger({ runs: Object.fromEntries(runs.map((run) => [run.id, run])) });
  const [base, half, head] = specs;
  if (base === undefined || half === undefined || head === undefined) throw new Error("no commit");
  const ownerOf = createOwnership(head, ledger, new Map(specs.map((spec) => [spec.commit, spec])));
  const early = names.filter((name) => half.resolver.resolve(name).revision === "new");
  expect(early.length).toBeGreaterThan(5);
  return [...new Set(early.map((name) => ownerOf(name).run?.id ?? "drift"))].join();
}

const cases: readonly Case[] = [
  {
    name: "1.3 workloads left over by a run of an unfinished campaign belong to the campaign's next run",
    want: "run2",
  },
  { name: "1.3 once the campaign is finished they are drift", isFinished: true, want: "drift" },
  { name: "1.3 another campaign's run does not take them over", second: { campaign: "other" }, want: "drift" },
  { name: "1.3 a person's run does not take them over", second: { campaign: "" }, want: "drift" },
  {
    name: "1.3 a run that only rolls back does not take them over",
    second: { changes: changes("rollback") },
    want: "drift",
  },
  { name: "1.3 a run that is still open keeps them", first: { state: "open" }, want: "run1" },
];
for (const each of cases) test(each.name, () => expect(findOwner(each)).toBe(each.want));
