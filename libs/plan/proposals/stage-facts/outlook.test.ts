import { printOutlook } from "#libs/wording";
import type { Campaign, Settings } from "#libs/campaign";
import { compileSpec, proposeMoves, type Spec } from "#libs/plan";
import { makeCluster, makeWorkload, noon, sha } from "#test/world/build";
import { makeCampaign, makeStage } from "#test/world/campaigns/campaign";
import { gates } from "#test/world/campaigns/gates";
import { describe, expect, it } from "vitest";

import { estimateStage } from "./estimate.ts";
import { describeOutlook } from "./outlook.ts";

function specOf(text: string): Spec {
  const compiled = compileSpec(sha("x"), text, undefined);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  return compiled.spec;
}

const [before, after] = [specOf("production: { old: 100 }\n"), specOf("production: { new: 100 }\n")];
const names = ["a", "b", "c"];
const proposal = proposeMoves(
  before,
  after,
  names.map((name) => makeCluster(name, [makeWorkload(`shop-${name}/web`)])),
  noon,
);

interface Parts {
  readonly settings?: Partial<Settings>;
  readonly clusters?: Campaign["clusters"];
  /** More stages follow this one. */
  readonly isLast?: boolean;
}

/** The outlook's text by its headings. */
function tell({
  settings = {},
  clusters = { order: [], delayBetweenWaves: 0 },
  isLast = false,
}: Parts): Readonly<Record<string, string>> {
  const stage = makeStage("half", 50, settings);
  const campaign = makeCampaign({ clusters, stages: isLast ? [stage] : [stage, makeStage("all|of it", 100)] });
  const proposed = { kind: "propose" as const, campaign, stage, branch: "", changes: [], after };
  const text = printOutlook(describeOutlook(proposed, proposal, estimateStage(campaign, stage, proposal.clusters)));
  return Object.fromEntries(
    [...text.matchAll(/^- \*\*(.+?):\*\* (.+)$/gmu)].map(([, word = "", said = ""]) => [word, said]),
  );
}

const batch = (batchSize: number) => ({ batch: { ...makeStage("x", 1).settings.batch, batchSize } });
const waves = (...order: readonly (readonly string[])[]) => ({ order, delayBetweenWaves: 0 });
const night = { schedule: "0 1 * * *", duration: 3_600_000, timeZone: "Europe/Berlin", atEnd: "stop" as const };
const freeze = { from: noon, to: noon + 86_400_000, reason: "peak" };
const rule = (required: number, from: readonly string[] = [], allowAuthor = false) => ({ required, from, allowAuthor });

describe("what happens", () => {
  it.each([
    {
      name: "one wave with all clusters",
      parts: { settings: batch(5) },
      want: "wave 1 (a, b, c): 5 workloads of a cluster at a time.",
    },
    {
      name: "one workload at a time",
      parts: { settings: batch(1) },
      want: "wave 1 (a, b, c): 1 workload of a cluster at a time.",
    },
    { name: "one more wave", parts: { clusters: waves(["b"]) }, want: "wave 1 (b), then 1 more wave: " },
    { name: "two more waves", parts: { clusters: waves(["b"], ["c"]) }, want: "wave 1 (b), then 2 more waves: " },
    {
      name: "a window that allows",
      parts: { settings: { windows: [{ ...night, kind: "allow" as const }] } },
      want: "at a time, only while a window is open (`0 1 * * *` Europe/Berlin for 1h).",
    },
    {
      name: "a window that denies, and a freeze",
      parts: { settings: { windows: [{ ...night, kind: "deny" as const }], freezes: [freeze] } },
      want: "at a time, never in `0 1 * * *` Europe/Berlin for 1h; not from 2026-11-19 11:43 UTC to 2026-11-20 11:43 UTC (peak).",
    },
  ])("when merged: $name", ({ parts, want }) => {
    expect(tell(parts)["When merged"]).toContain(want);
    expect(tell(parts)["When merged"]).toMatch(/^it starts at once with wave 1/u);
  });

  it.each([
    {
      name: "approvals are missing",
      settings: { approvals: rule(1) },
      want: "nothing. It waits for 1 approval (not the author's), and for a person to merge it. It does not merge itself.",
    },
    {
      name: "no approval is needed, and a person merges",
      settings: { approvals: rule(0) },
      want: "nothing. It waits for a person to merge it. It does not merge itself.",
    },
    {
      name: "it merges itself",
      settings: { autoMerge: { notice: 7_200_000 } },
      want: "it merges itself 2h after this head was proposed, once both checks are green.",
    },
  ])("if no one acts: $name", ({ settings, want }) => expect(tell({ settings })["If no one acts"]).toBe(want));

  it.each([
    { name: "another stage follows", parts: {}, want: "the pull request for `all\\|of it`." },
    { name: "it is the last stage", parts: { isLast: true }, want: "the campaign is complete." },
    {
      name: "with a bake",
      parts: { settings: { bake: 3_600_000 } },
      want: "bake 1h; then the pull request for `all\\|of it`.",
    },
    {
      name: "with a bake and gates",
      parts: { settings: { bake: 86_400_000, gates: [gates.restartHealth(), gates.revisionMatch({ name: "m" })] } },
      want: "bake 1d; gates `g`, `m`; then the pull request for `all\\|of it`.",
    },
  ])("then: $name", ({ parts, want }) => expect(tell(parts)["Then"]).toBe(want));

  it("how to stop, undo and postpone it", () => {
    const told = tell({});
    expect(told["Stop"]).toContain('`meshroll pause campaign/up --reason "…"`');
    expect(told["Undo"]).toBe(
      "comment `/meshroll rollback REASON`: at most 3 namespaces back, about 1 min, no window needed.",
    );
    expect(told["Not now"]).toContain('`meshroll unhold campaign/up --reason "…"`');
  });
});
