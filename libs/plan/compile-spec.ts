import { builtInSettings, parseSettings, type Settings } from "#libs/campaign";
import { compileRollouts, type Finding, parseRollouts } from "#libs/spec";

import type { Spec } from "./world.ts";

export const rolloutsPath = "rollouts.yml";
export const settingsPath = "meshroll.yml";

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

/** The files of one commit, parsed and compiled; a missing `rollouts.yml` does not parse, a missing `meshroll.yml` is built-in values. */
export function compileSpec(commit: string, rollouts: string | undefined, settings: string | undefined): CompiledSpec {
  if (rollouts === undefined) {
    const message = "there is no such file, so nobody knows what should run";
    const finding: Finding = { code: "MR1000", severity: "error", file: rolloutsPath, line: 1, column: 1, message };
    return { ok: false, findings: [finding] };
  }
  const parsed = parseRollouts(rollouts, rolloutsPath);
  const read = readSettings(settings);
  const findings = [...parsed.findings, ...read.findings];
  if (!parsed.ok || read.settings === undefined) return { ok: false, findings };
  const resolver = compileRollouts(parsed.value, read.settings.seed);
  return { ok: true, findings, spec: { commit, rollouts: parsed.value, settings: read.settings, resolver } };
}
