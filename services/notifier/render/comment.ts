import type { BucketStatus } from "#libs/plan";

import type { RunSight } from "../run-facts.ts";
import { answerFive, nameHeir, type Command, countRun, nameState, type WaitAnswer } from "./five-answers.ts";
import { escapeMarkdown, quoteMarkdown } from "./markdown.ts";
import { drawBar } from "./progress-bar.ts";

const shownBuckets = 10;
const shownWaits = 5;
const shownReasons = 20;

/** Counted workloads that are aside for one reason, with the first ones. */
interface AsideReason {
  readonly reason: string;
  readonly count: number;
  readonly workloads: readonly string[];
}

/** Times differ from workload to workload; the reason is what people look for. */
function nameReason(reason: string): string {
  return reason.replace(/ at \d{4}-\d\d-\d\dT\S+/, "");
}

function collectAside({ facts, run }: RunSight): readonly AsideReason[] {
  if (facts.end?.reasons !== undefined) return facts.end.reasons;
  const groups = new Map<string, string[]>();
  for (const { cluster, workload, reason } of run?.aside ?? []) {
    const name = nameReason(reason);
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    group.push(`${cluster}:${workload}`);
  }
  return [...groups]
    .map(([reason, workloads]) => ({ reason, count: workloads.length, workloads: workloads.slice(0, 10) }))
    .toSorted((a, b) => b.count - a.count);
}

function showWhere(where: readonly BucketStatus[]): readonly string[] {
  if (where.length === 0) return [];
  const rows = where.slice(0, shownBuckets).flatMap(({ bucket, shares, namespaces }) =>
    shares.map(({ revision, asked, actual, namespaces: count }) => {
      const cells = [quoteMarkdown(bucket, 100), quoteMarkdown(revision, 60), `${asked} %`, `${actual} %`];
      return `| ${cells.join(" | ")} | ${count} of ${namespaces} |`;
    }),
  );
  const more = where.length > shownBuckets ? [`\n… and ${where.length - shownBuckets} more buckets`] : [];
  return ["", "| bucket | revision | asked | is | namespaces |", "|---|---|--:|--:|--:|", ...rows, ...more, ""];
}

function showWait({ message, owner, until, command, scopes }: WaitAnswer): string {
  const times = scopes > 1 ? ` (${scopes} clusters)` : "";
  const deadline = until === undefined ? "" : `, until ${escapeMarkdown(until)}`;
  const next = command === undefined ? "" : `: ${quoteMarkdown(command, 200)}`;
  return `${escapeMarkdown(message, 300)}${times}${deadline}. ${escapeMarkdown(owner, 80)}${next}`;
}

function showWaits(waits: readonly WaitAnswer[]): string {
  if (waits.length === 0) return "nobody";
  const more = waits.length > shownWaits ? [`and ${waits.length - shownWaits} more`] : [];
  return ["", ...waits.slice(0, shownWaits).map(showWait), ...more].join("\n  - ");
}

function showCommand({ command, effect }: Command): string {
  return command === "" ? escapeMarkdown(effect) : `${quoteMarkdown(command, 200)}: ${escapeMarkdown(effect)}`;
}

function showAside(sight: RunSight): readonly string[] {
  const reasons = collectAside(sight);
  const total = countRun(sight).aside;
  if (reasons.length === 0) return [];
  const rows = reasons.slice(0, shownReasons).map(({ reason, count, workloads }) => {
    const names = workloads.slice(0, 10).map((name) => quoteMarkdown(name, 120));
    const more = count > names.length ? ", …" : "";
    return `| ${count} | ${escapeMarkdown(reason, 200)} | ${names.join(", ")}${more} |`;
  });
  const title = `<details><summary>${total} not moved, by reason</summary>`;
  return ["", title, "", "| workloads | reason | the first |", "|--:|---|---|", ...rows, "", "</details>"];
}

function showCounts(sight: RunSight): string {
  const heir = nameHeir(sight);
  if (heir !== undefined) return heir;
  const { arrived, total, moving, waiting, aside } = countRun(sight);
  const open = sight.facts.end === undefined ? ` · ${moving} moving · ${waiting} waiting` : "";
  return `\`${drawBar(arrived, total)}\` **${arrived} of ${total}** workloads run what was merged${open} · ${aside} aside`;
}

/** The one status comment of a merged pull request: five answers and what did not move. Edited in place. */
export function renderComment(sight: RunSight): string {
  const { facts, silentSince } = sight;
  const { where, doing, waitingFor, otherwise, stop, undo } = answerFive(sight);
  const moving = doing.map(({ cluster, workloads }) => `${quoteMarkdown(cluster, 60)} (${workloads} rolling)`);
  const ended = facts.end === undefined ? "" : ` since ${escapeMarkdown(facts.end.at)}`;
  const silent =
    silentSince === undefined ? [] : ["", `> No word from the planner since ${escapeMarkdown(silentSince)}.`];
  return [
    `### Run ${quoteMarkdown(facts.id)} is ${nameState(sight)}${ended}`,
    ...silent,
    "",
    showCounts(sight),
    ...showWhere(where),
    `- **Doing**: ${moving.length === 0 ? "nothing moves now" : moving.join(", ")}`,
    `- **Waiting for**: ${showWaits(waitingFor)}`,
    `- **If nobody acts**: ${escapeMarkdown(otherwise === "" ? "not known yet" : otherwise, 400)}`,
    `- **Stop**: ${showCommand(stop)}`,
    `- **Undo**: ${showCommand(undo)}`,
    ...showAside(sight),
    "",
    "<sub>This comment is kept up to date until the run is over, and is then its record.</sub>",
  ].join("\n");
}
