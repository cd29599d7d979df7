import type { Block } from "./port.ts";

interface MrkdwnElement {
  readonly type: "mrkdwn";
  readonly text: string;
  readonly verbatim: boolean;
}

/** The blocks of Slack's Block Kit that we use. */
type SlackBlock =
  | {
      readonly type: "header";
      readonly text: { readonly type: "plain_text"; readonly text: string; readonly emoji: false };
    }
  | { readonly type: "section"; readonly text: MrkdwnElement }
  | { readonly type: "section"; readonly fields: readonly MrkdwnElement[] }
  | { readonly type: "context"; readonly elements: readonly MrkdwnElement[] };

/** `verbatim`: Slack makes no links, channels or mentions of text that looks like them. */
function toMrkdwn(text: string): MrkdwnElement {
  return { type: "mrkdwn", text, verbatim: true };
}

/** Our blocks in Slack's shape. */
export function toSlackBlock(block: Block): SlackBlock {
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
