import type { Content } from "#libs/chat";
import type { EventData } from "#libs/events";

import { clipLines, escapeMrkdwn, linkMrkdwn, printMrkdwnTime, quoteMrkdwn } from "../mrkdwn.ts";

type Proposed = EventData<"stageProposed">;

function nameApprovals({ approvals = 0, from = [] }: Proposed): string {
  if (approvals === 0) return "it waits for a person to merge it";
  const who = from.length === 0 ? "" : ` of ${from.map((each) => quoteMrkdwn(each, 80)).join(", ")}`;
  return `it needs ${approvals} ${approvals === 1 ? "approval" : "approvals"}${who}, then a person merges it`;
}

function nameStage({ campaign, stage }: Pick<Proposed, "campaign" | "stage">): string {
  return `stage ${quoteMrkdwn(stage, 80)} of ${quoteMrkdwn(campaign, 80)}`;
}

/** A stage's pull request was opened: how many workloads it moves, and which approvals it needs. */
export function renderProposed(data: Proposed): Content {
  const { campaign, stage, pull, url, workloads } = data;
  const text = `Stage ${escapeMrkdwn(stage, 80)} of ${escapeMrkdwn(campaign, 80)} is proposed: ${workloads} workloads.`;
  const lines = [
    `:inbox_tray: *Proposed: ${nameStage(data)}*, ${linkMrkdwn(url, `pull request ${pull}`)}: ` +
      `${workloads} workloads move when it is merged`,
    `*Next* ${nameApprovals(data)}`,
    `*Not now* comment ${quoteMrkdwn("/meshroll hold REASON")}, or close it`,
  ];
  return { text, blocks: [{ kind: "section", text: clipLines(lines, 3000) }] };
}

/** A stage that is merged automatically unless a person holds it in time. */
export function renderMerging(data: EventData<"stageAutoMerge">): Content {
  const { campaign, stage, pull, url, mergesAt, workloads } = data;
  const moves = workloads === undefined ? "" : `: ${workloads} workloads move`;
  const when = printMrkdwnTime(mergesAt);
  const text = `Stage ${escapeMrkdwn(stage, 80)} of ${escapeMrkdwn(campaign, 80)} merges itself, at ${when} at the earliest.`;
  const lines = [
    `:alarm_clock: *Merges itself: ${nameStage(data)}*, ${linkMrkdwn(url, `pull request ${pull}`)}, ${when} at the earliest${moves}`,
    `*Not now* comment ${quoteMrkdwn("/meshroll hold REASON")}, or close it`,
  ];
  return { text, blocks: [{ kind: "section", text: clipLines(lines, 3000) }] };
}

/** A campaign is complete: its last stage is reached, and all its runs are over. */
export function renderCompleted({ campaign, target, runs, skipped }: EventData<"campaignCompleted">): Content {
  const left = skipped === 0 ? "all that its runs concerned is migrated" : `${skipped} workloads did not move`;
  const text = `Campaign ${escapeMrkdwn(campaign, 80)} is complete on ${escapeMrkdwn(target, 80)}: ${left}.`;
  const lines = [
    `:checkered_flag: *Campaign ${quoteMrkdwn(campaign, 80)} is complete* on ${quoteMrkdwn(target, 80)} after ${runs.length} runs: ${left}`,
    `*Next* ${quoteMrkdwn(`meshroll finish ${campaign}`, 150)}: removes revisions at 0 % and lists workloads that still run the old one`,
  ];
  return { text, blocks: [{ kind: "section", text: clipLines(lines, 3000) }] };
}
