import type { Content } from "#libs/chat";
import type { EventData } from "#libs/events";

import { countItems, type Group } from "../../facts/group.ts";
import { listGroup } from "./group-lines.ts";
import { clipLines, escapeMrkdwn, quoteMrkdwn } from "../mrkdwn.ts";

type Failed = EventData<"workloadFailed">;

/** One workload's line in the message of its reason. */
export function renderFailureLine({ cluster, workload, revision, reverted }: Failed): string {
  const after = reverted ? "put back" : "left as it is";
  return `${quoteMrkdwn(workload, 120)} in ${quoteMrkdwn(cluster, 60)}, to ${quoteMrkdwn(revision, 60)}: ${after}`;
}

/** Workloads that failed for one reason, in one message that grows; the first one is posted at once. */
export function renderFailures({ run, reason }: Pick<Failed, "run" | "reason">, group: Group): Content {
  const count = countItems(group);
  const title = `${count} ${count === 1 ? "workload" : "workloads"} failed: ${escapeMrkdwn(reason, 120)}`;
  const lines = [
    `:x: *${title}*`,
    ...listGroup(group),
    `*Once it is fixed* ${quoteMrkdwn(`meshroll retry run/${run} --reason "…"`)}`,
  ];
  return { text: `${title}.`, blocks: [{ kind: "section", text: clipLines(lines, 3000) }] };
}
