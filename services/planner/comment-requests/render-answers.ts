import { escapeMarkdown, quoteMarkdown } from "#libs/scm";
import { type FleetStatus, narrowToRun, tellAnswers, type Snapshot } from "#libs/plan";
import { printPlainLine, type TextLine } from "#libs/wording";

import { usages } from "./command.ts";
import type { Subject } from "./subject.ts";

function showLine(line: TextLine): string {
  const told = escapeMarkdown(printPlainLine(line), 600);
  return line.command === undefined ? told : `${quoteMarkdown(line.command, 200)}: ${told}`;
}

function showList(name: string, lines: readonly string[]): string {
  return lines.length === 1
    ? `- **${name}**: ${lines[0]}`
    : `- **${name}**:\n${lines.map((line) => `  - ${line}`).join("\n")}`;
}

/** A table of the commands, with their effects. */
export function renderHelp(): string {
  const rows = usages.map(({ verb, words, effect }) => `| ${quoteMarkdown(`/meshroll ${verb}${words}`)} | ${effect} |`);
  return [
    "| command | effect |",
    "|---|---|",
    ...rows,
    "",
    "Before a reason a scope may stand: `campaign/NAME`, `run/ID`, `cluster/NAME`, `bucket/PATTERN`, `namespace/NAME`.",
  ].join("\n");
}

/** The five answers for the comment's pull request or the fleet, in the same words as everywhere else. */
export function renderStatus(subject: Subject, status: FleetStatus | undefined): string {
  if (status === undefined) return "The planner has not published a status yet.";
  const told = tellAnswers(pickStatus(subject, status));
  return [
    showList("Where", told.where.map(showLine)),
    showList("Rollouts", told.rollouts.map(showLine)),
    showList("Waiting for", told.waiting.map(showLine)),
    showList("If no one acts", told.next.map(showLine)),
    showList("Stop", [showLine(told.stop)]),
    showList("Undo", [showLine(told.undo)]),
    "",
    `As of ${escapeMarkdown(status.at)}.`,
  ].join("\n");
}

function pickStatus(subject: Subject, status: FleetStatus): Parameters<typeof tellAnswers>[0] {
  if (subject.kind === "fleet") return status;
  const campaign = status.campaigns?.find(({ name }) => name === subject.campaign);
  if (campaign !== undefined) return campaign;
  return subject.run === undefined ? status : narrowToRun(status, subject.run.id);
}

/** What a namespace should run, what it runs, and when it moves. */
export function renderNamespace(snapshot: Snapshot, namespace: string): string {
  const head = snapshot.specs.get(snapshot.main.head);
  if (head === undefined) return "main does not parse: what should run is unknown until it does.";
  const { revision, bucket, position, positionOf } = head.resolver.resolve(namespace);
  const pattern = quoteMarkdown(bucket.pattern, 200);
  const running = listRunning(snapshot, namespace);
  return [
    `- **Should run** ${quoteMarkdown(revision, 80)}: the entry ${pattern} decides (line ${bucket.line} of rollouts.yml)`,
    `- **Runs** ${running.length === 0 ? "nowhere that meshroll sees" : running.join(", ")}`,
    ...renderMove(pattern, revision, position, positionOf),
    `- **Opt out**: ${quoteMarkdown(`meshroll pin ${namespace} ${revision}`)} proposes an entry of its own`,
  ].join("\n");
}

function renderMove(
  pattern: string,
  revision: string,
  position: number | undefined,
  target: string | undefined,
): readonly string[] {
  if (position === undefined || target === undefined) return [];
  // Rounded down: the namespace moves once the share is above its position, so a value rounded up would be a share at which
  // it has moved already.
  const at = Math.floor(position * 100) / 100;
  if (revision === target)
    return [`- **Moves back** when ${pattern} gives ${quoteMarkdown(target, 80)} ${at} % or less`];
  return [`- **Moves** when ${pattern} gives ${quoteMarkdown(target, 80)} more than ${at} %`];
}

/** The revisions of a namespace's pods, by cluster. */
function listRunning({ clusters }: Snapshot, namespace: string): readonly string[] {
  return [...clusters.values()].flatMap(({ name, namespaces }) => {
    const workloads = namespaces.get(namespace)?.workloads;
    if (workloads === undefined) return [];
    const pods = workloads.flatMap((each) => each.pods);
    const revisions = [...new Set(pods.map((pod) => pod.revision ?? "no mesh"))].slice(0, 4);
    const shown = revisions.map((each) => quoteMarkdown(each, 60)).join(" and ");
    return [`${quoteMarkdown(name, 60)} ${shown === "" ? "no pods" : shown}`];
  });
}
