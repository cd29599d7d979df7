import {
  builtInSettings,
  type Campaign,
  checkCampaigns,
  parseCampaign,
  parseSettings,
  type Settings,
} from "#libs/campaign";
import { compileRollouts, type Finding, parseRollouts, type Rollouts } from "#libs/spec";

import type { Spec } from "./world.ts";

export const rolloutsPath = "rollouts.yml";
export const settingsPath = "meshroll.yml";
export const campaignsFolder = "campaigns";

/** A fleet has a handful at a time. Each is compared with each, and each look of the planner goes through all of them. */
const mostCampaigns = 100;

/**
 * Those of a folder's paths that are campaign files, in byte order, as many as are worth reading: one more than may be is
 * enough for `compileSpec` to refuse them all.
 */
export function chooseCampaignPaths(paths: Iterable<string>): readonly string[] {
  return [...new Set(paths)]
    .filter(isCampaignPath)
    .toSorted()
    .slice(0, mostCampaigns + 1);
}

/** MR1015, in place of whatever the files say. */
function refuseCount(): Finding {
  const message = `there are more than ${mostCampaigns} campaign files, and none of them is read`;
  const help = "move the files of campaigns that are over to campaigns/done/";
  return { code: "MR1015", severity: "error", file: campaignsFolder, line: 1, column: 1, message, help };
}

/** Campaign files stand directly in their folder; `campaigns/done/` holds those that are over. */
function isCampaignPath(path: string): boolean {
  return /^campaigns\/[^/]+\.ya?ml$/u.test(path);
}

/** True for what a commit is read by: the two files, and whatever lies in the folder of campaigns. */
export function isReadPath(path: string): boolean {
  const isCampaigns = path === campaignsFolder || path.startsWith(`${campaignsFolder}/`);
  return path === rolloutsPath || path === settingsPath || isCampaigns;
}

export type CompiledSpec =
  | { readonly ok: true; readonly spec: Spec; readonly findings: readonly Finding[] }
  | { readonly ok: false; readonly findings: readonly Finding[] };

function readSettings(text: string | undefined): {
  readonly settings?: Settings;
  readonly findings: readonly Finding[];
} {
  if (text === undefined) return { settings: builtInSettings, findings: [] };
  const parsed = parseSettings(text, settingsPath);
  return parsed.ok ? { settings: parsed.value, findings: parsed.findings } : { findings: parsed.findings };
}

/** Campaigns by name, each on top of the file's settings; what they say of each other needs all of them, and the buckets. */
function readCampaigns(
  texts: Readonly<Record<string, string>>,
  base: Settings,
  rollouts: Rollouts | undefined,
): { readonly campaigns: ReadonlyMap<string, Campaign>; readonly findings: readonly Finding[] } {
  const files = Object.entries(texts);
  if (files.length > mostCampaigns) return { campaigns: new Map(), findings: [refuseCount()] };
  const parsed = files.map(([path, text]) => parseCampaign(text, path, base));
  const campaigns = parsed.flatMap((one) => (one.ok ? [one.value] : []));
  const findings = parsed.flatMap((one) => one.findings);
  const together = rollouts === undefined ? [] : checkCampaigns(campaigns, rollouts);
  return { campaigns: new Map(campaigns.map((one) => [one.name, one])), findings: [...findings, ...together] };
}

/**
 * The files of one commit, parsed and compiled; a missing `rollouts.yml` does not parse, a missing `meshroll.yml` is built-in
 * values. `campaigns` are the texts below `campaigns/`, by path: one that does not parse makes the commit one that does not.
 */
export function compileSpec(
  commit: string,
  rollouts: string | undefined,
  settings: string | undefined,
  campaigns: Readonly<Record<string, string>> = {},
): CompiledSpec {
  if (rollouts === undefined) {
    const message = "there is no such file, so nobody knows what should run";
    const finding: Finding = { code: "MR1000", severity: "error", file: rolloutsPath, line: 1, column: 1, message };
    return { ok: false, findings: [finding] };
  }
  const parsed = parseRollouts(rollouts, rolloutsPath);
  const read = readSettings(settings);
  const planned = readCampaigns(campaigns, read.settings ?? builtInSettings, parsed.ok ? parsed.value : undefined);
  const findings = [...parsed.findings, ...read.findings, ...planned.findings];
  const hasFaults = planned.findings.some(({ severity }) => severity === "error");
  if (!parsed.ok || read.settings === undefined || hasFaults) return { ok: false, findings };
  const resolver = compileRollouts(parsed.value, read.settings.seed);
  const spec = { commit, rollouts: parsed.value, settings: read.settings, campaigns: planned.campaigns, resolver };
  return { ok: true, findings, spec };
}
