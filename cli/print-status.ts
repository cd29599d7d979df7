import type { FleetStatus } from "#libs/plan";

import { printAge, printTime } from "./print-time.ts";
import { printStops } from "./print-stops.ts";
import { columns, cutText, wrapText } from "./wrap-text.ts";

/** How many entries of a list a person is shown before "and N more". */
const shown = 5;

function list(items: readonly string[]): string {
  const rest = items.length - shown;
  return items.slice(0, shown).join(", ") + (rest > 0 ? `, and ${rest} more` : "");
}

function printWhere({ where }: FleetStatus): readonly string[] {
  return where.flatMap(({ bucket, namespaces, shares, mixed }) => {
    if (namespaces === 0) return [`${bucket}: no namespace`];
    const lines = shares.map(
      ({ revision, asked, actual, namespaces: count }) =>
        `  ${revision} asked ${asked} %, is ${actual} % (${count} of ${namespaces})`,
    );
    return [bucket, ...lines, ...(mixed > 0 ? [`  ${mixed} on their way, or on something else`] : [])];
  });
}

function printDoing({ doing }: FleetStatus): readonly string[] {
  return doing.map(({ cluster, workloads, run }) => {
    const of = run === "" ? "" : ` of run ${run}`;
    return workloads.length === 0 ? `${cluster}: a batch${of} is being taken` : `${cluster}: ${list(workloads)}${of}`;
  });
}

function printWaiting({ waitingFor }: FleetStatus): readonly string[] {
  // What holds a whole run waits in each of its clusters: said once.
  const lines = waitingFor.map(({ message, owner, until, command }) => {
    const deadline = until === undefined ? "" : ` until ${until}`;
    return `${message} [${owner}]${deadline}${command === undefined ? "" : `\n  ${command}`}`;
  });
  return [...new Set(lines)];
}

/** Columns before what an answer says. */
const margin = 13;

/** One answer under its name; further lines are indented below it. */
function printAnswer(name: string, lines: readonly string[]): string {
  const text = (lines.length === 0 ? ["nothing"] : lines).flatMap((line) => wrapText(line, columns - margin));
  return text.map((line, index) => `  ${(index === 0 ? name : "").padEnd(margin - 3)} ${line}`).join("\n");
}

function printRuns({ runs }: FleetStatus): string {
  return runs
    .flatMap((run) => {
      const counts = `${run.arrived}/${run.workloads} arrived, ${run.moving} moving, ${run.due} due, ${run.waiting} waiting`;
      const aside = run.aside.slice(0, shown).map((each) => `  ✖ ${each.cluster} ${each.workload}  ${each.reason}`);
      return [
        `run ${run.id}  ${counts}, ${run.asideTotal} aside`,
        `  ${run.subject} (${run.author})`,
        ...aside,
        ...(run.asideTotal > shown ? [`  … ${run.asideTotal - shown} more aside`] : []),
      ];
    })
    .flatMap((line) => wrapText(line))
    .join("\n");
}

function printClusters({ clusters }: FleetStatus): string {
  const header = ["CLUSTER", "MODE", "SEEN", "NS", "WORKLOADS", "ROLLING", "UNHEALTHY", "DRIFT"];
  const rows = clusters.map((each) => [
    each.name,
    each.mode,
    each.fresh ? `${each.ageSeconds}s` : `${each.ageSeconds}s!`,
    String(each.namespaces),
    `${each.workloads - each.unmanaged}/${each.workloads}`,
    String(each.rolling),
    String(each.unhealthy),
    String(each.drift),
  ]);
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  // A name may have 63 letters: it gives way, so that the figures stay below their titles.
  const rest = widths.slice(1).reduce((sum, width) => sum + width + 2, 0);
  widths[0] = Math.min(widths[0] ?? 0, columns - rest);
  const print = (row: readonly string[]) =>
    row
      .map((cell, column) => cutText(cell, widths[column] ?? 0).padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [header, ...rows].map(print).join("\n");
}

function printHead(status: FleetStatus): string {
  const age = status.wroteAt === undefined ? 0 : Date.now() - status.wroteAt;
  const silent =
    age < 30_000
      ? []
      : [`! no planner has written for ${printAge(age)}: this is its last word, and nothing new starts`, ""];
  const main = `main ${status.main.head.slice(0, 12)}  ${status.state}  (read ${status.main.ageSeconds}s ago)`;
  return [...silent, main, `status of ${printTime(Date.parse(status.at))}`]
    .flatMap((line) => wrapText(line))
    .join("\n");
}

/** The five answers for a person at a terminal: where, doing, waiting, otherwise, stop and undo (ux.md §0). */
export function printStatus(status: FleetStatus): string {
  const problems = status.clusters.flatMap(({ name, problems: all }) => all.map((each) => `! ${name}: ${each}`));
  const stops = printStops(status);
  const parts = [
    printHead(status),
    ...(status.runs.length > 0 ? [printRuns(status)] : []),
    [
      printAnswer("where", printWhere(status)),
      printAnswer("doing", printDoing(status)),
      printAnswer("waiting", printWaiting(status)),
      ...(stops.length > 0 ? [printAnswer("stopped", stops)] : []),
      printAnswer("otherwise", [status.otherwise]),
      printAnswer("stop", [status.stop.command, `  ${status.stop.effect}`]),
      printAnswer("undo", [status.undo.command, `  ${status.undo.effect}`]),
    ].join("\n"),
    ...(status.clusters.length > 0 ? [printClusters(status)] : []),
    ...(problems.length > 0 ? [problems.flatMap((line) => wrapText(line)).join("\n")] : []),
  ];
  return `${parts.join("\n\n")}\n`;
}
