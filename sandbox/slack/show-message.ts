import type { ConversationsHistoryResponse } from "@slack/web-api";

import type { SlackMessage } from "./channel.ts";
import type { Published } from "./published.ts";

/** A message of an answer, as Slack's own SDK types it. */
type Shown = Published<NonNullable<ConversationsHistoryResponse["messages"]>[number]>;

/** A message in Slack's shape; metadata only where it was asked for. */
export function showMessage(message: SlackMessage, replies: number, withMetadata: boolean) {
  const { ts, threadTs, user, text, blocks, metadata, broadcast, edits } = message;
  const edited = edits.at(-1);
  return {
    type: "message",
    user,
    bot_id: "B00000001",
    ts,
    text,
    blocks,
    ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
    ...(replies === 0 ? {} : { thread_ts: ts, reply_count: replies }),
    ...(broadcast ? { subtype: "thread_broadcast" } : {}),
    ...(edited === undefined ? {} : { edited: { user, ts: edited } }),
    ...(withMetadata && metadata !== undefined ? { metadata } : {}),
  } satisfies Shown;
}
