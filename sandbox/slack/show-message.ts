import type { SlackMessage } from "./channel.ts";

/** A message in Slack's shape; metadata only for who asks for it. */
export function showMessage(message: SlackMessage, replies: number, withMetadata: boolean): Record<string, unknown> {
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
  };
}
