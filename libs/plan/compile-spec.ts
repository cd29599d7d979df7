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

/** Campaign files stand directly in their folder; `campaigns/done/` holds those that are over. */
export function isCampaignPath(path: string): boolean {
  return /^campaigns\/[^/]+\.ya?ml$/u.test(path);
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
  const parsed = Object.entries(texts).map(([path, text]) => parseCampaign(text, path, base));
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
