import type { RunRecord } from "#libs/plan";
import { writeText, printEarlierTry, printEvidence, summariseEvidence } from "#libs/wording";
import { makeLedger, makeRun, makeStop, sha } from "#test/world/build";
import { makeCampaign } from "#test/world/campaigns/campaign";
import { describe, expect, it } from "vitest";

import { findEarlierTry, findEvidence } from "./evidence.ts";

const campaign = makeCampaign();
const outcome = { migrated: 57, skipped: [], seen: [] };
const skipped = {
  cluster: "one",
  workload: "shop/Deployment/a",
  code: "ReadinessTimeout",
  message: writeText("ReadinessTimeout"),
};
const gate = (verdict: "pass" | "fail" | "noData", figures: { value?: number; limit?: number } = {}) => {
  return { verdict, at: "", why: writeText(`it says ${verdict}`), ...figures };
};

function ledgerOf(...runs: readonly Partial<RunRecord>[]) {
  const records = runs.map((run, index) => {
    const id = `r${index + 1}`;
    return makeRun(sha(id), sha("base"), {
      id,
      order: index + 1,
      campaign: "up",
      stage: "half",
      state: "done",
      outcome,
      ...run,
    });
  });
  return makeLedger({ runs: Object.fromEntries(records.map((run) => [run.id, run])) });
}

/** The cells of the table's rows, without its head. */
function rows(...runs: readonly Partial<RunRecord>[]): readonly string[] {
  const lines = printEvidence(findEvidence(ledgerOf(...runs), campaign), "up").split("\n");
  return lines.slice(4).map((line) => line.slice(2, -2));
}

const fine = "migrated | 57 of 57 |  | ✅ | none skipped";
const bake = { beganAt: "", savedAt: "", neededMs: 172_800_000 };
const differs = (...whys: readonly ("gone" | "late")[]) => whys.map((why) => ({ cluster: "one", workload: "w", why }));

describe("the evidence of the stage before", () => {
  it.each([
    { name: "all workloads are migrated", run: {}, want: [fine] },
    {
      name: "two workloads stayed skipped",
      run: { outcome: { ...outcome, migrated: 5, skipped: [skipped, skipped] } },
      want: ["migrated | 5 of 7 |  | – | 2 skipped"],
    },
    {
      name: "a bake that is over",
      run: { bake: { ...bake, healthyMs: 172_800_000 } },
      want: [fine, "bake | 2d | 2d | ✅ | seen healthy"],
    },
    {
      name: "a bake that is not over",
      run: { bake: { ...bake, healthyMs: 3_600_500 } },
      want: [fine, "bake | 1h | 2d | – | seen healthy"],
    },
    { name: "no bake", run: { bake: { ...bake, neededMs: 0, healthyMs: 0 } }, want: [fine] },
    {
      name: "gates, by name, with rounded figures",
      run: {
        gates: { b: gate("pass", { value: 0.999_09, limit: 0.999 }), a: gate("fail", { value: 3 }), c: gate("noData") },
      },
      want: [
        fine,
        "`a` | 3 |  | ❌ | it says fail",
        "`b` | 0.9991 | 0.999 | ✅ | it says pass",
        "`c` |  |  | – | it says noData",
      ],
    },
    {
      name: "10.2 no difference from the list",
      run: { outcome: { ...outcome, differences: [] } },
      want: [fine, "differences from the list | 0 |  | ✅ | what was proposed is what was done"],
    },
    {
      name: "10.2 differences from the list, counted by reason",
      run: { outcome: { ...outcome, differences: differs("late", "gone", "late") } },
      want: [fine, "differences from the list | 3 |  | – | 1 gone, 2 late"],
    },
  ])("$name", ({ run, want }) => expect(rows(run)).toEqual(want));

  it("is from the campaign's newest run that is over, even if it moved nothing", () => {
    const title = (...runs: readonly Partial<RunRecord>[]) =>
      printEvidence(findEvidence(ledgerOf(...runs), campaign), "up").split("\n")[0];
    expect(title({}, { state: "open" })).toBe("### Evidence from half (run `r1`)");
    expect(title({}, { state: "empty", stage: "all" })).toBe("### Evidence from all (run `r2`)");
    expect(title({ order: 9 }, {})).toBe("### Evidence from half (run `r1`)");
    expect(title({}, { campaign: "other" }, { state: "gone" })).toBe("### Evidence from half (run `r1`)");
  });

  const up = { pattern: "production", from: "new: 0", to: "new: 50", direction: "forward" } as const;
  const down = { ...up, from: up.to, to: up.from, direction: "rollback" } as const;
  const took = { ...outcome, migrated: 331, left: 15, skipped: [{ ...skipped, failed: true as const }, skipped] };

  it("is neither from a rollback nor from a run that was rolled back", () => {
    const found = findEvidence(
      ledgerOf({ stage: "first" }, { changes: [up], outcome: took }, { changes: [down] }),
      campaign,
    );
    expect(printEvidence(found, "up").split("\n")[0]).toBe("### Evidence from first (run `r1`)");
  });

  it("names failures of the stage before that were not retried, with what lists them", () => {
    const run = { outcome: { ...outcome, migrated: 5, skipped: took.skipped } };
    expect(rows(run)).toEqual([
      "migrated | 5 of 7 |  | – | 2 skipped (1 failed, not retried: `meshroll get failures run/r1`)",
    ]);
    expect(summariseEvidence(findEvidence(ledgerOf(run), campaign), "up")).toContain(
      "5 migrated, 1 failed and not retried",
    );
  });

  it("says that the same stage was rolled back before, what it had done, by whom and why", () => {
    const asked = makeStop({ id: "h", scope: "run/r1", cause: "rollback", who: "ana", why: "bad proxies" });
    const ledger = { ...ledgerOf({ changes: [up], outcome: took }, { changes: [down] }), stops: { h: asked } };
    expect(printEarlierTry(findEarlierTry(ledger, campaign, "half"))).toBe(
      "> [!WARNING]\n> `half` ran before as run `r1`, and run `r2` rolled it back after 331 migrated, 2 skipped (1 failed), " +
        "15 not moved. Why: bad proxies (ana).\n> Workloads that failed then are skipped again until a person retries them in " +
        "the new run: `meshroll retry run/ID`.",
    );
    expect(printEarlierTry(findEarlierTry(ledger, campaign, "all"))).toBe("");
    expect(printEarlierTry(findEarlierTry(ledgerOf({ changes: [up] }), campaign, "half"))).toBe("");
  });

  it("does not exist for a campaign's first run", () => {
    expect(printEvidence(findEvidence(ledgerOf({ state: "open" }), campaign), "up")).toBe(
      "### Evidence\nNone: it is the first run of `up`.",
    );
    expect(printEvidence(findEvidence(undefined, campaign), "up")).toContain("None");
    expect(summariseEvidence(findEvidence(ledgerOf({ state: "open" }), campaign), "up")).toBe(
      "It is the campaign's first run: nothing comes before it.",
    );
  });

  it.each([
    {
      name: "was rolled back",
      runs: [{ changes: [up] }, { changes: [down] }],
      want: "run `r2` rolled back run `r1`",
    },
    {
      name: "was rolled back, while the rollback's run is open",
      runs: [{ changes: [up] }, { changes: [down], state: "open" as const }],
      want: "run `r2` rolled back run `r1`",
    },
    {
      name: "was rolled back, and tried again and rolled back again",
      runs: [{ changes: [up] }, { changes: [down] }, { changes: [up] }, { changes: [down] }],
      want: "run `r4` rolled back run `r3`",
    },
  ])("is none, and not because the run is the first, where it $name", ({ runs, want }) => {
    const found = findEvidence(ledgerOf(...runs), campaign);
    expect(printEvidence(found, "up")).toBe(`### Evidence\nNone: ${want}.`);
    expect(summariseEvidence(found, "up")).toBe(`No evidence: ${want}.`);
  });

  it.each([
    { name: "no gates", run: {}, want: "57 migrated, 0 of 0 gates without a failure." },
    {
      name: "gates that passed or had no data",
      run: { gates: { a: gate("pass"), b: gate("noData") } },
      want: "57 migrated, 2 of 2 gates without a failure.",
    },
    {
      name: "gates that failed",
      run: { gates: { a: gate("pass"), b: gate("fail"), c: gate("fail") } },
      want: "57 migrated, failed: b, c.",
    },
  ])("in one line: $name", ({ run, want }) => {
    expect(summariseEvidence(findEvidence(ledgerOf(run), campaign), "up")).toBe(
      `Evidence from \`half\` (run \`r1\`): ${want}`,
    );
  });

  it("in one line: a run without an outcome, as an older planner left it", () => {
    const { outcome: _, ...old } = Object.values(ledgerOf({}).runs)[0] ?? makeRun("", "");
    const ledger = makeLedger({ runs: { r1: old } });
    expect(summariseEvidence(findEvidence(ledger, campaign), "up")).toContain("0 migrated");
    expect(printEvidence(findEvidence(ledger, campaign), "up")).toContain("| migrated | 0 of 0 |");
  });
});
