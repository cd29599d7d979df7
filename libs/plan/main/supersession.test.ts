import type { Campaign } from "#libs/campaign";
import { makeLedger, makeRun, makeSpec, sha } from "#test/world/build";
import { makeCampaign } from "#test/world/campaigns/campaign";
import { expect, test } from "vitest";

import { createOwnership } from "../workloads/ownership.ts";
import { findActiveSuccessor, listSuccessors, listSuperseded } from "./supersession.ts";
import type { Spec } from "../records/snapshot.ts";

function makeCampaigns(...named: readonly (readonly [string, readonly string[]])[]): ReadonlyMap<string, Campaign> {
  return new Map(named.map(([name, supersedes]) => [name, makeCampaign({ name, supersedes })]));
}

const chain = makeCampaigns(["a", []], ["b", ["a"]], ["c", ["b", "x"]]);
const circle = makeCampaigns(["a", ["c"]], ["b", ["a"]], ["c", ["b"]]);
const cases = [
  { name: "1.3 what is superseded through another one is superseded too", of: "c", all: chain, want: ["b", "x", "a"] },
  { name: "1.3 one that supersedes nothing", of: "a", all: chain, want: [] },
  { name: "1.3 in a circle each is named once, and the search ends", of: "a", all: circle, want: ["c", "b"] },
];
test.each(cases)("$name", ({ of, all, want }) => {
  expect(listSuperseded({ name: of }, all)).toEqual(want);
});

test("1.3 the last successor keeps what a campaign left over, also where that is not on main any more, until it is finished", () => {
  const without = new Map([...chain].filter(([name]) => name !== "a"));
  expect([listSuccessors("a", without), findActiveSuccessor("a", without)?.name]).toEqual([["b", "c"], "c"]);
  expect([listSuccessors("c", chain), findActiveSuccessor("c", chain)?.name]).toEqual([[], "c"]);
  expect([listSuccessors("gone", chain), findActiveSuccessor("gone", chain)]).toEqual([[], undefined]);
  expect(listSuccessors("a", circle)).toEqual(["b", "c"]);
});

/** Who owns what the first run of campaign `a` left over while the second run, of `campaign`, is open. */
function findLeftoverOwner(campaign: string | undefined, campaigns: ReadonlyMap<string, Campaign>): string {
  const specs = ["c0", "c1", "c2"].map((name, index): Spec => ({ ...makeSpec(sha(name), index * 50), campaigns }));
  const [before, half, head] = specs;
  if (before === undefined || half === undefined || head === undefined) throw new Error("no commits");
  const change = { pattern: "production", from: "old: 100", to: "new: 50", direction: "forward" as const };
  const runs = [
    makeRun(half.commit, before.commit, { id: "first", order: 1, state: "done", campaign: "a", changes: [change] }),
    makeRun(head.commit, half.commit, {
      id: "second",
      order: 2,
      changes: [{ ...change, to: "new: 100" }],
      ...(campaign === undefined ? {} : { campaign }),
    }),
  ];
  const ledger = makeLedger({ runs: Object.fromEntries(runs.map((run) => [run.id, run])) });
  const ownerOf = createOwnership(head, ledger, new Map(specs.map((spec) => [spec.commit, spec])));
  const moved = Array.from({ length: 20 }, (_, index) => `ns-${index}`).find(
    (name) => half.resolver.resolve(name).revision === "new",
  );
  const { run, isLeftover } = ownerOf(moved ?? "");
  return `${run?.id ?? "drift"}${isLeftover === true ? " leftover" : ""}`;
}

const leftovers = [
  { name: "1.3 the next run of the campaign itself takes what is left over", run: "a", want: "second leftover" },
  { name: "1.3 so does a run of the successor", run: "b", want: "second leftover" },
  { name: "1.3 so does a run of the successor's successor", run: "c", want: "second leftover" },
  { name: "1.3 a run of a campaign next to them does not", run: "d", want: "drift" },
  { name: "1.3 a person's run does not", run: undefined, want: "drift" },
];
test.each(leftovers)("$name", ({ run, want }) => {
  expect(findLeftoverOwner(run, chain)).toBe(want);
});
