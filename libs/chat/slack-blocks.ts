import type { KnownBlock, MrkdwnElement } from "@slack/web-api";

import type { Block } from "./port.ts";

/** `verbatim`: Slack makes no links, channels or mentions out of what merely looks like one. */
function toMrkdwn(text: string): MrkdwnElement {
  return { type: "mrkdwn", text, verbatim: true };
}

/** Our blocks in Slack's shape. */
export function toSlackBlock(block: Block): KnownBlock {
  switch (block.kind) {
    case "header":
      return { type: "header", text: { type: "plain_text", text: block.text, emoji: false } };
    case "section":
      return { type: "section", text: toMrkdwn(block.text) };
    case "fields":
      return { type: "section", fields: block.fields.map(toMrkdwn) };
    case "context":
      return { type: "context", elements: [toMrkdwn(block.text)] };
  }
}
