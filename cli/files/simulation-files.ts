import { basename, dirname, join } from "node:path";

import type { Campaign } from "#libs/campaign";
import type { Spec } from "#libs/plan";

import { exitCodes } from "../terminal/exit-codes.ts";
import { readInput } from "../terminal/input.ts";
import { loadSpec } from "../read/load-spec.ts";
import { printFindings } from "../text/print-findings.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface SimulationFileOptions {
  readonly file: string;
  readonly settings?: string;
}

/** The files with the simulated campaign. */
export interface SimulationFiles {
  readonly head: Spec;
  readonly campaign: Campaign;
}

/** `istio-1-25`, or the path of its file. */
function findCampaignFile(name: string, { file }: SimulationFileOptions): string {
  const isPath = name.includes("/") || /\.ya?ml$/u.test(name);
  return isPath ? name : join(file === "-" ? "." : dirname(file), "campaigns", `${name}.yml`);
}

async function readCampaignText(path: string, terminal: Terminal): Promise<string> {
  const input = await readInput(path, terminal);
  if (input.ok) return new TextDecoder().decode(input.bytes);
  throw new Refusal(
    exitCodes.invalid,
    `${input.name}: ${input.why}`,
    "give a campaign's name, or the path of its file",
  );
}

/** Reads `rollouts.yml`, `meshroll.yml` next to it, and the campaign; errors in them end the command with 65. */
export async function loadSimulationFiles(
  name: string,
  options: SimulationFileOptions,
  terminal: Terminal,
): Promise<SimulationFiles> {
  const { checkCampaigns, parseCampaign } = await import("#libs/campaign");
  const { rollouts, settings, resolver } = await loadSpec(options, terminal);
  const path = findCampaignFile(name, options);
  const text = await readCampaignText(path, terminal);
  const parsed = parseCampaign(text, `campaigns/${basename(path)}`, settings);
  const found = parsed.ok ? checkCampaigns([parsed.value], rollouts) : parsed.findings;
  const errors = found.filter(({ severity }) => severity === "error");
  if (!parsed.ok || errors.length > 0) {
    await printFindings(errors, text, terminal.stderr, terminal.env);
    throw new Refusal(exitCodes.invalid, `${path} has errors, so it cannot be simulated`, [
      "run `",
      { command: "meshroll validate" },
      "`",
    ]);
  }
  const campaign = parsed.value;
  const campaigns = new Map([[campaign.name, campaign]]);
  return { campaign, head: { commit: "0".repeat(40), rollouts, settings, resolver, campaigns } };
}
