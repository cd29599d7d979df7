import type { Content } from "#libs/chat";
import type { EventData } from "#libs/events";

import type { Group } from "../../facts/group.ts";
import { listGroup } from "./group-lines.ts";
import { clipLines, escapeMrkdwn, quoteMrkdwn } from "../mrkdwn.ts";

type Verdict = EventData<"gateJudged">["verdict"];

const titles: Readonly<Record<Verdict, readonly [icon: string, words: string]>> = {
  pass: [":white_check_mark:", "Gate passed"],
  fail: [":x:", "Gate failed"],
  noData: [":grey_question:", "Gate has no data"],
};

/** One gate: its name and the figures of its verdict. */
export function renderGateLine({ gate, why }: EventData<"gateJudged">): string {
  return `${quoteMrkdwn(gate, 60)}: ${escapeMrkdwn(why, 400)}`;
}

/** Gates with the same verdict, with their figures. */
export function renderGates(verdict: Verdict, group: Group): Content {
  const [icon, words] = titles[verdict];
  const lines = [`${icon} *${words}*`, ...listGroup(group)];
  return { text: `${words}.`, blocks: [{ kind: "section", text: clipLines(lines, 3000) }] };
}
