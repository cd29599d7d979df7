import { locate, type Parsed, type Problem, type Source } from "#libs/rollouts";

import type { Campaign, Exclusion, Stage } from "./settings/campaign.ts";
import { campaignKind } from "./document/file-kind.ts";
import { layerSettings } from "./schema/layer-settings.ts";
import { type CampaignFields, type CampaignName, type PatternRead, readCampaignFile } from "./schema/read-campaign.ts";
import { hasErrors, readDocument } from "./fields/read-document.ts";
import type { StageRead } from "./schema/read-stage.ts";
import { builtInGates, type Settings } from "./settings/settings.ts";

/**
 * The settings of all stages: the campaign's over those of `meshroll.yml`, whose windows and freezes apply as well (rules 1.4).
 */
function layerCampaign(base: Settings, spec: Partial<CampaignFields>): Settings {
  const { defaults, windows = [], freezes = [], rollback, notify } = spec;
  const frame = { ...(rollback !== undefined && { rollback }), ...(notify !== undefined && { notify }) };
  return layerSettings({ ...base, windows: [], freezes: [] }, { ...defaults, ...frame, windows, freezes });
}

function buildStage(read: StageRead, base: Settings, source: Source): Stage {
  const gates = read.skipDefaultGates === true ? builtInGates : base.gates;
  return {
    name: read.name,
    ...(read.description !== undefined && { description: read.description }),
    set: Object.fromEntries(read.set.map(({ pattern, share }) => [pattern, share])),
    settings: layerSettings({ ...base, gates }, read),
    line: locate(source, read.span.start).line,
    places: Object.fromEntries(
      read.set.map(({ pattern, keySpan: { start, end } }) => [
        pattern,
        { ...locate(source, start), length: end - start },
      ]),
    ),
  };
}

/** MR2009. Standard input has no file name to differ from. */
function checkName(name: CampaignName | undefined, file: string): readonly Problem[] {
  const stem = /([^/\\]+)\.ya?ml$/u.exec(file)?.[1];
  if (name === undefined || stem === undefined || stem === name.text) return [];
  const message = `the campaign is named \`${name.text}\`, and its file \`${stem}\``;
  return [{ code: "MR2009", span: name.span, message, help: `write \`name: ${stem}\`, or rename the file` }];
}

function placeExclusions(list: readonly PatternRead[], source: Source): readonly Exclusion[] {
  return list.map(({ span: { start, end }, ...each }) => {
    return { ...each, place: { ...locate(source, start), length: end - start } };
  });
}

function buildCampaign(
  name: string,
  file: string,
  spec: Partial<CampaignFields>,
  base: Settings,
  source: Source,
): Campaign | undefined {
  const { target, replaces, stages, maxVersion, owners = [], exclude = [] } = spec;
  const { ignoreBudgets = [] } = spec;
  if (target === undefined || replaces === undefined || stages === undefined) return undefined;
  const settings = layerCampaign(base, spec);
  return {
    name,
    file,
    target,
    replaces,
    ...(maxVersion !== undefined && { maxVersion }),
    owners,
    exclude: placeExclusions(exclude, source),
    ...(ignoreBudgets.length > 0 && { ignoreBudgets: placeExclusions(ignoreBudgets, source) }),
    clusters: { order: [], delayBetweenWaves: 0, ...spec.clusters },
    stages: stages.map((stage) => buildStage(stage, settings, source)),
  };
}

/**
 * Reads a campaign: each stage with complete settings, over those of `meshroll.yml` (`base`); or all findings. Checks against
 * other files are in `checkCampaigns`.
 */
export function parseCampaign(text: string | Uint8Array, file: string, base: Settings): Parsed<Campaign> {
  const outcome = readDocument(text, file, campaignKind, readCampaignFile);
  if (!outcome.ok) return outcome;
  const { source, read, findings, report } = outcome.document;
  const name = read.metadata?.name;
  for (const problem of checkName(name, file)) report(problem);
  if (hasErrors(findings) || name === undefined) return { ok: false, findings };
  const value = buildCampaign(name.text, file, read.spec ?? {}, base, source);
  return value === undefined ? { ok: false, findings } : { ok: true, value, findings };
}
