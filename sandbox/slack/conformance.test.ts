import { describeChat } from "#conformance/chat";
import { type Chat, openSlack } from "#libs/chat";
import { onTestFinished } from "vitest";

import { startSlack } from "./index.ts";

const channel = "C0MESHROLL";
const token = "xoxb-token-of-the-bot";

describeChat("Slack over HTTP", async () => {
  const slack = await startSlack({ tokens: [{ token }], channels: [channel], rate: { burst: 100, perSecond: 100 } });
  onTestFinished(async () => slack.close());
  const open = (): Chat => openSlack({ token, apiUrl: slack.url, spacingMs: 0, timeoutMs: 2000 }).open(channel);
  let accept = () => undefined as void;
  return {
    chat: open(),
    other: open,
    readTexts: () => slack.messages(channel).map(({ text }) => text),
    breakOff: async () => void (accept = slack.refuseConnections()),
    fix: async () => accept(),
    loseNextAnswer: () => void slack.addFault({ method: "chat.postMessage", effect: { kind: "loseAnswer" } }),
    limitNext: (retryAfterSeconds) => void slack.addFault({ effect: { kind: "rateLimited", retryAfterSeconds } }),
    archive: () => slack.archive(channel),
    remove: (id) => slack.remove(channel, id),
  };
});
