import type { CameBy } from "./came-by.ts";
import type { ExplainedBucket, Explanation } from "./explanation.ts";
import { asksForOther, differs, printDrift } from "./drift.ts";
import { printFailed } from "./failed.ts";
import { printWaiting } from "./waiting.ts";
import type { ComingMove } from "../../files/find-moves.ts";
import { printTime, type TimeOptions } from "../../text/print-time.ts";
import { columns, wrapText } from "../../text/wrap-text.ts";
import { wrapLabelled } from "../../text/wrap-labelled.ts";
import type { NamespaceNow, RunsNow } from "../../read/read-runs.ts";
import type { Caller } from "../../terminal/called-as.ts";
import type { Sentence } from "../../terminal/sentence.ts";

/** Where a line has no label of its own. */
const blank = " ".repeat(12);

function printPlace(file: string, { line, column }: ExplainedBucket): string {
  return `${file}:${line}:${column}`;
}

function describeMatch({ characters }: ExplainedBucket, isDeciding: boolean): string {
  const length = characters === undefined ? "" : `${characters} characters`;
  if (isDeciding) return characters === undefined ? "✔ no other pattern matches" : `${length}  ✔ longest match`;
  return characters === undefined ? "  for what matches nothing else" : `${length}    matches, shorter`;
}

function printMatches({ file, matches }: Explanation): readonly string[] {
  const places = matches.map((match) => printPlace(file, match));
  const names = matches.map(({ pattern, characters }) => (characters === undefined ? pattern : `"${pattern}"`));
  const wide = Math.max(...places.map(({ length }) => length));
  const wideName = Math.max(...names.map(({ length }) => length));
  return matches.map((match, index) => {
    const cells = [places[index]?.padEnd(wide), names[index]?.padEnd(wideName), describeMatch(match, index === 0)];
    return `  ${cells.join("  ")}`;
  });
}

function printRamp({ ramp, revision, matches }: Explanation): readonly string[] {
  if (ramp === undefined) return [];
  const bucket = matches[0]?.pattern ?? "";
  const { position, from, to } = ramp;
  const moves =
    revision === to
      ? `back to ${from} when ${bucket} gives ${to} ${position} % or less`
      : `when ${bucket} gives ${to} more than ${position} %`;
  return [`  position  ${position} of 100`, `  moves     ${moves}`];
}

function printPin({ pinned, note, optOut, revision, namespace, goBack }: Explanation): readonly Sentence[] {
  if (note !== undefined) {
    const over = note.over ? ["            ! this pin is overdue: unpin it, or pin it again"] : [];
    const who = `  pinned    by ${note.who} until ${note.until}: ${note.why}`;
    return [who, ...over, [blank, { command: `meshroll unpin ${namespace} --reason "…"` }]];
  }
  if (pinned) return [`  pinned    its own entry keeps it on ${revision}`];
  // A namespace that has moved cannot opt out; how it goes back is shown below.
  return optOut === undefined ? [] : [[`  ${goBack === undefined ? "opt out" : "stay   "}   `, { command: optOut }]];
}

function nameRun({ run, direction }: CameBy): string {
  return direction === "rollback" ? `${run}, a rollback,` : run;
}

/** The run that brought it there, and how to go back; before the move, the pin that keeps it. */
function printWayBack({ cameBy, goBack, moves, optOut }: Explanation, zone: TimeOptions): readonly Sentence[] {
  const came =
    cameBy === undefined
      ? []
      : [
          `  by run    ${nameRun(cameBy)} of ${printTime(Date.parse(cameBy.startedAt), zone)}, from ${cameBy.from}`,
          `            ${cameBy.subject} (${cameBy.author})`,
        ];
  if (goBack === undefined) {
    const isComing = optOut !== undefined && moves.some(({ stage }) => stage !== undefined);
    return [...came, ...(isComing ? ["  go back   the same pin takes it back after it moved"] : [])];
  }
  const { pin, rollback } = goBack;
  const all = rollback === undefined ? [] : [`${blank}with all others of its run:`, [blank, { command: rollback }]];
  return [...came, ["  go back   ", { command: pin }], ...all];
}

/** What has to happen besides time. */
function printMerge({ merge }: ComingMove): readonly string[] {
  if (merge === undefined) return [];
  if (merge.itself) return ["            its pull request merges itself"];
  if (merge.required === 0) return ["            once a person merges its pull request"];
  const whose = merge.from.length === 0 ? "" : ` of ${merge.from.join(" or ")}`;
  return [`            once a person merges its pull request, with ${count(merge.required, "approval")}${whose}`];
}

function printStops({ stops }: ComingMove): readonly Sentence[] {
  return stops.flatMap(({ kind, scope, who, why, command }): readonly Sentence[] => [
    `  held      by a ${kind} on ${scope}, of ${who}: ${why}`,
    [blank, { command }],
  ]);
}

function printMove(move: ComingMove, zone: TimeOptions): readonly Sentence[] {
  const { campaign, to, stage, earliest, closed, excluded, stops } = move;
  const print = (iso: string) => printTime(Date.parse(iso), zone);
  const left =
    excluded === undefined
      ? []
      : [
          `  excluded  by ${campaign}${excluded.until === undefined ? "" : ` until ${print(excluded.until)}`}: ${excluded.reason}`,
        ];
  if (stage === undefined) return [`  campaign  ${campaign}: no stage brings it to ${to}`, ...left];
  const when =
    earliest === undefined
      ? `no window lets it begin within a year (${closed ?? "none opens"})`
      : `not before ${print(earliest)}${stops.length === 0 ? "" : ", and not while it is held"}`;
  return [
    `  campaign  ${campaign} brings it to ${to} with stage ${stage.name} (${stage.index} of ${stage.of})`,
    `            ${when}`,
    ...printMerge(move),
    ...printStops(move),
    ...left,
  ];
}

function countRevisions(workloads: readonly RunsNow[]): string {
  const counts = new Map<string, number>();
  for (const { revisions } of workloads) {
    for (const [revision, pods] of Object.entries(revisions)) counts.set(revision, (counts.get(revision) ?? 0) + pods);
  }
  return [...counts].map(([revision, pods]) => `${pods} on ${revision}`).join(", ");
}

/** `2 workloads, 1 of another kind, 5 pods, 12 VMs`. */
function countOwners(workloads: readonly RunsNow[]): string {
  const others = workloads.filter(({ isOther }) => isOther === true).length;
  const sum = (of: readonly RunsNow[]): number => of.reduce((all, each) => all + each.pods, 0);
  const vms = sum(workloads.filter((each) => each.vms !== undefined));
  const pods = sum(workloads.filter((each) => each.vms === undefined));
  const more = others === 0 ? [] : [`${others} of another kind`];
  const live = [...(pods === 0 && vms > 0 ? [] : [count(pods, "pod")]), ...(vms === 0 ? [] : [count(vms, "VM")])];
  return [count(workloads.length - others, "workload"), ...more, ...live].join(", ");
}

const vmStates = ["upgrading", "failed", "unhealthy", "unknown", "outdated", "absent"] as const;

/** How the VMs of groups that have some to name stand, each with the command that lists them. */
function printVms(workloads: readonly RunsNow[], namespace: string): readonly Sentence[] {
  return workloads.flatMap(({ cluster, workload, pods, vms }) => {
    const counts = vms === undefined ? [] : vmStates.filter((state) => vms[state] > 0);
    if (vms === undefined || counts.length === 0) return [];
    const said = counts.map((state) => `${vms[state]} ${state}`).join(", ");
    const group = workload.slice(workload.indexOf("/") + 1);
    return [
      `${blank}${cluster} ${workload}: ${said} of ${count(pods + vms.absent, "VM")}, at most ${vms.allowed} unavailable at once`,
      [`${blank}  `, { command: `meshroll get vms ${namespace}/${group}` }],
    ];
  });
}

/** What would give other revisions to new pods, and pods that have ended. */
function printSilent(namespaces: readonly NamespaceNow[], revision: string): readonly string[] {
  const asks = namespaces.flatMap(({ cluster, asks: own }) =>
    own
      .filter((each) => asksForOther(each, revision))
      .map(({ what, name, by }) => {
        return `${cluster} ${what} asks for ${name}${by === undefined ? "" : `, written by ${by}`}`;
      }),
  );
  const more = asks.length > shown ? [`${blank}… ${asks.length - shown} more (-o json has all)`] : [];
  const ended = namespaces.reduce((sum, { completed, failed }) => sum + completed + failed, 0);
  const failed = namespaces.reduce((sum, each) => sum + each.failed, 0);
  return [
    ...asks.slice(0, shown).map((line) => `${blank}${line}`),
    ...more,
    ...(ended === 0 ? [] : [`${blank}${count(ended, "injected pod")} ended, ${failed} of them failed`]),
  ];
}

function printRuns({ namespace, runs, revision }: Explanation): readonly Sentence[] {
  if (runs === undefined) return [];
  if ("unknown" in runs) return [`  runs      not known: ${runs.unknown}`];
  const { workloads, namespaces } = runs;
  if (namespaces.length === 0) return ["  runs      nothing: no cluster that was seen has it"];
  const silent = printSilent(namespaces, revision);
  if (workloads.length === 0) {
    const where = namespaces.map(({ cluster }) => cluster).join(", ");
    return [`  runs      no injected pod and no workload in ${where}`, ...silent];
  }
  // New pods count as well: a label that was put back shows on no pod until one is made.
  const isOnRevision = !differs(runs, revision);
  const head = `  runs      ${countOwners(workloads)}: ${countRevisions(workloads)}${isOnRevision ? " ✔" : ""}`;
  const others = workloads.filter(({ revisions }) => Object.keys(revisions).some((each) => each !== revision));
  const lines = others
    .slice(0, shown)
    .map(({ cluster, workload, revisions }) => `${blank}${cluster} ${workload}  ${Object.keys(revisions).join(", ")}`);
  const more = others.length > shown ? [`${blank}… ${others.length - shown} more (-o json has all)`] : [];
  return [head, ...lines, ...more, ...printVms(workloads, namespace), ...silent];
}

/** How many workloads that differ are named. */
const shown = 8;

function count(amount: number, word: string): string {
  return `${amount} ${word}${amount === 1 ? "" : "s"}`;
}

/** For people: the decision, other matches, when it changes, what runs, and how to stay, in lines of `width` columns. */
export function printExplanation(
  explanation: Explanation,
  zone: TimeOptions,
  caller: Caller,
  width: number = columns,
): string {
  const { namespace, revision, reason, matches, seed, unmanaged, commit, moves, stopsUnknown } = explanation;
  const shares = (matches[0]?.shares ?? []).map((share) => `${share.revision}: ${share.weight}`).join(", ");
  const labelled: readonly Sentence[] = [
    `  reason    ${reason}: ${matches[0]?.pattern} is ${shares}${seed === "" ? "" : ` (seed ${seed})`}`,
    ...printRamp(explanation),
    ...moves.flatMap((move) => printMove(move, zone)),
    ...(stopsUnknown === undefined || moves.length === 0 ? [] : [`  held      not known: ${stopsUnknown}`]),
    ...printRuns(explanation),
    ...printFailed(explanation.failed, (iso) => printTime(Date.parse(iso), zone)),
    ...printWaiting(explanation.waiting, { ...zone, terminal: caller }, explanation.failed !== undefined),
    ...printDrift(explanation.drift),
    ...(unmanaged === undefined ? [] : [`  note      ${unmanaged}`]),
    ...printPin(explanation),
    ...printWayBack(explanation, zone),
  ];
  const lines = [
    `${namespace} → ${revision}${commit === undefined ? "" : `   (main ${commit.slice(0, 12)})`}`,
    ...printMatches(explanation),
  ];
  const wrapped = [
    ...lines.flatMap((line) => wrapText(line, width)),
    ...labelled.flatMap((line) => wrapLabelled(line, blank.length, caller, width)),
  ];
  return `${wrapped.join("\n")}\n`;
}

/** One line as `git check-ignore -v` prints it: `file:line:pattern<TAB>namespace<TAB>revision`. */
export function printShort({ file, matches, namespace, revision }: Explanation): string {
  return `${file}:${matches[0]?.line}:${matches[0]?.pattern}\t${namespace}\t${revision}\n`;
}
