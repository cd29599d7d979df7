import type { Content } from "#libs/chat";
import type { Event } from "#libs/events";

import type { Group } from "../../facts/group.ts";
import { listGroup } from "./group-lines.ts";
import { clipLines, escapeMrkdwn, printMrkdwnTime, quoteMrkdwn } from "../mrkdwn.ts";

function nameStop(word: string, { who, why }: Readonly<Record<"who" | "why", string>>): string {
  return `${word} by ${escapeMrkdwn(who, 60)}: ${escapeMrkdwn(why, 120)}`;
}

function summarise(event: Event): string | undefined {
  if (event.type === "workload.v1.failed") {
    const { workload, cluster, reason } = event.data;
    return `${quoteMrkdwn(workload, 100)} in ${quoteMrkdwn(cluster, 60)} failed: ${escapeMrkdwn(reason, 80)}`;
  }
  if (event.type === "gate.v1.judged" && event.data.verdict === "fail") {
    return `gate ${quoteMrkdwn(event.data.gate, 60)} failed: ${escapeMrkdwn(event.data.why, 120)}`;
  }
  if (event.type === "stop.v1.placed")
    return nameStop(event.data.strength === "propose" ? "held" : "paused", event.data);
  if (event.type === "stop.v1.resumed")
    return nameStop(event.data.verb === "unhold" ? "unheld" : "resumed", event.data);
  return undefined;
}

/** One line about an event that could not be posted in time; undefined where it no longer matters. */
export function renderLateLine(event: Event): string | undefined {
  const line = summarise(event);
  return line === undefined ? undefined : `${printMrkdwnTime(event.at)}: ${line}`;
}

/** Events of a run while the chat could not be reached, in one message. */
export function renderLate(group: Group): Content {
  const title = "Sent late: what happened while Slack could not be reached";
  const lines = [
    `:hourglass_flowing_sand: *${title}*`,
    ...listGroup(group),
    "The first message of this thread is up to date.",
  ];
  return { text: `${title}.`, blocks: [{ kind: "section", text: clipLines(lines, 3000) }] };
}
