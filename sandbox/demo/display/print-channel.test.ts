import { expect, test } from "vitest";

import type { SlackMessage } from "#sandbox/slack";

import { printChannel } from "./print-channel.ts";

function message(ts: string, text: string, extra: Partial<SlackMessage> = {}): SlackMessage {
  return { ts, text, user: "U1", blocks: [], metadata: undefined, broadcast: false, edits: [], pings: [], ...extra };
}

test("each message is printed above its thread, also when other messages came in between", () => {
  const messages = [
    message("1.0", "run a", { edits: ["2.0", "3.0"] }),
    message("1.5", "run b"),
    message("2.0", "it failed\nhere", { threadTs: "1.0" }),
  ];
  expect(printChannel(messages)).toBe(
    [
      "● meshroll (edited 2 times)",
      "  run a",
      "    ↳",
      "      it failed",
      "      here",
      "",
      "● meshroll",
      "  run b",
      "",
    ].join("\n"),
  );
});
