import type { FleetStatus } from "#libs/plan";
import { type CommandStatus, lineComing, printPlainLine, printText, printWorkloadReason } from "#libs/wording";

import { cutText } from "./fit-text.ts";

type Run = FleetStatus["runs"][number];

function sayWhere({ where }: FleetStatus): string {
  // The bucket whose requested and actual share differ most is the one in progress.
  const shares = where.flatMap(({ bucket, namespaces, shares: all }) =>
    all.map((share) => ({ bucket, of: namespaces, ...share, gap: Math.abs(share.requested - share.actual) })),
  );
  const most = shares.toSorted((a, b) => b.gap - a.gap || a.requested - b.requested)[0];
  if (most === undefined) return "not known yet";
  const { bucket, revision, requested, actual, namespaces, of } = most;
  return `${bucket} ${revision} requested ${requested} %, actual ${actual} % (${namespaces} of ${of})`;
}

function sayClusters(count: number): string {
  return count === 1 ? "one cluster" : `${count} clusters`;
}

function sayRollouts({ rollouts }: FleetStatus): string {
  const migrating = rollouts.filter(({ workloads }) => workloads.length > 0);
  const count = migrating.reduce((sum, { workloads }) => sum + workloads.length, 0);
  const [first] = migrating;
  if (rollouts.length === 0) return "none in progress";
  const where = sayClusters((first === undefined ? rollouts : migrating).length);
  if (first === undefined) return `batches are starting in ${where}`;
  const rest = count === 1 ? "" : `, ${count - 1} more`;
  return `${first.cluster} ${first.workloads[0] ?? ""}${rest} in ${where}`;
}

/** A wait that only a person can end goes before one that ends by itself. */
function sayWaiting({ waiting }: FleetStatus): string {
  const first = waiting.find(({ command, until }) => command !== undefined && until === undefined) ?? waiting[0];
  return first === undefined ? "nothing" : `${printText(first.message)} [${first.owner}]`;
}

/** In the checkout the CLI is started by npx. */
function sayCommand(command: string): string {
  return command.startsWith("meshroll ") ? `npx ${command}` : command;
}

function sayStatus({ command, effect }: CommandStatus): string {
  return command === undefined ? printText(effect) : sayCommand(command);
}

/** The answers of `meshroll status`, one line each. */
export function drawAnswers(status: FleetStatus, columns: number): string[] {
  const answers: readonly (readonly [name: string, text: string])[] = [
    ["where", sayWhere(status)],
    ["rollouts", sayRollouts(status)],
    ["waiting", sayWaiting(status)],
    ["next", status.next.map((each) => printPlainLine(lineComing(each))).join("; ")],
    ["stop", sayStatus(status.stop)],
    ["undo", sayStatus(status.undo)],
  ];
  return answers.map(([name, text]) => cutText(`${name.padEnd(10)} ${text}`, columns));
}

/** One skipped workload with its reason: the first that failed, else the first. */
export function drawFailed({ skipped }: Run, columns: number): string[] {
  const first = skipped.find(({ failed }) => failed === true) ?? skipped[0];
  if (first === undefined) return [];
  const mark = first.failed === true ? "✖" : "•";
  return [cutText(`${mark} ${first.cluster} ${first.workload}  ${printWorkloadReason(first)}`, columns)];
}
