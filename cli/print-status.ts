import type { FleetStatus } from "#libs/plan";

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
  return waitingFor.map(({ message, owner, until, command }) => {
    const deadline = until === undefined ? "" : ` until ${until}`;
    return `${message} [${owner}]${deadline}${command === undefined ? "" : `\n  ${command}`}`;
  });
}

/** One answer under its name; further lines are indented below it. */
function printAnswer(name: string, lines: readonly string[]): string {
  const text = lines.length === 0 ? ["nothing"] : lines.flatMap((line) => line.split("\n"));
  return text.map((line, index) => `  ${(index === 0 ? name : "").padEnd(10)} ${line}`).join("\n");
}

function printRuns({ runs }: FleetStatus): string {
  return runs
    .map((run) => {
      const counts = `${run.arrived}/${run.workloads} arrived, ${run.moving} moving, ${run.due} due, ${run.waiting} waiting`;
      const head = `run ${run.id}  ${counts}, ${run.asideTotal} aside\n  ${run.subject} (${run.author})`;
      const aside = run.aside.slice(0, shown).map((each) => `  ✖ ${each.cluster} ${each.workload}  ${each.reason}`);
      return [head, ...aside, ...(run.asideTotal > shown ? [`  … ${run.asideTotal - shown} more aside`] : [])].join(
        "\n",
      );
    })
    .join("\n");
}

function printClusters({ clusters }: FleetStatus): string {
  const header = ["CLUSTER", "MODE", "SEEN", "NAMESPACES", "WORKLOADS", "ROLLING", "UNHEALTHY", "DRIFT"];
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
  const print = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [header, ...rows].map(print).join("\n");
}

/** The five answers for a person at a terminal: where, doing, waiting, otherwise, stop and undo (ux.md §0). */
export function printStatus(status: FleetStatus): string {
  const problems = status.clusters.flatMap(({ name, problems: all }) => all.map((each) => `! ${name}: ${each}`));
  const age = status.wroteAt === undefined ? 0 : Math.round((Date.now() - status.wroteAt) / 1000);
  const parts = [
    ...(age < 30 ? [] : [`! no planner has written for ${age} s: this is its last word, and nothing new starts`]),
    `main ${status.main.head.slice(0, 12)}  ${status.state}  (read ${status.main.ageSeconds}s ago, status of ${status.at})`,
    ...(status.runs.length > 0 ? [printRuns(status)] : []),
    [
      printAnswer("where", printWhere(status)),
      printAnswer("doing", printDoing(status)),
      printAnswer("waiting", printWaiting(status)),
      printAnswer("otherwise", [status.otherwise]),
      printAnswer("stop", [status.stop.command, `  ${status.stop.effect}`]),
      printAnswer("undo", [status.undo.command, `  ${status.undo.effect}`]),
    ].join("\n"),
    ...(status.clusters.length > 0 ? [printClusters(status)] : []),
    ...problems,
  ];
  return `${parts.join("\n\n")}\n`;
}
