import { WebClient } from "@slack/web-api";

import { classify } from "./classify.ts";
import { quietLogger } from "./quiet-logger.ts";

/** What Slack says of a token. */
export interface ChatProbe {
  readonly team: string;
  readonly user: string;
}

/**
 * Asks Slack who the token is, and reads one message of the channel: what it may post only a post would show. Throws
 * `ChatUnavailable` or `ChatRefused`.
 */
export async function probeSlack(options: {
  readonly token: string;
  readonly channel?: string;
  readonly apiUrl?: string;
  /** For one call, real ms; default 10,000. */
  readonly timeoutMs?: number;
}): Promise<ChatProbe> {
  const { token, channel, apiUrl, timeoutMs = 10_000 } = options;
  const client = new WebClient(token, {
    ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl.endsWith("/") ? apiUrl : `${apiUrl}/` }),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: timeoutMs,
    // A token must never go where an answer says.
    allowAbsoluteUrls: false,
    logger: quietLogger,
  });
  try {
    const { team = "a team", user = "a bot" } = await client.auth.test();
    if (channel !== undefined) await client.conversations.history({ channel, limit: 1 });
    return { team, user };
  } catch (error) {
    throw classify(error, "asking Slack about the token");
  }
}
