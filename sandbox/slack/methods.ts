import type { Channel, SlackMessage, Written } from "./channel.ts";
import { readBlocks, readMetadata } from "./check-blocks.ts";
import { Refusal } from "./refusal.ts";
import { showMessage } from "./show-message.ts";

/** A call after its token was recognised. */
export interface Call {
  readonly params: ReadonlyMap<string, string>;
  /** The bot's user id. */
  readonly user: string;
  readonly channels: ReadonlyMap<string, Channel>;
  /** By id. */
  readonly names: ReadonlyMap<string, string>;
}

type Method = (call: Call) => Record<string, unknown>;

/** Longer ones are refused. */
const mostText = 40_000;

function requireParam({ params }: Call, name: string): string {
  const value = params.get(name);
  if (value === undefined || value === "") throw new Refusal("invalid_arguments", [`missing required field: ${name}`]);
  return value;
}

function requireChannel(call: Call): readonly [id: string, channel: Channel] {
  const id = requireParam(call, "channel");
  const channel = call.channels.get(id);
  if (channel === undefined) throw new Refusal("channel_not_found");
  return [id, channel];
}

function readWritten({ params }: Call): Written {
  const written = {
    text: params.get("text") ?? "",
    blocks: readBlocks(params.get("blocks")),
    metadata: readMetadata(params.get("metadata")),
  };
  if (written.text === "" && written.blocks.length === 0) throw new Refusal("no_text");
  if (written.text.length > mostText) throw new Refusal("msg_too_long");
  return written;
}

function postMessage(call: Call): Record<string, unknown> {
  const [id, channel] = requireChannel(call);
  if (channel.isArchived) throw new Refusal("is_archived");
  const broadcast = call.params.get("reply_broadcast") === "true";
  const message = channel.post(readWritten(call), call.user, call.params.get("thread_ts"), broadcast);
  return { channel: id, ts: message.ts, message: showMessage(message, 0, true) };
}

function update(call: Call): Record<string, unknown> {
  const [id, channel] = requireChannel(call);
  if (channel.isArchived) throw new Refusal("is_archived");
  const ts = requireParam(call, "ts");
  const { text, blocks, metadata } = readWritten(call);
  const given = {
    text,
    ...(call.params.has("blocks") ? { blocks } : {}),
    ...(metadata === undefined ? {} : { metadata }),
  };
  const message = channel.update(ts, given);
  return { channel: id, ts, text: message.text, message: showMessage(message, 0, true) };
}

/** One page of a list; Slack's cursors are opaque, ours are the place in base64. */
function replyWithPage(call: Call, channel: Channel, found: readonly SlackMessage[]): Record<string, unknown> {
  const limit = Math.min(Math.max(Number(call.params.get("limit") ?? 100) || 100, 1), 999);
  const start = Number(Buffer.from(call.params.get("cursor") ?? "", "base64url").toString()) || 0;
  const hasMore = found.length > start + limit;
  const withMetadata = call.params.get("include_all_metadata") === "true";
  const countReplies = (root: string) => channel.messages.filter(({ threadTs }) => threadTs === root).length;
  const messages = found
    .slice(start, start + limit)
    .map((each) => showMessage(each, each.threadTs === undefined ? countReplies(each.ts) : 0, withMetadata));
  const next_cursor = hasMore ? Buffer.from(String(start + limit)).toString("base64url") : "";
  return { messages, has_more: hasMore, response_metadata: { next_cursor } };
}

function readHistory(call: Call): Record<string, unknown> {
  const [, channel] = requireChannel(call);
  const oldest = Number(call.params.get("oldest") ?? 0);
  const latest = Number(call.params.get("latest") ?? Number.MAX_SAFE_INTEGER);
  const found = channel.messages.filter(
    ({ ts, threadTs, broadcast }) =>
      (threadTs === undefined || broadcast) && Number(ts) > oldest && Number(ts) <= latest,
  );
  return replyWithPage(call, channel, found.toReversed());
}

function readReplies(call: Call): Record<string, unknown> {
  const [, channel] = requireChannel(call);
  const ts = requireParam(call, "ts");
  const found = channel.messages.filter((each) => each.ts === ts || each.threadTs === ts);
  if (found.length === 0) throw new Refusal("thread_not_found");
  return replyWithPage(call, channel, found);
}

/** Every channel on one page: the sandbox has few. */
function listChannels({ channels, names, params }: Call): Record<string, unknown> {
  const isHidden = params.get("exclude_archived") === "true";
  const shown = [...channels].filter(([, { isArchived }]) => !isArchived || !isHidden);
  const found = shown.map(([id, { isArchived }]) => {
    return { id, name: names.get(id) ?? id, is_channel: true, is_member: true, is_archived: isArchived };
  });
  return { channels: found, response_metadata: { next_cursor: "" } };
}

/** The subset of Slack's Web API that meshroll calls. */
export const methods: ReadonlyMap<string, Method> = new Map([
  [
    "auth.test",
    ({ user }) => ({ url: "https://sandbox.slack.com/", team: "sandbox", user: "meshroll", user_id: user }),
  ],
  ["chat.postMessage", postMessage],
  ["chat.update", update],
  ["conversations.history", readHistory],
  ["conversations.replies", readReplies],
  ["conversations.list", listChannels],
]);
