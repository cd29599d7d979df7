import type {
  AuthTestResponse,
  ChatPostMessageResponse,
  ChatUpdateResponse,
  ConversationsHistoryResponse,
  ConversationsListResponse,
} from "@slack/web-api";

import type { Channel, SlackMessage, Written } from "./channel.ts";
import { readBlocks, readMetadata } from "./check-blocks.ts";
import type { Published } from "./published.ts";
import { Refusal } from "./refusal.ts";
import { requireAccess, requireKinds } from "./scopes.ts";
import { showMessage } from "./show-message.ts";

/** A call after its token was recognised. */
export interface Call {
  readonly method: string;
  /** Of the token. */
  readonly scopes: readonly string[];
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
/** On a page, as Slack documents it. */
const mostMessages = 999;
const mostChannels = 1000;

function requireParam({ params }: Call, name: string): string {
  const value = params.get(name);
  if (value === undefined || value === "") throw new Refusal("invalid_arguments", [`missing required field: ${name}`]);
  return value;
}

function requireChannel(call: Call): readonly [id: string, channel: Channel] {
  const id = requireParam(call, "channel");
  return [id, requireAccess(call.method, call.scopes, call.channels.get(id))];
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
  return {
    channel: id,
    ts: message.ts,
    message: showMessage(message, 0, true),
  } satisfies Published<ChatPostMessageResponse>;
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
  return {
    channel: id,
    ts,
    text: message.text,
    message: showMessage(message, 0, true),
  } satisfies Published<ChatUpdateResponse>;
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly hasMore: boolean;
  readonly response_metadata: { readonly next_cursor: string };
}

/** One page of a list; Slack's cursors are opaque, ours are the place in base64. */
function takePage<Item>({ params }: Call, found: readonly Item[], most: number): Page<Item> {
  const limit = Math.min(Math.max(Number(params.get("limit") ?? 100) || 100, 1), most);
  const start = Number(Buffer.from(params.get("cursor") ?? "", "base64url").toString()) || 0;
  const hasMore = found.length > start + limit;
  const next_cursor = hasMore ? Buffer.from(String(start + limit)).toString("base64url") : "";
  return { items: found.slice(start, start + limit), hasMore, response_metadata: { next_cursor } };
}

function replyWithPage(call: Call, channel: Channel, found: readonly SlackMessage[]): Record<string, unknown> {
  const { items, hasMore, response_metadata } = takePage(call, found, mostMessages);
  const withMetadata = call.params.get("include_all_metadata") === "true";
  const countReplies = (root: string) => channel.messages.filter(({ threadTs }) => threadTs === root).length;
  const messages = items.map((each) =>
    showMessage(each, each.threadTs === undefined ? countReplies(each.ts) : 0, withMetadata),
  );
  return { messages, has_more: hasMore, response_metadata } satisfies Published<ConversationsHistoryResponse>;
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

/** Those of the kinds that are asked for; a private one is seen by its members alone. */
function listChannels(call: Call): Record<string, unknown> {
  const { channels, names, params, scopes } = call;
  const kinds = requireKinds(scopes, params.get("types"));
  const isHidden = params.get("exclude_archived") === "true";
  const shown = [...channels].filter(([, { isArchived, isPrivate, isMember }]) => {
    if (isArchived && isHidden) return false;
    return kinds.has(isPrivate ? "private_channel" : "public_channel") && (isMember || !isPrivate);
  });
  const { items, response_metadata } = takePage(call, shown, mostChannels);
  const found = items.map(([id, { isArchived, isPrivate, isMember }]) => {
    const kind = { is_channel: true, is_private: isPrivate, is_member: isMember, is_archived: isArchived };
    return { id, name: names.get(id) ?? id, ...kind };
  });
  return { channels: found, response_metadata } satisfies Published<ConversationsListResponse>;
}

function testToken({ user }: Call): Record<string, unknown> {
  return {
    url: "https://sandbox.slack.com/",
    team: "sandbox",
    user: "meshroll",
    user_id: user,
  } satisfies Published<AuthTestResponse>;
}

/** The subset of Slack's Web API that meshroll calls. */
export const methods: ReadonlyMap<string, Method> = new Map([
  ["auth.test", testToken],
  ["chat.postMessage", postMessage],
  ["chat.update", update],
  ["conversations.history", readHistory],
  ["conversations.replies", readReplies],
  ["conversations.list", listChannels],
]);
