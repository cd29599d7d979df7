import type { Content } from "#libs/chat";
import type { EventData } from "#libs/events";

import { countItems, type Group } from "../../facts/group.ts";
import { listGroup } from "./group-lines.ts";
import { clipLines, escapeMrkdwn, quoteMrkdwn } from "../mrkdwn.ts";

type Failed = EventData<"workloadFailed">;

/** What failures have in common: the words of their pods differ, and would be a message each. */
export function nameFailure({ code, reason }: Pick<Failed, "code" | "reason">): string {
  return code ?? reason;
}

/** One workload's line in the message of its code, with what its pods said. */
export function renderFailureLine(failed: Failed): string {
  const { cluster, workload, revision, reverted, reason } = failed;
  const after = reverted ? "put back" : "left as it is";
  const said = reason === nameFailure(failed) ? "" : `; ${escapeMrkdwn(reason, 200)}`;
  return `${quoteMrkdwn(workload, 120)} in ${quoteMrkdwn(cluster, 60)}, to ${quoteMrkdwn(revision, 60)}: ${after}${said}`;
}

/** Workloads that failed with one code, in one message that grows; the first one is posted at once. */
export function renderFailures(failed: Pick<Failed, "run" | "code" | "reason">, group: Group): Content {
  const { run } = failed;
  const count = countItems(group);
  const title = `${count} ${count === 1 ? "workload" : "workloads"} failed: ${escapeMrkdwn(nameFailure(failed), 120)}`;
  const lines = [
    `:x: *${title}*`,
    ...listGroup(group),
    `*Once it is fixed* ${quoteMrkdwn(`meshroll retry run/${run} --reason "…"`)}`,
  ];
  return { text: `${title}.`, blocks: [{ kind: "section", text: clipLines(lines, 3000) }] };
}
