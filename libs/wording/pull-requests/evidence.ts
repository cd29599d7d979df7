import { printDuration } from "#libs/campaign";

import { code, escapeCell } from "../markdown/cells.ts";
import { printTable } from "../markdown/tables.ts";
import { printText, type Text } from "../text.ts";
import { type EndCounts, printEndCounts } from "../transitions/run-end.ts";

type Verdict = "pass" | "fail" | "noData";

interface GateWords {
  readonly name: string;
  readonly verdict: Verdict;
  readonly value?: number;
  readonly limit?: number;
  readonly why: Text;
}

/** The evidence of a run that is over. */
export interface EvidenceWords {
  readonly run: string;
  readonly stage?: string;
  readonly migrated: number;
  /** Workloads with 0 replicas, whose label is set: they are no evidence. */
  readonly idle: number;
  readonly skipped: number;
  /** Of `skipped`: failed, and not retried since. */
  readonly failed: number;
  readonly bake?: { readonly healthyMs: number; readonly neededMs: number };
  /** Sorted by name. */
  readonly gates: readonly GateWords[];
  /** Reasons of differences from the list in its pull request (rules 10.2). Absent: there was no list. */
  readonly differences?: readonly string[];
}

/** There is none, though a run of the campaign is over: each of them was rolled back. */
export interface LostEvidence {
  /** The newest of these runs. */
  readonly lost: string;
  /** The rollback's run. */
  readonly by: string;
}

/** A stage that ran before and was rolled back. */
export interface EarlierTry {
  readonly stage: string;
  readonly run: string;
  /** The rollback's run. */
  readonly by: string;
  /** Absent where the record of the run is too old. */
  readonly counts?: EndCounts & { readonly workloads: number };
  /** Of the rollback's request; absent where there is none, or its record is too old. */
  readonly who?: string;
  readonly why?: string;
}

/** That a stage was rolled back before, as an alert of Markdown. */
export function printEarlierTry(earlier: EarlierTry | undefined): string {
  if (earlier === undefined) return "";
  const { stage, run, by, counts, who, why } = earlier;
  const done = counts === undefined ? "" : ` after ${escapeCell(printEndCounts(counts))}`;
  const reason =
    why === undefined ? "" : ` Why: ${escapeCell(why)}${who === undefined ? "" : ` (${escapeCell(who)})`}.`;
  const again =
    (counts?.failed ?? 0) === 0
      ? ""
      : "\n> Workloads that failed then are skipped again until a person retries them in the new run: `meshroll retry run/ID`.";
  return `> [!WARNING]\n> ${code(stage)} ran before as run ${code(run)}, and run ${code(by)} rolled it back${done}.${reason}${again}`;
}

const signs: Readonly<Record<Verdict, string>> = { pass: "✅", fail: "❌", noData: "–" };

function printFigure(value: number | undefined): string {
  return value === undefined ? "" : String(Math.round(value * 10_000) / 10_000);
}

function printGate({ name, verdict, value, limit, why }: GateWords): readonly string[] {
  return [code(name), printFigure(value), printFigure(limit), signs[verdict], escapeCell(printText(why))];
}

/** Failures of the stage before stay named until a retry of that run moves them. */
function printSkipped({ run, skipped, failed }: EvidenceWords): string {
  if (skipped === 0) return "none skipped";
  return failed === 0
    ? `${skipped} skipped`
    : `${skipped} skipped (${failed} failed, not retried: \`meshroll get failures run/${run}\`)`;
}

function printMigrated(evidence: EvidenceWords): readonly string[] {
  const { migrated, idle, skipped } = evidence;
  const left = printSkipped(evidence);
  const why = idle === 0 ? left : `${left}, ${idle} idle (0 replicas: no evidence)`;
  const isWhole = migrated > 0 && idle + skipped === 0;
  return ["migrated", `${migrated} of ${migrated + idle + skipped}`, "", isWhole ? "✅" : "–", why];
}

function printBake({ bake }: EvidenceWords): readonly (readonly string[])[] {
  if (bake === undefined || bake.neededMs === 0) return [];
  const isOver = bake.healthyMs >= bake.neededMs;
  const [healthy, needed] = [bake.healthyMs, bake.neededMs].map((ms) => printDuration(Math.floor(ms / 1000) * 1000));
  return [["bake", healthy ?? "", needed ?? "", isOver ? "✅" : "–", "seen healthy"]];
}

function printDifferences({ differences }: EvidenceWords): readonly (readonly string[])[] {
  if (differences === undefined) return [];
  const counts = new Map<string, number>();
  for (const why of differences) counts.set(why, (counts.get(why) ?? 0) + 1);
  const words = [...counts].map(([why, count]) => `${count} ${why}`).toSorted();
  const why = words.length === 0 ? "what was proposed is what was done" : words.join(", ");
  return [["differences from the list", String(differences.length), "", words.length === 0 ? "✅" : "–", why]];
}

function printLost({ lost, by }: LostEvidence): string {
  return `run ${code(by)} rolled back run ${code(lost)}`;
}

/** The evidence of the stage before, as a section of Markdown; undefined: there was no run yet. */
export function printEvidence(evidence: EvidenceWords | LostEvidence | undefined, campaign: string): string {
  if (evidence === undefined) return `### Evidence\nNone: it is the first run of \`${campaign}\`.`;
  if ("lost" in evidence) return `### Evidence\nNone: ${printLost(evidence)}.`;
  const rows = [
    printMigrated(evidence),
    ...printBake(evidence),
    ...evidence.gates.map(printGate),
    ...printDifferences(evidence),
  ];
  const title = `### Evidence from ${evidence.stage ?? "the run before"} (run \`${evidence.run}\`)`;
  return `${title}\n\n${printTable(["what", "result", "limit", "", "why"], rows)}`;
}

/** The evidence in one line, for the check. */
export function summariseEvidence(evidence: EvidenceWords | LostEvidence | undefined, campaign: string): string {
  if (evidence === undefined) return "It is the campaign's first run: nothing comes before it.";
  if ("lost" in evidence) return `No evidence: ${printLost(evidence)}.`;
  const { gates, stage, run, migrated, idle, failed: failedWorkloads } = evidence;
  const failed = gates.filter(({ verdict }) => verdict === "fail");
  const verdict =
    failed.length === 0
      ? `${gates.length} of ${gates.length} gates without a failure`
      : `failed: ${failed.map(({ name }) => name).join(", ")}`;
  const rest = `${idle === 0 ? "" : `, ${idle} idle`}${failedWorkloads === 0 ? "" : `, ${failedWorkloads} failed and not retried`}`;
  const counts = `${migrated} migrated${rest}`;
  return `Evidence from ${code(stage ?? campaign)} (run ${code(run)}): ${counts}, ${verdict}.`;
}
