import { describe, expect, it } from "vitest";

import { parseCampaign } from "../parse-campaign.ts";
import { parseSettings } from "../settings-file/parse-settings.ts";
import { builtInGates, builtInSettings, type Settings } from "../settings/settings.ts";

const head =
  "apiVersion: meshroll.dev/v1\nkind: Campaign\nmetadata:\n  name: up\nspec:\n  target: new\n  replaces: [old]\n";
const oneStage = "  stages:\n    - { name: all, set: { production: 100 } }\n";
const withStage = (fields: string): string => `  stages:\n    - { name: all, set: { production: 100 }, ${fields} }\n`;
const minute = 60_000;

function settings(text: string): Settings {
  const parsed = parseSettings(text, "meshroll.yml");
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
  return parsed.value;
}

function stagesOf(spec: string, base = builtInSettings): readonly Settings[] {
  const parsed = parseCampaign(head + spec, "campaigns/up.yml", base);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
  return parsed.value.stages.map((stage) => stage.settings);
}

/** The settings of the first stage. */
function stageOf(spec: string, base = builtInSettings): Settings {
  const [first] = stagesOf(spec, base);
  if (first === undefined) throw new Error("there is no stage");
  return first;
}

describe("settings of a stage", () => {
  const file = settings(
    "defaults: {bake: 1h, batch: {batchSize: 3, maxFailures: 2}, approvals: {required: 2, from: ['team:mesh']}}\n",
  );

  it("1.4 the stage's value wins, then the campaign's, then meshroll.yml's, then the built-in one", () => {
    const spec = "  defaults: { bake: 2h, batch: { delayBetweenBatches: 1m } }\n";
    const stages =
      "  stages:\n    - { name: a, set: { production: 50 } }\n    - { name: b, set: { production: 100 }, bake: 3h }\n";
    const [first, second] = stagesOf(spec + stages, file);
    expect([first?.bake, second?.bake]).toEqual([120 * minute, 180 * minute]);
    expect(first?.batch).toMatchObject({
      batchSize: 3,
      delayBetweenBatches: minute,
      maxFailures: 2,
      readinessTimeout: 5 * minute,
    });
    expect(first?.approvals).toEqual({ required: 2, from: ["team:mesh"], allowAuthor: false });
    expect(stageOf(oneStage, file).bake).toBe(60 * minute);
    expect(stageOf(oneStage).bake).toBe(0);
  });

  it("1.4 windows and freezes of meshroll.yml apply together with the campaign's, so a stage only has its own", () => {
    const base = settings('defaults: {windows: [{schedule: "0 9 * * *", duration: 8h, timeZone: UTC}]}\n');
    const own = '[{ schedule: "0 1 * * *", duration: 1h, timeZone: UTC }]';
    expect(base.windows).toHaveLength(1);
    expect(stageOf(oneStage, base).windows).toEqual([]);
    expect(stageOf(`  windows: ${own}\n${oneStage}`, base).windows).toMatchObject([{ schedule: "0 1 * * *" }]);
    expect(stageOf(`  windows: ${own}\n${withStage("windows: []")}`, base).windows).toEqual([]);
  });

  const gate = (name: string, probe: string): string => `{ name: ${name}, ${probe} }`;
  const rate = gate("rate", "prometheus: { query: up, min: 1 }");
  const strict = gate("strict", "restartHealth: {}");
  const gates: readonly { name: string; file?: string; campaign?: string; stage: string; want: readonly string[] }[] = [
    {
      name: "built in when none is written",
      stage: "bake: 0s",
      want: ["restart-health", "revision-match"],
    },
    {
      name: "one of a kind takes the place of the built-in one",
      stage: `gates: [${strict}]`,
      want: ["revision-match", "strict"],
    },
    {
      name: "they add up from file to campaign to stage",
      file: rate,
      campaign: gate("other", "prometheus: { query: up, min: 1 }"),
      stage: `gates: [${strict}]`,
      want: ["revision-match", "rate", "other", "strict"],
    },
    {
      name: "skipDefaultGates leaves out what is written further out, and no built-in one",
      file: strict,
      campaign: rate,
      stage: "skipDefaultGates: true",
      want: ["restart-health", "revision-match"],
    },
  ];
  it.each(gates)("gates: $name", ({ file: outer, campaign, stage, want }) => {
    const base = outer === undefined ? builtInSettings : settings(`defaults: { gates: [${outer}] }\n`);
    const defaults = campaign === undefined ? "" : `  defaults: { gates: [${campaign}] }\n`;
    expect(stageOf(defaults + withStage(stage), base).gates.map(({ name }) => name)).toEqual(want);
  });

  it("1.4 the built-in gates are restartHealth and revisionMatch, which always have a value", () => {
    expect(builtInGates.map(({ kind }) => kind)).toEqual(["restartHealth", "revisionMatch"]);
  });

  it("fills in the missing fields of a gate", () => {
    const spec = withStage(
      "gates: [{ name: a, restartHealth: {} }, { name: b, proxySync: {} }, { name: c, revisionMatch: {} }]",
    );
    const common = { when: "after", onFail: "pause", onNoData: "hold" };
    expect(stageOf(spec).gates).toEqual([
      { ...common, name: "a", kind: "restartHealth", maxFailureRatio: 0, minSamples: 1 },
      { ...common, name: "b", kind: "proxySync", minSyncedRatio: 0.999, within: 5 * minute },
      { ...common, name: "c", kind: "revisionMatch", minRatio: 1 },
    ]);
  });

  const policies: readonly { name: string; campaign: string; stage: string; want: object }[] = [
    {
      name: "a budget nearer by ends FailFast",
      campaign: "failurePolicy: FailFast",
      stage: "maxFailures: 2",
      want: { failurePolicy: "ContinueOnError", maxFailures: 2 },
    },
    {
      name: "FailFast nearer by ends a budget",
      campaign: "maxFailures: 2",
      stage: "failurePolicy: FailFast",
      want: { failurePolicy: "FailFast" },
    },
  ];
  it.each(policies)("$name", ({ campaign, stage, want }) => {
    const spec = `  defaults: { batch: { ${campaign} } }\n${withStage(`batch: { ${stage} }`)}`;
    const { failurePolicy, maxFailures } = stageOf(spec).batch;
    expect({ failurePolicy, ...(maxFailures !== undefined && { maxFailures }) }).toEqual(want);
  });

  it("2.3 a rollback has the values that any level sets for it, and otherwise those of the stage's batch", () => {
    const base = settings("defaults: {rollback: {batch: {batchSize: 20}}}\n");
    const spec = "  rollback: { batch: { delayBetweenBatches: 0s } }\n";
    const { rollbackBatch } = stageOf(spec + withStage("batch: { batchSize: 4, readinessTimeout: 1m }"), base);
    expect(rollbackBatch).toMatchObject({ batchSize: 20, delayBetweenBatches: 0, readinessTimeout: minute });
  });

  it("a stage overrides autoMerge and the channel, and keeps the campaign's broadcasts", () => {
    const spec =
      '  defaults: { autoMerge: { notice: 10m } }\n  notify: { slack: { channel: "#mesh", broadcast: [failed] } }\n';
    expect(stageOf(spec + withStage("autoMerge: false")).autoMerge).toBeUndefined();
    expect(stageOf(spec + withStage("bake: 1m")).autoMerge).toEqual({ notice: 10 * minute });
    const { notify } = stageOf(spec + withStage('notify: { slack: { channel: "#pay" } }'));
    expect(notify.slack).toEqual({ channel: "#pay", broadcast: ["failed"] });
  });
});
