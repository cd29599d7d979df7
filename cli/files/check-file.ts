import { basename, dirname } from "node:path";

import type { Campaign, Settings } from "#libs/campaign";
import { type Finding, parseRollouts, type Rollouts } from "#libs/rollouts";

import { nameInput, readInput } from "../terminal/input.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** A file and its findings. */
export interface CheckedFile {
  readonly name: string;
  /** For quoting lines; empty for a file that could not be read. */
  readonly text: string;
  /** Errors first, then in the order of the file. */
  readonly findings: readonly Finding[];
  /** `3 buckets` for a `rollouts.yml` without errors. */
  readonly contents?: string;
  /** The parsed file, where it is a `rollouts.yml` or a campaign without errors, for checks between files. */
  readonly rollouts?: Rollouts;
  readonly campaign?: Campaign;
  /** Of `meshroll.yml`, for the buckets that it names. */
  readonly settings?: Settings;
}

const ranks: Readonly<Record<Finding["severity"], number>> = { error: 0, warning: 1, note: 2 };

/** Errors first; within a severity in the given order. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted((a, b) => ranks[a.severity] - ranks[b.severity]);
}

function sortByPlace(findings: readonly Finding[]): readonly Finding[] {
  return sortFindings(findings.toSorted((a, b) => a.line - b.line || a.column - b.column));
}

/** `meshroll.yml` by its name. */
function isSettingsFile(path: string): boolean {
  return basename(path) === "meshroll.yml";
}

/**
 * A campaign by its folder, or by how its file begins: no bucket of `rollouts.yml` is called `apiVersion`, because no namespace
 * has capitals.
 */
function isCampaignFile(path: string, text: string): boolean {
  return basename(dirname(path)) === "campaigns" || /^apiVersion:/m.test(text);
}

type Checked = Omit<CheckedFile, "text">;

function countThings(count: number, one: string): string {
  return count === 1 ? `1 ${one}` : `${count} ${one}s`;
}

/** Imported only when there is such a file, because most calls need not load it. */
async function checkSettings(bytes: Uint8Array, name: string): Promise<Checked> {
  const { parseSettings } = await import("#libs/campaign");
  const parsed = parseSettings(bytes, name);
  return { name, findings: sortByPlace(parsed.findings), ...(parsed.ok ? { settings: parsed.value } : {}) };
}

/** `meshroll.yml` changes a campaign's settings, never whether its file is valid. */
async function checkCampaign(bytes: Uint8Array, name: string): Promise<Checked> {
  const { builtInSettings, parseCampaign } = await import("#libs/campaign");
  const parsed = parseCampaign(bytes, name, builtInSettings);
  const findings = sortByPlace(parsed.findings);
  if (!parsed.ok) return { name, findings };
  const campaign = parsed.value;
  return { name, findings, contents: countThings(campaign.stages.length, "stage"), campaign };
}

function checkRollouts(bytes: Uint8Array, name: string): Checked {
  const parsed = parseRollouts(bytes, name);
  const findings = sortByPlace(parsed.findings);
  if (!parsed.ok) return { name, findings };
  const rollouts = parsed.value;
  return { name, findings, contents: countThings(rollouts.buckets.length, "bucket"), rollouts };
}

/** The finding for a missing or unreadable file. */
function reportUnreadable(path: string, why: string): Finding {
  const code = isSettingsFile(path) ? "MR3000" : "MR1000";
  const help = "run meshroll where the file is, or give its path";
  return { code, severity: "error", file: nameInput(path), line: 1, column: 1, message: why, help };
}

/** Reads and checks one file. */
export async function checkFile(path: string, terminal: Terminal): Promise<CheckedFile> {
  const input = await readInput(path, terminal);
  if (!input.ok) return { name: input.name, text: "", findings: [reportUnreadable(path, input.why)] };
  const { bytes, name } = input;
  const text = new TextDecoder().decode(bytes);
  if (isSettingsFile(path)) return { ...(await checkSettings(bytes, name)), text };
  if (isCampaignFile(path, text)) return { ...(await checkCampaign(bytes, name)), text };
  return { ...checkRollouts(bytes, name), text };
}

/** Adds findings between files: the buckets of campaigns and of `meshroll.yml` exist, and one campaign sets each. */
export async function checkTogether(files: readonly CheckedFile[]): Promise<readonly CheckedFile[]> {
  const campaigns = files.flatMap(({ campaign }) => campaign ?? []);
  const rollouts = files.find((file) => file.rollouts !== undefined)?.rollouts;
  const isAlone = files.every(({ campaign, settings }) => campaign === undefined && settings === undefined);
  if (isAlone || rollouts === undefined) return files;
  const { checkBuckets, checkCampaigns } = await import("#libs/campaign");
  const found = [
    ...checkCampaigns(campaigns, rollouts),
    ...files.flatMap(({ settings, name }) => (settings === undefined ? [] : checkBuckets(settings, rollouts, name))),
  ];
  return files.map((file) => {
    const own = found.filter((finding) => finding.file === (file.campaign?.file ?? file.name));
    return own.length === 0 ? file : { ...file, findings: sortByPlace([...file.findings, ...own]) };
  });
}
