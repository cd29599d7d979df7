import { countEnded, findRollbackOf, type RunRecord } from "#libs/plan";
import { nameResume, nameTakeover, printWorkloadReason } from "#libs/wording";

import type { Sentence } from "../../../cli/terminal/sentence.ts";
import { wrapText } from "../../../cli/text/wrap-text.ts";
import type { Ending } from "./summarise.ts";

/** Skipped workloads that are named; the rest is counted. */
const shown = 3;

function isRollback({ changes }: RunRecord): boolean {
  return changes.some(({ direction }) => direction === "rollback");
}

function sayTime({ startedAt, endedAt }: RunRecord): string {
  if (endedAt === undefined) return "";
  return `, in ${Math.round((Date.parse(endedAt) - Date.parse(startedAt)) / 60_000)} min of cluster time`;
}

function printSkipped(ending: Ending, run: RunRecord): readonly string[] {
  const skipped = (run.outcome?.skipped ?? []).filter(({ neighbour }) => neighbour !== true);
  // What an earlier stage left over is counted, and named at that stage's end.
  const more = (countEnded(run)?.skipped ?? 0) - Math.min(shown, skipped.length);
  const lines = skipped.slice(0, shown).map(({ cluster, workload, ...reason }) => {
    const before = ending.brokenBefore.includes(`${cluster} ${workload}`);
    return `  • ${cluster} ${workload}\n      ${printWorkloadReason(reason)}${before ? "; it was broken before the campaign" : ""}`;
  });
  return more > 0 ? [...lines, `  … ${more} more skipped`] : lines;
}

function printRun(ending: Ending, run: RunRecord): readonly string[] {
  const { id, subject, state } = run;
  const stop = ending.stopped[id];
  const lines = [`  ${subject}`, ...(stop === undefined ? [] : [`  stopped: ${stop}`])];
  const { workloads = 0, migrated = 0, skipped = 0, failed = 0 } = countEnded(run) ?? {};
  const counts = `${migrated}/${workloads} migrated, ${skipped} skipped${failed === 0 ? "" : ` (${failed} failed)`}`;
  const back = findRollbackOf(run, ending.runs);
  if (back !== undefined) return [`run ${id} ${nameTakeover(back, true)}: ${counts}`, ...lines];
  const head = `${isRollback(run) ? "rollback" : "run"} ${id} ${state}: ${counts}${sayTime(run)}`;
  return [head, ...lines, ...printSkipped(ending, run)];
}

function printHold(stop: Ending["held"][number]): readonly Sentence[] {
  return [`held  ${stop.scope}: ${stop.why}`, ["      end it:  ", { command: `npx ${nameResume(stop)}` }]];
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}

function printVerdict({ violations, notJudged, rules, writes, clusters }: Ending): string {
  if (violations.length > 0)
    return `audit  ✖ failed: ${count(violations.length, "violation")}\n${violations.join("\n")}`;
  const passed = `audit  ✔ passed: ${rules} rules checked, ${writes} writes in ${clusters} clusters, no violation`;
  return [passed, ...notJudged.map((line) => `       ${line}`)].join("\n");
}

/** What happened, for people at 80 columns, where to look, and how to look at the reader's own fleet. */
export function printEnding(ending: Ending): string {
  const lines: readonly Sentence[] = [
    "",
    ...ending.runs.flatMap((run) => printRun(ending, run)),
    ...ending.held.flatMap(printHold),
    `sent  ${count(ending.told.messages, "Slack message")}, ${count(ending.told.comments, "pull request comment")}`,
    printVerdict(ending),
    `took ${Math.round(ending.tookMs / 1000)} s`,
    "",
    "look at it:",
    ["  ", { command: "git --git-dir .demo/rollouts.git log -p main" }],
    ["  ", { command: "git --git-dir .demo/rollouts.git log meshroll/ledger" }],
    ["  ", { command: "cat .demo/slack.txt" }],
    "your own clusters; none of these writes (docs/how-to/run-against-your-cluster.md):",
    ["  ", { command: "npx meshroll validate rollouts.yml" }],
    ["  ", { command: "npx meshroll status --kubeconfig ~/.kube/config --repo ../rollouts" }],
    ["  ", { command: "npx meshroll plan --kubeconfig ~/.kube/config --repo ../rollouts --to BRANCH" }],
    "",
  ];
  return lines.flatMap((line) => wrapText(line)).join("\n");
}
