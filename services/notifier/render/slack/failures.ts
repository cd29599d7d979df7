import type { Content } from "#libs/chat";
import type { EventData } from "#libs/events";
import { addressPage } from "#libs/input";
import { parseWorkloadName } from "#libs/plan";

import { countItems, type Group } from "../../facts/group.ts";
import { listGroup } from "./group-lines.ts";
import { clipLines, escapeMrkdwn, linkMrkdwn, quoteMrkdwn } from "../mrkdwn.ts";

type Failed = EventData<"workloadFailed">;

/** What failures have in common: the words of their pods differ, and would be a message each. */
export function nameFailure({ code, reason }: Pick<Failed, "code" | "reason">): string {
  return code ?? reason;
}

/** One workload's line in the message of its code, with what its pods said, and a link to its namespace on the page. */
export function renderFailureLine(failed: Failed, page?: string): string {
  const { cluster, workload, revision, reverted, reason } = failed;
  const after = reverted ? "put back" : "left as it is";
  const said = reason === nameFailure(failed) ? "" : `; ${escapeMrkdwn(reason, 200)}`;
  const address = addressPage(page, { code: "Namespace", name: parseWorkloadName(workload).namespace });
  const link = address === undefined ? "" : ` · ${linkMrkdwn(address, "page")}`;
  const names = `${quoteMrkdwn(workload, 120)} in ${quoteMrkdwn(cluster, 60)}, to ${quoteMrkdwn(revision, 60)}`;
  return `${names}: ${after}${said}${link}`;
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
