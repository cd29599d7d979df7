import type { Content } from "#libs/chat";
import type { EventData } from "#libs/events";

import type { Group } from "../../facts/group.ts";
import { listGroup } from "./group-lines.ts";
import { clipLines, escapeMrkdwn, quoteMrkdwn } from "../mrkdwn.ts";

/** One late patch of ours that was reverted. */
export function renderRevertedLine({ cluster, workload, reason }: EventData<"workloadReverted">): string {
  return `${quoteMrkdwn(workload, 120)} in ${quoteMrkdwn(cluster, 60)}: ${escapeMrkdwn(reason, 120)}`;
}

/** Patches that executors wrote late, against main, and that were reverted. */
export function renderReverted(group: Group): Content {
  const lines = [":leftwards_arrow_with_hook: *Writes of a late executor were put back*", ...listGroup(group)];
  return {
    text: "Writes of a late executor were put back.",
    blocks: [{ kind: "section", text: clipLines(lines, 3000) }],
  };
}
