import { type ApprovalRule, type Campaign, printDuration, type Stage } from "#libs/campaign";

import { printTime } from "../../records/index.ts";
import { code, escapeCell } from "../judging/pull-request-facts.ts";
import { printNumber } from "../print-tables.ts";
import type { Proposal } from "../proposal.ts";
import { estimateRollback, printAbout, type StageEstimate } from "./estimate.ts";
import type { ProposedStage } from "../stages/verdict.ts";

/** `2 approvals from team:mesh or user:ana (not the author's)`. */
export function printRule({ required, from, allowAuthor }: ApprovalRule): string {
  const count = `${required} approval${required === 1 ? "" : "s"}`;
  const whose = from.length === 0 ? "" : ` from ${from.map(escapeCell).join(" or ")}`;
  return `${count}${whose}${allowAuthor || required === 0 ? "" : " (not the author's)"}`;
}

function printMinute(at: number): string {
  return `${printTime(at).slice(0, 16).replace("T", " ")} UTC`;
}

/** Windows and freezes as the file says them: what they say at this minute is the status's to tell. */
function printCalendar({ settings }: Stage): string {
  const { windows, freezes } = settings;
  const allow = windows.filter(({ kind }) => kind === "allow");
  const deny = windows.filter(({ kind }) => kind === "deny");
  const print = (window: (typeof windows)[number]): string =>
    `\`${window.schedule}\` ${escapeCell(window.timeZone)} for ${printDuration(window.duration)}`;
  const parts = [
    ...(allow.length === 0 ? [] : [`only while a window is open (${allow.map(print).join(", ")})`]),
    ...(deny.length === 0 ? [] : [`never in ${deny.map(print).join(", ")}`]),
    ...freezes.map(
      ({ from, to, reason }) => `not from ${printMinute(from)} to ${printMinute(to)} (${escapeCell(reason)})`,
    ),
  ];
  return parts.length === 0 ? "" : `, ${parts.join("; ")}`;
}

function printWhenMerged({ stage }: ProposedStage, { clusters }: StageEstimate): string {
  const first = clusters.filter(({ wave }) => wave === clusters[0]?.wave).map(({ cluster }) => escapeCell(cluster));
  const waves = new Set(clusters.map(({ wave }) => wave)).size;
  const size = stage.settings.batch.batchSize;
  const others = waves > 1 ? `, then ${waves - 1} more wave${waves === 2 ? "" : "s"}` : "";
  const batch = `${size} workload${size === 1 ? "" : "s"} of a cluster at a time`;
  return `it starts at once with wave 1 (${first.join(", ")})${others}: ${batch}${printCalendar(stage)}.`;
}

function printIfNoAction({ settings }: Stage): string {
  const { autoMerge, approvals } = settings;
  if (autoMerge !== undefined)
    return `it merges itself ${printDuration(autoMerge.notice)} after this head was proposed, once both checks are green.`;
  const waits =
    approvals.required === 0 ? "a person to merge it" : `${printRule(approvals)}, and for a person to merge it`;
  return `nothing. It waits for ${waits}. It does not merge itself.`;
}

function printThen({ stages }: Campaign, stage: Stage): string {
  const { bake, gates } = stage.settings;
  const next = stages[stages.indexOf(stage) + 1];
  const healthy = bake === 0 ? [] : [`bake ${printDuration(bake)}`];
  const measured = gates.length === 0 ? [] : [`gates ${gates.map(({ name }) => code(name)).join(", ")}`];
  const before = [...healthy, ...measured];
  const after = next === undefined ? "the campaign is through" : `the pull request for ${code(next.name)}`;
  return `${before.length === 0 ? after : `${before.join("; ")}; then ${after}`}.`;
}

/** What happens when it is merged, when no one acts, and how to stop, undo or postpone it. */
export function printOutlook(proposed: ProposedStage, proposal: Proposal, estimate: StageEstimate): string {
  const { campaign, stage } = proposed;
  const scope = `campaign/${campaign.name}`;
  const time = printAbout(estimateRollback(stage, proposal.clusters));
  const { length } = proposal.moves;
  const namespaces = length === 1 ? "1 namespace" : `${printNumber(length)} namespaces`;
  const back = `at most ${namespaces} back, about ${time}, no window needed`;
  return [
    "### What happens",
    `- **When merged:** ${printWhenMerged(proposed, estimate)}`,
    `- **If no one acts:** ${printIfNoAction(stage)}`,
    `- **Then:** ${printThen(campaign, stage)}`,
    `- **Stop:** comment \`/meshroll pause REASON\`, or \`meshroll pause ${scope} --reason "…"\`.`,
    `- **Undo:** comment \`/meshroll rollback REASON\`: ${back}.`,
    `- **Not now:** close this pull request; you own the hold then, and \`meshroll unhold ${scope} --reason "…"\` brings it back.`,
  ].join("\n");
}
