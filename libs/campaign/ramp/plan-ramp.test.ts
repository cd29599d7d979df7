import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { compileRollouts, editShares, parseRollouts, type Rollouts } from "#libs/rollouts";

import type { Campaign, Stage } from "../settings/campaign.ts";
import { planRamp } from "./plan-ramp.ts";
import { builtInSettings } from "../settings/settings.ts";
import { findNextStage, isReached } from "./stages.ts";

function makeStage(set: Readonly<Record<string, number>>, name = "stage"): Stage {
  return { name, set, settings: builtInSettings, line: 9 };
}

function makeCampaign(stages: readonly Stage[], replaces: readonly string[] = ["a", "b", "c"]): Campaign {
  return {
    name: "up",
    file: "campaigns/up.yml",
    target: "new",
    replaces,
    owners: [],
    exclude: [],
    clusters: { order: [], delayBetweenWaves: 0 },
    stages,
  };
}

function parse(text: string): Rollouts {
  const parsed = parseRollouts(text, "rollouts.yml");
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
  return parsed.value;
}

/** The shares after the stage, such as `a 50, new 50`, or the codes of its findings. */
function ramp(text: string, share: number, replaces?: readonly string[]): string {
  const stage = makeStage({ production: share });
  const planned = planRamp(makeCampaign([stage], replaces), stage, parse(text));
  if (!planned.ok) return planned.findings.map(({ code, message }) => `${code} ${message}`).join();
  return planned.changes[0]?.shares.map(({ revision, weight }) => `${revision} ${weight}`).join(", ") ?? "nothing";
}

describe("planRamp", () => {
  const cases: readonly { name: string; text: string; share: number; replaces?: readonly string[]; want: string }[] = [
    { name: "the only one gives", text: "production: { a: 100 }", share: 5, want: "a 95, new 5" },
    { name: "all of it", text: "production: { a: 75, new: 25 }", share: 100, want: "a 0, new 100" },
    {
      name: "two give in proportion",
      text: "production: { a: 60, b: 30, new: 10 }",
      share: 40,
      want: "a 40, b 20, new 40",
    },
    {
      name: "the larger remainder gives less",
      text: "production: { a: 50, b: 50 }",
      share: 5,
      want: "a 48, b 47, new 5",
    },
    { name: "one at 0 stays there", text: "production: { a: 100, b: 0 }", share: 5, want: "a 95, new 5" },
    { name: "a share that is there is kept", text: "production: { a: 50, new: 50 }", share: 25, want: "nothing" },
    {
      name: "a share that `replaces` does not name is not given",
      text: "production: { a: 40, old: 60 }",
      share: 50,
      replaces: ["a"],
      want: "MR2010 `production` can give new at most 40, not 50: old has 60, and `replaces` does not name it",
    },
  ];
  it.each(cases)("$name", ({ text, share, replaces, want }) => {
    expect(ramp(text, share, replaces)).toBe(want);
  });

  it("MR2010 names every revision that `replaces` lacks, and how far the ramp goes without them", () => {
    const stage = makeStage({ production: 60 });
    const planned = planRamp(makeCampaign([stage], ["a"]), stage, parse("production: { a: 40, b: 30, c: 30, d: 0 }"));
    const help = "add b, c to `replaces`, or set at most 40";
    expect(planned).toMatchObject({ ok: false, findings: [{ code: "MR2010", help }] });
  });

  it("says where the campaign names a bucket that does not exist", () => {
    const stage = { ...makeStage({ gone: 5 }), places: { gone: { line: 12, column: 20 } } };
    expect(planRamp(makeCampaign([stage]), stage, parse("production: { a: 100 }"))).toMatchObject({
      ok: false,
      findings: [{ code: "MR2003", file: "campaigns/up.yml", line: 12, column: 20 }],
    });
  });
});

/** Three shares and a target's, in whole percent. */
const anyShares = fc
  .tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 0, max: 99 }), fc.integer({ min: 0, max: 99 }))
  .map((cuts) => cuts.toSorted((x, y) => x - y))
  .map(([x = 0, y = 0, z = 0]) => ({ a: x, b: y - x, c: z - y, new: 100 - z }));

function write(shares: Readonly<Record<string, number>>): string {
  const lines = Object.entries(shares).map(([revision, weight]) => `  ${revision}: ${weight}\n`);
  return `production:\n${lines.join("")}`;
}

describe("planRamp, for all shares of three revisions", () => {
  const anyRamp = fc.tuple(anyShares, fc.integer({ min: 1, max: 100 }));

  it("adds up to 100, takes no more than needed from any revision, and raises no replaced share", () => {
    fc.assert(
      fc.property(anyRamp, ([shares, share]) => {
        const before: Readonly<Record<string, number>> = shares;
        const stage = makeStage({ production: share });
        const planned = planRamp(makeCampaign([stage]), stage, parse(write(before)));
        const after = { ...before };
        if (!planned.ok) throw new Error(planned.findings[0]?.message);
        for (const { revision, weight } of planned.changes[0]?.shares ?? []) after[revision] = weight;

        expect(Object.values(after).reduce((sum, weight) => sum + weight, 0)).toBe(100);
        expect(after["new"]).toBe(Math.max(shares.new, share));
        const given = Object.keys(before).map((revision) => (before[revision] ?? 0) - (after[revision] ?? 0));
        const moved = given.filter((weight) => weight > 0).reduce((sum, weight) => sum + weight, 0);
        expect(moved).toBe(Math.max(0, share - shares.new));
        for (const revision of ["a", "b", "c"]) expect(after[revision]).toBeLessThanOrEqual(before[revision] ?? 0);
      }),
    );
  });

  it("keeps each replaced share within one percent of its proportion", () => {
    fc.assert(
      fc.property(anyRamp, ([shares, share]) => {
        const stage = makeStage({ production: share });
        const planned = planRamp(makeCampaign([stage]), stage, parse(write(shares)));
        const [change] = planned.ok ? planned.changes : [];
        const factor = (100 - share) / (100 - shares.new);
        for (const { revision, weight } of change?.shares ?? []) {
          if (revision === "new") continue;
          expect(Math.abs(weight - shares[revision as "a" | "b" | "c"] * factor)).toBeLessThan(1);
        }
      }),
    );
  });

  const names = Array.from({ length: 2000 }, (_, index) => `team-${index % 37}-service-${index}`);

  it("moves namespaces only to the target where the proportions stay exact", () => {
    // The ratio 6:3:1 stays exact at each of these steps, so no namespace moves from one replaced revision to another.
    let text = "production:\n  a: 60\n  b: 30\n  c: 10\n";
    for (const share of [10, 40, 70, 100]) {
      const stage = makeStage({ production: share });
      const planned = planRamp(makeCampaign([stage]), stage, parse(text));
      const edited = planned.ok ? editShares(text, planned.changes) : undefined;
      if (edited?.ok !== true) throw new Error("it cannot be edited");
      const [before, after] = [parse(text), parse(edited.text)].map((file) => compileRollouts(file, ""));
      const moves = names.map((name) => [before?.resolve(name).revision, after?.resolve(name).revision]);
      const changed = moves.filter(([one, other]) => one !== other);
      expect(changed.length).toBeGreaterThan(0);
      expect(changed.filter(([, other]) => other !== "new")).toEqual([]);
      text = edited.text;
    }
  });
});

describe("the next stage", () => {
  const stages = [
    makeStage({ ".*-staging": 100 }, "staging"),
    makeStage({ production: 5, search: 10 }, "first"),
    makeStage({ production: 100, search: 100 }, "all"),
  ];
  const cases: readonly { name: string; text: string; want: string | undefined }[] = [
    {
      name: "nothing is reached",
      text: "production: { a: 100 }\n.*-staging: { a: 100 }\nsearch: { a: 100 }\n",
      want: "staging",
    },
    { name: "one is", text: "production: { a: 100 }\n.*-staging: { new: 100 }\nsearch: { a: 100 }\n", want: "first" },
    {
      name: "one of two buckets is not enough",
      text: "production: { a: 95, new: 5 }\n.*-staging: { new: 100 }\nsearch: { a: 95, new: 5 }\n",
      want: "first",
    },
  ];
  it.each(cases)("1.5 is the first that is not reached: $name", ({ text, want }) => {
    const campaign = makeCampaign(stages);
    const rollouts = parse(text);
    expect(findNextStage(campaign, rollouts)?.name).toBe(want);
    expect(stages.every((stage) => isReached(campaign, stage, rollouts))).toBe(want === undefined);
  });
});
