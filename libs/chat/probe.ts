import { classify } from "./classify.ts";
import { createSlackCall, type SlackAccess } from "./slack-call.ts";

/** Slack's answer about a token. */
export interface ChatProbe {
  readonly team: string;
  readonly user: string;
}

/**
 * Asks Slack which app the token belongs to, and reads one message of the channel. Whether it may post, only a post would show.
 * Throws `ChatUnavailable` or `ChatRefused`.
 */
export async function probeSlack(options: SlackAccess & { readonly channel?: string }): Promise<ChatProbe> {
  const { channel, ...access } = options;
  const callSlack = createSlackCall(access);
  try {
    const { team, user } = await callSlack("auth.test");
    if (channel !== undefined) await callSlack("conversations.history", { channel, limit: 1 });
    return { team: typeof team === "string" ? team : "a team", user: typeof user === "string" ? user : "a bot" };
  } catch (error) {
    throw classify(error, "asking Slack about the token");
  }
}
