import { dirname, join } from "node:path";

import { builtInSettings, parseSettings, type Settings } from "#libs/campaign";
import { compileRollouts, type Finding, parseRollouts, type Resolver, type Rollouts } from "#libs/rollouts";

import { exitCodes } from "../terminal/exit-codes.ts";
import { readInput } from "../terminal/input.ts";
import { printFindings } from "../text/print-findings.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { SpecOptions } from "../options/spec-options.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Both files, parsed and compiled with the effective seed. */
export interface LoadedSpec {
  readonly file: string;
  readonly rollouts: Rollouts;
  readonly settings: Settings;
  readonly seed: string;
  readonly resolver: Resolver;
}

async function refuseFindings(
  name: string,
  findings: readonly Finding[],
  text: string,
  terminal: Terminal,
): Promise<never> {
  const errors = findings.filter(({ severity }) => severity === "error");
  await printFindings(errors, text, terminal.stderr, terminal.env);
  const count = errors.length === 1 ? "1 error" : `${errors.length} errors`;
  throw new Refusal(exitCodes.invalid, `${name} has ${count}, so it cannot be used`);
}

async function loadRollouts(
  path: string,
  terminal: Terminal,
): Promise<{ readonly name: string; readonly rollouts: Rollouts }> {
  const input = await readInput(path, terminal);
  if (!input.ok) {
    throw new Refusal(exitCodes.invalid, `${input.name}: ${input.why}`, "give the rollouts file with --file");
  }
  const parsed = parseRollouts(input.bytes, input.name);
  if (parsed.ok) return { name: input.name, rollouts: parsed.value };
  return refuseFindings(input.name, parsed.findings, new TextDecoder().decode(input.bytes), terminal);
}

/** The named settings, or those next to the rollouts file, which are optional. */
async function loadSettings({ file, settings }: SpecOptions, terminal: Terminal): Promise<Settings> {
  const path = settings ?? join(file === "-" ? "." : dirname(file), "meshroll.yml");
  const input = await readInput(path, terminal);
  if (!input.ok && input.missing && settings === undefined) return builtInSettings;
  if (!input.ok)
    throw new Refusal(exitCodes.invalid, `${input.name}: ${input.why}`, "give the settings file with --settings");
  const parsed = parseSettings(input.bytes, input.name);
  if (parsed.ok) return parsed.value;
  return refuseFindings(input.name, parsed.findings, new TextDecoder().decode(input.bytes), terminal);
}

/** Reads the files that the options name; errors go to stderr and end the command with 65. */
export async function loadSpec(options: SpecOptions, terminal: Terminal): Promise<LoadedSpec> {
  const { name, rollouts } = await loadRollouts(options.file, terminal);
  const settings = await loadSettings(options, terminal);
  const seed = options.seed ?? settings.seed;
  return { file: name, rollouts, settings, seed, resolver: compileRollouts(rollouts, seed) };
}
