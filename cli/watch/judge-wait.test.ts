import { writeText } from "#libs/wording";
import type { CampaignStatus } from "#libs/plan";
import { makeStop } from "#test/world/build";
import { type Instant, instantRun, makeInstant, statusOf } from "#test/world/campaigns/campaign-instant";
import { describe, expect, it } from "vitest";

import { judgeWait, parseCondition } from "./judge-wait.ts";
import { Refusal } from "../terminal/refusal.ts";
import { printSentence } from "../terminal/sentence.ts";
import { judgeWatch } from "../commands/watch.ts";

function see(instant: Instant = {}): CampaignStatus {
  const [campaign] = statusOf(makeInstant(instant)).campaigns ?? [];
  if (campaign === undefined) throw new Error("the status names no campaign");
  return campaign;
}

const allMigrated = () => "migrated" as const;
const baked = { beganAt: "", neededMs: 86_400_000, healthyMs: 86_400_000, savedAt: "2026-11-19T11:43:00.000Z" };
const over = { state: "done", endedAt: "2026-11-20T11:00:00.000Z" } as const;
const failures = { f: makeStop({ id: "f", scope: `run/${instantRun}`, cause: "failures" }) };
const gate = { g: makeStop({ id: "g", scope: `run/${instantRun}`, cause: "gate", gate: "restarts" }) };
const failing = {
  restarts: { verdict: "fail", at: "2026-11-19T11:42:00.000Z", why: writeText("9 of 13 failed") },
} as const;
const pause = { p: makeStop({ id: "p", scope: "all" }) };

describe("what is waited for", () => {
  const words: readonly (readonly [string, object])[] = [
    ["stage=prod-25=Baked", { stage: "prod-25", state: "Baked" }],
    ["stage=prod-25=held", { stage: "prod-25", state: "Held" }],
    ["Completed", { state: "Completed" }],
    ["held", { state: "Held" }],
  ];
  it.each(words)("%s", (text, want) => expect(parseCondition(text)).toEqual(want));

  it.each(["Baked", "stage=prod-25", "stage=prod-25=Gone", "prod-25=Baked", ""])("refuses %j", (text) => {
    expect(() => parseCondition(text)).toThrow(Refusal);
  });

  it("refuses an unknown stage, with the campaign's stages", () => {
    expect(() => judgeWait(see(), { stage: "prod-26", state: "Baked" })).toThrow(/there is no stage prod-26/u);
  });
});

describe("how a wait ends", () => {
  const cases: readonly {
    readonly name: string;
    readonly instant: Instant;
    readonly condition: string;
    readonly want: number | undefined;
  }[] = [
    { name: "batches are in progress", instant: {}, condition: "stage=prod-25=Baked", want: undefined },
    {
      name: "its bake is over",
      instant: { progress: allMigrated, run: { bake: baked } },
      condition: "stage=prod-25=Baked",
      want: 0,
    },
    {
      name: "its bake is complete, but its run is not",
      instant: { progress: allMigrated, run: { bake: baked } },
      condition: "stage=prod-25=Completed",
      want: undefined,
    },
    {
      name: "its run is over",
      instant: { progress: allMigrated, run: over },
      condition: "stage=prod-25=Completed",
      want: 0,
    },
    { name: "a stage that was reached long ago", instant: {}, condition: "stage=prod-5=Completed", want: 0 },
    {
      name: "its run is over, but not the campaign",
      instant: { progress: allMigrated, run: over },
      condition: "Completed",
      want: undefined,
    },
    { name: "failures stopped it", instant: { stops: failures }, condition: "stage=prod-25=Baked", want: 80 },
    { name: "a person paused it", instant: { stops: pause }, condition: "stage=prod-25=Baked", want: 81 },
    { name: "a gate failed", instant: { stops: gate, run: { gates: failing } }, condition: "Completed", want: 82 },
    { name: "it is held", instant: { stops: pause }, condition: "stage=prod-25=Held", want: 0 },
    { name: "it is not held yet", instant: {}, condition: "Held", want: undefined },
  ];
  it.each(cases)("$name: $condition -> $want", ({ instant, condition, want }) => {
    const end = judgeWait(see(instant), parseCondition(condition));
    expect(end?.code).toBe(want);
    // A wait that can no longer end well says why.
    expect(printSentence(end?.why ?? "")).toMatch(want === undefined || want === 0 ? /^$/u : /\w/u);
  });
});

describe("how a watch ends", () => {
  const status = statusOf(makeInstant());
  const at = (campaign: CampaignStatus, isLive: boolean) => judgeWatch({ status, campaign }, isLive)?.code;

  it("never for a fleet", () => expect(judgeWatch({ status }, false)).toBeUndefined());
  it("with 0 when the campaign is complete", () => expect(at({ ...see(), state: "Completed" }, true)).toBe(0));
  it("with 80 or 82 in a pipe when it failed; on a terminal it goes on", () => {
    const failed = see({ stops: failures });
    expect([at(failed, false), at(failed, true)]).toEqual([80, undefined]);
    expect(at(see({ stops: gate, run: { gates: failing } }), false)).toBe(82);
  });
});
