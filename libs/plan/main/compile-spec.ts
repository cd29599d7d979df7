import { builtInSettings, parseSettings, type Settings } from "#libs/campaign";
import { compileRollouts, type Finding, parseRollouts, type Rollouts } from "#libs/rollouts";
import { wordFinding } from "#libs/wording";

import type { Spec } from "../records/index.ts";
import { type CampaignTexts, type ReadCampaigns, readCampaigns } from "./read-campaigns.ts";

export const rolloutsPath = "rollouts.yml";
export const settingsPath = "meshroll.yml";
export const campaignsFolder = "campaigns";

/** A fleet has a handful of campaigns at a time. All are compared with each other, and read at each reconcile. */
const mostCampaigns = 100;

/**
 * Campaign files among a folder's paths, in byte order, limited to one more than is allowed, which is enough for `compileSpec`
 * to refuse them.
 */
export function chooseCampaignPaths(paths: Iterable<string>): readonly string[] {
  return [...new Set(paths)]
    .filter(isCampaignPath)
    .toSorted()
    .slice(0, mostCampaigns + 1);
}

/** MR1015, reported instead of the files' own findings. */
function refuseCount(): Finding {
  const words = wordFinding({ code: "TooManyCampaigns", most: mostCampaigns });
  return { code: "MR1015", severity: "error", file: campaignsFolder, line: 1, column: 1, ...words };
}

/** Campaign files are directly in their folder; those in `campaigns/done/` are finished. */
function isCampaignPath(path: string): boolean {
  return /^campaigns\/[^/]+\.ya?ml$/u.test(path);
}

/** Whether a path is part of the spec: the two files, and the folder of campaigns. */
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

function refuseMissing(): Finding {
  return {
    code: "MR1000",
    severity: "error",
    file: rolloutsPath,
    line: 1,
    column: 1,
    ...wordFinding({ code: "NoRollouts" }),
  };
}

interface FolderOfCampaigns {
  readonly texts: CampaignTexts;
  /** Why none of it was read. */
  readonly unread: Finding | undefined;
}

type FolderRead = ReadCampaigns & Pick<Spec, "unreadFolder">;

/** With too many files none of them is read. */
function readFolder(files: FolderOfCampaigns, base: Settings, rollouts: Rollouts | undefined): FolderRead {
  const isTooMany = Object.keys(files.texts).length > mostCampaigns;
  const finding = files.unread ?? (isTooMany ? refuseCount() : undefined);
  if (finding === undefined) return readCampaigns(files.texts, base, rollouts);
  return { campaigns: [], unread: [], findings: [finding], unreadFolder: finding };
}

/**
 * The files of one commit, parsed and compiled; a missing `rollouts.yml` does not parse, a missing `meshroll.yml` is built-in
 * values. `campaigns` are the files below `campaigns/`, by path: one that does not parse or contradicts another is named in
 * `unread`, and holds no other ([ADR 29](../../../docs/adr/0029-a-broken-campaign-holds-itself.md)). `unreadFolder`: why
 * none of them was read.
 */
export function compileSpec(
  commit: string,
  rollouts: string | undefined,
  settings: string | undefined,
  campaigns: CampaignTexts = {},
  unreadFolder?: Finding,
): CompiledSpec {
  if (rollouts === undefined) return { ok: false, findings: [refuseMissing()] };
  const parsed = parseRollouts(rollouts, rolloutsPath);
  const read = readSettings(settings);
  const files = { texts: campaigns, unread: unreadFolder };
  const folder = readFolder(files, read.settings ?? builtInSettings, parsed.ok ? parsed.value : undefined);
  const findings = [...parsed.findings, ...read.findings, ...folder.findings];
  if (!parsed.ok || read.settings === undefined) return { ok: false, findings };
  const resolver = compileRollouts(parsed.value, read.settings.seed);
  const { campaigns: known, findings: _, ...held } = folder;
  const named = new Map(known.map((one) => [one.name, one]));
  const spec = { commit, rollouts: parsed.value, settings: read.settings, campaigns: named, ...held, resolver };
  return { ok: true, findings, spec };
}
