import type { Campaign } from "#libs/campaign";
import type { Cause, SimulatedRun, SimulatedStage, Spread } from "#libs/simulation";
import { printText } from "#libs/wording";

import type { TimeOptions } from "../../text/print-time.ts";
import type { Simulated } from "./run-simulations.ts";
import { printCell, printLength, printMoment } from "./simulation-times.ts";
import { printTable } from "../../text/table.ts";
import { chooseProse, wrapText } from "../../text/wrap-text.ts";

/** What time is spent on, as a cell and in a sentence. */
const words: Readonly<Record<Cause, readonly [cell: string, sentence: string]>> = {
  restarting: ["work", "restarting"],
  baking: ["bake", "baking"],
  waves: ["waves", "between waves"],
  window: ["window", "outside windows"],
  freeze: ["freeze", "frozen"],
  approval: ["person", "waiting for approval"],
  notice: ["notice", "notice before merging"],
  owner: ["owner", "waiting for owners"],
  stop: ["stop", "stopped"],
  other: ["other", "other"],
};

const causes = Object.keys(words) as readonly Cause[];

/** Ms; shorter times (a merge, a reconcile, a push) do not count as waiting. */
const leastMs = 60_000;

/** A stage's own work is not shown as a delay. */
const ownWork: readonly Cause[] = ["restarting", "baking"];

/** The cause that took longest, and the number of others. */
function nameHeld({ spent }: SimulatedStage): string {
  const held = causes.filter((cause) => !ownWork.includes(cause) && (spent[cause] ?? 0) >= leastMs);
  const sorted = held.toSorted((a, b) => (spent[b] ?? 0) - (spent[a] ?? 0));
  const [first] = sorted;
  if (first === undefined) return "-";
  return `${words[first][0]}${sorted.length > 1 ? `+${sorted.length - 1}` : ""}`;
}

interface Options extends TimeOptions {
  /** Columns of the table. */
  readonly width: number;
}

function printStages({ stages, start, end }: SimulatedRun, options: Options): readonly string[] {
  const length = end.at - start;
  const cell = (at: number | undefined) => printCell(at, length, options);
  const header = ["STAGE", "PR-OPENS", "STARTS", "RESTARTED", "BAKED", "NS", "WORKLOADS", "HELD-BY"];
  const rows = stages.map((stage) => [
    stage.name,
    cell(stage.proposedAt),
    cell(stage.startedAt),
    cell(stage.restartedAt),
    cell(stage.endedAt),
    String(stage.namespaces),
    String(stage.workloads),
    nameHeld(stage),
  ]);
  return stages.length === 0 ? [] : printTable(header, rows, options.width);
}

function printShares({ stages, start, end }: SimulatedRun): string {
  const total = end.at - start;
  const shares = causes.flatMap((cause) => {
    const ms = stages.reduce((sum, { spent }) => sum + (spent[cause] ?? 0), 0);
    return ms < leastMs ? [] : [{ cause, ms }];
  });
  const parts = shares
    .toSorted((a, b) => b.ms - a.ms)
    .map(({ cause, ms }) => {
      const percent = (100 * ms) / total;
      return `${percent < 1 ? "under 1" : Math.round(percent)} % ${words[cause][1]}`;
    });
  return parts.length === 0 ? "" : `Of ${printLength(total)}: ${parts.join(", ")}.`;
}

function printSpread({ runs, complete, p50, p95 }: Spread, asked: number, options: TimeOptions): string {
  const cut = runs < asked ? ` (${asked} were requested; the time limit was reached)` : "";
  const of = `${runs} runs${cut}`;
  if (complete === 0) return `None of ${of} ends.`;
  const quantiles = [
    ...(complete === runs ? [] : [`${complete} end`]),
    ...(p50 === undefined ? [] : [`half end by ${printMoment(p50, options)} (P50)`]),
    ...(p95 === undefined ? [] : [`95 % by ${printMoment(p95, options)} (P95)`]),
  ];
  return `Of ${of}, ${quantiles.join(", ")}.`;
}

function printEnd({ end, stages, seed }: SimulatedRun, options: TimeOptions): string {
  const at = printMoment(end.at, options);
  if (end.kind === "complete") {
    return stages.length === 0 ? "Every stage has been reached." : `Ends ${at} with seed ${seed}.`;
  }
  const open = stages.find(({ endedAt }) => endedAt === undefined);
  const where = open === undefined ? "" : ` in ${open.name}`;
  return `Does not end: nothing moves${where} after ${at}.\n  ${printText(end.reason.message)}\n  waits for ${end.reason.owner}`;
}

function printSaving({ savings }: Simulated): readonly string[] {
  const [first] = savings;
  return first === undefined
    ? []
    : [`Shortens it most: ${first.change} it ends ${printLength(first.savedMs)} earlier.`];
}

function printSkipped({ stages }: SimulatedRun): readonly string[] {
  const skipped = stages
    .filter(({ skipped: count }) => count > 0)
    .map(({ name, skipped: count }) => `${count} in ${name}`);
  return skipped.length === 0 ? [] : [`Will be skipped: ${skipped.join(", ")}.`];
}

/** A table of stages, then when it ends and what it waits for. */
export function printSimulation(simulated: Simulated, campaign: Campaign, options: Options): string {
  const { run, spread, asked } = simulated;
  const head = `${campaign.name}: ${campaign.replaces.join(", ")} → ${campaign.target} from ${printMoment(run.start, options)}`;
  const table = printStages(run, options);
  const lines = [
    printEnd(run, options),
    ...(run.stages.length > 0 && spread.runs > 1 ? [printSpread(spread, asked, options)] : []),
    ...[printShares(run)].filter((line) => line !== ""),
    ...printSkipped(run),
    ...printSaving(simulated),
  ];
  const told = (sentences: readonly string[]) =>
    sentences.flatMap((line) => wrapText(line, chooseProse(options.width)));
  return `${[...told([head]), ...table, ...(table.length === 0 ? [] : [""]), ...told(lines)].join("\n")}\n`;
}
