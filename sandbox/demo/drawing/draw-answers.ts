import type { FleetStatus } from "#libs/plan";
import { type CommandStatus, lineComing, printPlainLine, printText, printWorkloadReason } from "#libs/wording";

import { cutText } from "./fit-text.ts";

type Run = FleetStatus["runs"][number];

function sayWhere({ where }: FleetStatus): string {
  // The bucket in which the asked and the actual share differ most is where something goes on.
  const shares = where.flatMap(({ bucket, namespaces, shares: all }) =>
    all.map((share) => ({ bucket, of: namespaces, ...share, gap: Math.abs(share.asked - share.actual) })),
  );
  const most = shares.toSorted((a, b) => b.gap - a.gap || a.asked - b.asked)[0];
  if (most === undefined) return "nothing is known yet";
  const { bucket, revision, asked, actual, namespaces, of } = most;
  return `${bucket} ${revision} requested ${asked} %, actual ${actual} % (${namespaces} of ${of})`;
}

function sayClusters(count: number): string {
  return count === 1 ? "one cluster" : `${count} clusters`;
}

function sayDoing({ doing }: FleetStatus): string {
  const migrating = doing.filter(({ workloads }) => workloads.length > 0);
  const count = migrating.reduce((sum, { workloads }) => sum + workloads.length, 0);
  const [first] = migrating;
  if (doing.length === 0) return "none in progress";
  const where = sayClusters((first === undefined ? doing : migrating).length);
  if (first === undefined) return `batches are being taken in ${where}`;
  const rest = count === 1 ? "" : `, ${count - 1} more`;
  return `${first.cluster} ${first.workloads[0] ?? ""}${rest} in ${where}`;
}

/** What only a person ends comes before what ends by itself. */
function sayWaiting({ waitingFor }: FleetStatus): string {
  const first = waitingFor.find(({ command, until }) => command !== undefined && until === undefined) ?? waitingFor[0];
  return first === undefined ? "nothing" : `${printText(first.message)} [${first.owner}]`;
}

/** In this folder the CLI is reached through npx. */
function sayCommand(command: string): string {
  return command.startsWith("meshroll ") ? `npx ${command}` : command;
}

function sayStatus({ command, effect }: CommandStatus): string {
  return command === undefined ? printText(effect) : sayCommand(command);
}

/** The five answers (ux.md §0), one line each. */
export function drawAnswers(status: FleetStatus, columns: number): string[] {
  const answers: readonly (readonly [name: string, text: string])[] = [
    ["where", sayWhere(status)],
    ["rollouts", sayDoing(status)],
    ["waiting", sayWaiting(status)],
    ["next", status.otherwise.map((each) => printPlainLine(lineComing(each))).join("; ")],
    ["stop", sayStatus(status.stop)],
    ["undo", sayStatus(status.undo)],
  ];
  return answers.map(([name, text]) => cutText(`${name.padEnd(10)} ${text}`, columns));
}

/** What was given up: the first that failed, else the first at all, with its reason. */
export function drawFailed({ skipped }: Run, columns: number): string[] {
  const first = skipped.find(({ failed }) => failed === true) ?? skipped[0];
  if (first === undefined) return [];
  const mark = first.failed === true ? "✖" : "•";
  return [cutText(`${mark} ${first.cluster} ${first.workload}  ${printWorkloadReason(first)}`, columns)];
}
