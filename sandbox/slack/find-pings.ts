import type { SlackBlock } from "./check-blocks.ts";

/** `<!here>`, `<!channel>`, `<!subteam^S1>`, `<@U1>`: what makes a phone ring. A date is none. */
const ping = /<(?:!(?!date\^)[^>]*|@[^>]*)>/g;

function listTexts(block: SlackBlock): readonly string[] {
  switch (block.type) {
    case "header":
    case "divider":
      return [];
    case "section":
      return [block.text, ...(block.fields ?? [])].flatMap((each) => (each?.type === "mrkdwn" ? [each.text] : []));
    case "context":
      return block.elements.flatMap((each) => (each.type === "mrkdwn" ? [each.text] : []));
  }
}

/** All accounts that a message mentions, as Slack reads it. */
export function findPings(text: string, blocks: readonly SlackBlock[]): readonly string[] {
  return [text, ...blocks.flatMap(listTexts)].flatMap((each) => each.match(ping) ?? []);
}
