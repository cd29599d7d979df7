import { type Campaign, printDuration, type Stage } from "#libs/campaign";

import { printRule } from "../../markdown/approval-rule.ts";
import { code, escapeCell } from "../../markdown/cells.ts";
import { printAbout, printNumber } from "../../markdown/tables.ts";

/** What happens to a stage once it is merged, or is not. */
export interface OutlookWords {
  readonly campaign: Campaign;
  readonly stage: Stage;
  /** Clusters in which something moves, in the order in which they go; waves count from 1. */
  readonly clusters: readonly { readonly cluster: string; readonly wave: number }[];
  /** How many namespaces move. */
  readonly moves: number;
  /** About how long it takes to roll them back, ms. */
  readonly rollbackMs: number;
  /** Strategy `OnDeploy`: until the last workload is restarted at the latest, ms. */
  readonly latestMs: number;
}

/** `2026-11-19 12:00 UTC`. */
function printMinute(at: number): string {
  // oxlint-disable-next-line no-restricted-globals -- no clock is read
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** Windows and freezes as in the file; whether they are open now is shown in the status. */
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

/** Strategy `OnDeploy`: what moves workloads before the deadline, and the latest end. */
function printDeploys({ stage, latestMs }: OutlookWords, batch: string): string {
  const { settings } = stage;
  const deadline = printDuration(settings.deadline);
  const { admission } = settings;
  const age = admission === undefined ? "" : printDuration(admission.minDeploymentAge);
  const pods =
    admission === undefined
      ? ""
      : `, and each new pod of a manifest that is older than ${age} gets it too, as when a node is drained`;
  return (
    `nothing is restarted for ${deadline}. Owners' deploys bring the revision along${pods}. ` +
    `${deadline} after a wave has begun, batches restart the remaining workloads (${batch}${printCalendar(stage)}). ` +
    `The latest end is about ${printAbout(latestMs)} after the merge.`
  );
}

function printWhenMerged(outlook: OutlookWords): string {
  const { stage, clusters } = outlook;
  const first = clusters.filter(({ wave }) => wave === clusters[0]?.wave).map(({ cluster }) => escapeCell(cluster));
  const waves = new Set(clusters.map(({ wave }) => wave)).size;
  const size = stage.settings.batch.batchSize;
  const others = waves > 1 ? `, then ${waves - 1} more wave${waves === 2 ? "" : "s"}` : "";
  const batch = `${size} workload${size === 1 ? "" : "s"} of a cluster at a time`;
  if (stage.settings.strategy === "OnDeploy") return printDeploys(outlook, batch);
  return `it starts at once with wave 1 (${first.join(", ")})${others}: ${batch}${printCalendar(stage)}.`;
}

function printIfNoAction({ stage: { settings } }: OutlookWords): string {
  const { approvals } = settings;
  const notice = settings.autoMerge?.notice;
  if (notice !== undefined)
    return `it merges itself ${printDuration(notice)} after this head was proposed, once both checks are green.`;
  const waits =
    approvals.required === 0 ? "a person to merge it" : `${printRule(approvals)}, and for a person to merge it`;
  return `nothing. It waits for ${waits}. It does not merge itself.`;
}

function printThen({ campaign: { stages }, stage }: OutlookWords): string {
  const { bake, gates } = stage.settings;
  const next = stages[stages.indexOf(stage) + 1];
  const healthy = bake === 0 ? [] : [`bake ${printDuration(bake)}`];
  const measured = gates.length === 0 ? [] : [`gates ${gates.map(({ name }) => code(name)).join(", ")}`];
  const before = [...healthy, ...measured];
  const after = next === undefined ? "the campaign is complete" : `the pull request for ${code(next.name)}`;
  return `${before.length === 0 ? after : `${before.join("; ")}; then ${after}`}.`;
}

/** What happens when it is merged and when it is not, and how to stop, undo or postpone it. */
export function printOutlook(outlook: OutlookWords): string {
  const { campaign, moves, rollbackMs } = outlook;
  const scope = `campaign/${campaign.name}`;
  const namespaces = moves === 1 ? "1 namespace" : `${printNumber(moves)} namespaces`;
  const back = `at most ${namespaces} back, about ${printAbout(rollbackMs)}, no window needed`;
  return [
    "### What happens",
    `- **When merged:** ${printWhenMerged(outlook)}`,
    `- **If no one acts:** ${printIfNoAction(outlook)}`,
    `- **Then:** ${printThen(outlook)}`,
    `- **Stop:** comment \`/meshroll pause REASON\`, or \`meshroll pause ${scope} --reason "…"\`.`,
    `- **Undo:** comment \`/meshroll rollback REASON\`: ${back}.`,
    `- **Not now:** close this pull request; that places a hold of yours, and \`meshroll unhold ${scope} --reason "…"\` brings it back.`,
  ].join("\n");
}
