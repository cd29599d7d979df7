import { lookUp } from "#libs/input";

import { ChatRefused, ChatUnavailable } from "./errors.ts";
import { SlackRateLimited, SlackRefusal } from "./slack-call.ts";

/** Used where Slack names no time: its slowest tier counts by the minute. */
const defaultBanMs = 60_000;

/** Slack's error codes that pass by themselves. */
const passing: readonly string[] = [
  "internal_error",
  "fatal_error",
  "service_unavailable",
  "request_timeout",
  "team_added_to_org",
  "ratelimited",
  "rate_limited",
  "message_limit_exceeded",
];

/** Error codes that concern one message only. */
const ofMessage: readonly string[] = [
  "invalid_blocks",
  "invalid_blocks_format",
  "msg_too_long",
  "msg_blocks_too_long",
  "no_text",
  "metadata_too_large",
  "metadata_must_be_sent_from_app",
  "invalid_metadata_format",
  "invalid_metadata_schema",
  "cant_update_message",
  "edit_window_closed",
];

const scopes = "chat:write and channels:history (groups:history for a private channel)";
const fixes: Readonly<Record<string, string>> = {
  channel_not_found: "invite the app to the channel, and give MESHROLL_SLACK_CHANNEL its id (C…)",
  not_in_channel: "invite the app to the channel: /invite @meshroll",
  is_archived: "unarchive the channel, or name another one in MESHROLL_SLACK_CHANNEL",
  restricted_action: "allow the app to post in the channel (channel settings, posting permissions)",
  missing_scope: `give the app the bot scopes ${scopes}, and install it again`,
  invalid_auth: "put a valid bot token (xoxb-…) into MESHROLL_SLACK_TOKEN",
  token_revoked: "install the app again, and put the new token into MESHROLL_SLACK_TOKEN",
  token_expired: "put a new token into MESHROLL_SLACK_TOKEN",
  account_inactive: "install the app again, and put the new token into MESHROLL_SLACK_TOKEN",
  not_authed: "put a bot token (xoxb-…) into MESHROLL_SLACK_TOKEN",
};

/** Slack's error code, such as `channel_not_found`; undefined for other errors. */
export function readSlackError(error: unknown): string | undefined {
  return error instanceof SlackRefusal ? error.word : undefined;
}

/** Ms that Slack asks us to wait; undefined for other errors. */
export function readBanMs(error: unknown): number | undefined {
  if (error instanceof SlackRateLimited) {
    return error.retryAfter === undefined ? defaultBanMs : Math.max(1, error.retryAfter) * 1000;
  }
  const word = readSlackError(error);
  return word === "ratelimited" || word === "rate_limited" ? defaultBanMs : undefined;
}

function describeNeeds({ needed }: SlackRefusal): string {
  return needed === undefined ? "" : `give the app the bot scope ${needed}, and install it again`;
}

function refuse(doing: string, error: SlackRefusal): ChatRefused {
  const word = error.word.slice(0, 200);
  const concerns = ofMessage.includes(word) ? "message" : "setup";
  const known =
    concerns === "message" ? "report it as a bug of meshroll: it wrote what Slack cannot show" : lookUp(fixes, word);
  const needs = describeNeeds(error);
  const fix = needs === "" ? (known ?? "look the word up at https://docs.slack.dev/reference/methods") : needs;
  const details = error.details.join("; ").slice(0, 500);
  const why = details === "" ? word : `${word} (${details})`;
  return new ChatRefused(`${doing} failed: Slack answered ${why}`, concerns, fix, { cause: error });
}

/** Turns an error of a call to Slack into what the caller must do. No message contains the token. */
export function classify(error: unknown, doing: string): Error {
  if (error instanceof ChatUnavailable || error instanceof ChatRefused) return error;
  const retryAfterMs = readBanMs(error);
  if (retryAfterMs !== undefined) {
    const message = `${doing} waits ${Math.ceil(retryAfterMs / 1000)} s: Slack's rate limit is used up`;
    return new ChatUnavailable(message, { cause: error, retryAfterMs });
  }
  if (error instanceof SlackRefusal && !passing.includes(error.word)) {
    // A proxy's page in place of JSON is no error code of Slack's, so no refusal.
    if (/^\w+$/.test(error.word)) return refuse(doing, error);
  }
  return new ChatUnavailable(`${doing} failed: ${describeFault(error)}`, { cause: error });
}

function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Node's fetch only says "fetch failed"; the reason is in the error's cause.
  const { cause } = error;
  return (cause instanceof Error && cause.message !== "" ? cause.message : error.message).slice(0, 200);
}
