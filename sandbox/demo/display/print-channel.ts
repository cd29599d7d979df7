import type { SlackMessage } from "#sandbox/slack";

function indent(text: string, by: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? "" : by + line))
    .join("\n");
}

function printOne({ text, edits, threadTs }: SlackMessage): string {
  const edited = edits.length === 0 ? "" : ` (edited ${edits.length} times)`;
  return threadTs === undefined
    ? `● meshroll${edited}\n${indent(text, "  ")}`
    : `    ↳${edited}\n${indent(text, "      ")}`;
}

/** A Slack channel as text: each message with its thread below, in the plain text that screen readers get. */
export function printChannel(messages: readonly SlackMessage[]): string {
  const roots = messages.filter(({ threadTs }) => threadTs === undefined);
  const threads = roots.map((root) => [root, ...messages.filter(({ threadTs }) => threadTs === root.ts)]);
  return threads.map((thread) => `${thread.map(printOne).join("\n")}\n`).join("\n");
}
