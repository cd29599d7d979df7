import { compileSpec, readStageBranch, type StopRecord } from "#libs/plan";
import { campaignOf } from "#test/flow/campaign/stage-campaign";
import { makeLedger, makeRun, makeStop, sha } from "#test/world/build";
import { describe, expect, it } from "vitest";

import { findStageOfBranch, nameClosedHold, nameStageBranch } from "./branch.ts";

const stages = "    - { name: half, set: { production: 50 } }\n    - { name: final-2, set: { production: 60 } }\n";
const compiled = compileSpec(sha("m"), "production:\n  old: 100\n", undefined, {
  "campaigns/shop.yml": campaignOf("", stages),
});
const campaigns = compiled.ok ? compiled.spec.campaigns : new Map<string, never>();

const merged = (name: string, change = {}) =>
  makeRun(sha(name), sha("base"), { campaign: "shop", stage: "half", list: sha(`head ${name}`), ...change });
const closed = (pull: number, change: Partial<StopRecord> = {}): StopRecord =>
  makeStop({ id: nameClosedHold(pull), scope: "campaign/shop", cause: "closed", pull, stage: "half", ...change });

describe("10.3 the branch of a stage", () => {
  const cases: readonly {
    readonly name: string;
    readonly runs?: readonly ReturnType<typeof merged>[];
    readonly stops?: readonly StopRecord[];
    readonly want: string;
  }[] = [
    { name: "is the first one if no earlier one is over", want: "meshroll/shop/half" },
    { name: "counts a merged one", runs: [merged("a")], want: "meshroll/shop/half-2" },
    {
      name: "counts closed ones, resumed or not",
      stops: [closed(7), closed(9, { resume: { at: "", who: "", why: "" } })],
      want: "meshroll/shop/half-3",
    },
    { name: "counts merged and closed ones", runs: [merged("a")], stops: [closed(7)], want: "meshroll/shop/half-3" },
    {
      name: "does not count a run that a person merged by hand",
      runs: [makeRun(sha("h"), sha("base"), { campaign: "shop", stage: "half" })],
      want: "meshroll/shop/half",
    },
    {
      name: "does not count one of another stage",
      runs: [merged("a", { stage: "all" })],
      stops: [closed(7, { stage: "all" })],
      want: "meshroll/shop/half",
    },
    {
      name: "does not count a hold of another cause",
      stops: [closed(7, { cause: "verb" })],
      want: "meshroll/shop/half",
    },
    {
      name: "does not count one of another campaign",
      runs: [merged("a", { campaign: "cart" })],
      stops: [closed(7, { scope: "campaign/cart" })],
      want: "meshroll/shop/half",
    },
  ];
  for (const { name, runs = [], stops = [], want } of cases) {
    it(name, () => {
      const ledger = makeLedger({
        runs: Object.fromEntries(runs.map((run) => [run.id, run])),
        stops: Object.fromEntries(stops.map((stop) => [stop.id, stop])),
      });
      expect(nameStageBranch(ledger, "shop", "half")).toBe(want);
    });
  }

  it.each([
    ["meshroll/shop/half", { campaign: "shop", stage: "half", round: 1 }],
    ["meshroll/shop/half-3", { campaign: "shop", stage: "half", round: 3 }],
    ["meshroll/shop/final-2", { campaign: "shop", stage: "final-2", round: 1 }],
    ["meshroll/shop/final-2-2", { campaign: "shop", stage: "final-2", round: 2 }],
    ["meshroll/other/x-100", { campaign: "other", stage: "x", round: 100 }],
    ["meshroll/other/x-02", { campaign: "other", stage: "x-02", round: 1 }],
    ["meshroll/rollback/0123456789ab", undefined],
    ["ana/meshroll/shop/half", undefined],
    ["meshroll/shop/half/more", undefined],
  ])("is read back: %s", (branch, want) => {
    expect(readStageBranch(branch, campaigns)).toEqual(want);
  });

  it.each([
    ["meshroll/shop/half", "shop half"],
    ["meshroll/shop/half-3", "shop half"],
    ["meshroll/shop/final-2", "shop final-2"],
    ["meshroll/shop/never", undefined],
    ["meshroll/ledger", undefined],
  ])("belongs to a stage that main has: %s", (branch, want) => {
    const found = findStageOfBranch(branch, campaigns);
    expect(found && `${found.campaign.name} ${found.stage.name}`).toBe(want);
  });

  it("is the first one without a ledger", () => {
    expect(nameStageBranch(undefined, "shop", "half")).toBe("meshroll/shop/half");
  });
});
