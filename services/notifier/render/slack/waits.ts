import type { Content } from "#libs/chat";
import type { EventData } from "#libs/events";

import type { Group } from "../../facts/group.ts";
import { listGroup } from "./group-lines.ts";
import { clipLines, escapeMrkdwn, printMrkdwnTime, quoteMrkdwn } from "../mrkdwn.ts";

/** A wait that a person can end: what, its owner, until when, and the command. */
export function renderWaitLine({ message, owner, command, until }: EventData<"waitBegan">): string {
  const deadline = until === undefined ? "" : `, until ${printMrkdwnTime(until)}`;
  const next = command === undefined ? "" : `: ${quoteMrkdwn(command, 150)}`;
  return `${escapeMrkdwn(message, 600)}${deadline}. ${escapeMrkdwn(owner, 60)}${next}`;
}

/** How a wait, or a cluster's absence, ended. */
export function renderOver(sinceIso: string, atIso: string): string {
  const minutes = Math.max(1, Math.round((Date.parse(atIso) - Date.parse(sinceIso)) / 60_000));
  return `:white_check_mark: ended after ${minutes} min`;
}

/** Codes that are posted like waits but are none. */
const titles: ReadonlyMap<string, readonly [sign: string, title: string]> = new Map([
  ["OverwrittenByOwners", [":leftwards_arrow_with_hook:", "Put back by owners' deploys"]],
]);

/** Waits of one kind, in one message that is edited. */
export function renderWaits(code: string, group: Group): Content {
  const [sign, title] = titles.get(code) ?? [":hourglass:", `Waiting for a person: ${code}`];
  const lines = [`${sign} *${escapeMrkdwn(title, 120)}*`, ...listGroup(group)];
  return { text: `${escapeMrkdwn(title, 120)}.`, blocks: [{ kind: "section", text: clipLines(lines, 3000) }] };
}
