import { printText } from "#libs/wording";
import { type Campaign, printDuration } from "#libs/campaign";

import type { GateRecord, LedgerState, RunRecord } from "../../records/index.ts";
import { listCampaignRuns } from "../../main/index.ts";
import { code, escapeCell } from "../judging/pull-request-facts.ts";
import { printTable } from "../print-tables.ts";

/** The run that proves that a campaign may go on: its newest that is over. */
function findEvidence(ledger: LedgerState | undefined, campaign: Campaign): RunRecord | undefined {
  const runs = listCampaignRuns(ledger, campaign.name);
  return runs.findLast(({ state }) => state === "done" || state === "empty");
}

const signs: Readonly<Record<GateRecord["verdict"], string>> = { pass: "✅", fail: "❌", noData: "–" };

function printFigure(value: number | undefined): string {
  return value === undefined ? "" : String(Math.round(value * 10_000) / 10_000);
}

function printGate(name: string, { verdict, value, limit, why }: GateRecord): readonly string[] {
  return [code(name), printFigure(value), printFigure(limit), signs[verdict], escapeCell(printText(why))];
}

function printMigrated({ outcome }: RunRecord): readonly string[] {
  const [migrated, skipped] = [outcome?.migrated ?? 0, outcome?.skipped.length ?? 0];
  const left = skipped === 0 ? "none skipped" : `${skipped} skipped`;
  return ["migrated", `${migrated} of ${migrated + skipped}`, "", skipped === 0 ? "✅" : "–", left];
}

function printBake({ bake }: RunRecord): readonly (readonly string[])[] {
  if (bake === undefined || bake.neededMs === 0) return [];
  const isOver = bake.healthyMs >= bake.neededMs;
  const [healthy, needed] = [bake.healthyMs, bake.neededMs].map((ms) => printDuration(Math.floor(ms / 1000) * 1000));
  return [["bake", healthy ?? "", needed ?? "", isOver ? "✅" : "–", "seen healthy"]];
}

/** Against the list that its pull request named (rules 10.2): how many differ, by why. */
function printDifferences({ outcome }: RunRecord): readonly (readonly string[])[] {
  const differences = outcome?.differences;
  if (differences === undefined) return [];
  const counts = new Map<string, number>();
  for (const { why } of differences) counts.set(why, (counts.get(why) ?? 0) + 1);
  const words = [...counts].map(([why, count]) => `${count} ${why}`).toSorted();
  const why = words.length === 0 ? "what was proposed is what was done" : words.join(", ");
  return [["differences from the list", String(differences.length), "", words.length === 0 ? "✅" : "–", why]];
}

/** What proves the stage before, as a section of Markdown (ux §4.1). */
export function printEvidence(ledger: LedgerState | undefined, campaign: Campaign): string {
  const run = findEvidence(ledger, campaign);
  if (run === undefined) return `### Evidence\nNone: it is the first run of \`${campaign.name}\`.`;
  const gates = Object.entries(run.gates ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const rows = [
    printMigrated(run),
    ...printBake(run),
    ...gates.map(([name, gate]) => printGate(name, gate)),
    ...printDifferences(run),
  ];
  const title = `### Evidence from ${run.stage ?? "the run before"} (run \`${run.id}\`)`;
  return `${title}\n\n${printTable(["what", "result", "limit", "", "why"], rows)}`;
}

/** The same in one line, for the check; undefined for a campaign's first run. */
export function summariseEvidence(ledger: LedgerState | undefined, campaign: Campaign): string | undefined {
  const run = findEvidence(ledger, campaign);
  if (run === undefined) return undefined;
  const failed = Object.entries(run.gates ?? {}).filter(([, { verdict }]) => verdict === "fail");
  const gates = Object.keys(run.gates ?? {}).length;
  const [migrated] = [run.outcome?.migrated ?? 0];
  const verdict =
    failed.length === 0
      ? `${gates} of ${gates} gates without a failure`
      : `failed: ${failed.map(([name]) => name).join(", ")}`;
  return `Evidence from ${code(run.stage ?? campaign.name)} (run ${code(run.id)}): ${migrated} arrived, ${verdict}.`;
}
