import { z } from "zod";

import { classify, readBanMs, readSlackError } from "./classify.ts";
import { readFound, toMetadata } from "./marker.ts";
import { createPace } from "./pace.ts";
import type { Chat, Found, Workspace } from "./port.ts";
import { toSlackBlock } from "./slack-blocks.ts";
import { type CallSlack, createSlackCall, type SlackAccess } from "./slack-call.ts";

export interface SlackOptions extends SlackAccess {
  /** Between two posts, real ms; default 1,100: Slack takes about one message per second and channel. */
  readonly spacingMs?: number;
}

/** Most pages of history that are searched: 20 × 200 messages. */
const mostPages = 20;
const pageSize = 200;
/** In a workspace with more than 20,000 channels the id must be configured instead of the name. */
const channelPageSize = 1000;

const namedChannel = z.object({ id: z.string(), name: z.string() });

/** Error codes for a message that no longer exists. */
const gone: readonly string[] = ["message_not_found", "thread_not_found", "cant_update_message"];

const page = z.object({
  messages: z.array(z.unknown()).optional(),
  channels: z.array(z.unknown()).optional(),
  response_metadata: z.object({ next_cursor: z.string().optional() }).nullish(),
});

/** All messages of a paged answer; ends with the last page, or after `mostPages`. */
async function readPages(
  callSlack: CallSlack,
  method: string,
  query: Readonly<Record<string, unknown>>,
): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  let cursor: string | undefined;
  for (let count = 0; count < mostPages; count += 1) {
    const answer = page.parse(await callSlack(method, { ...query, cursor }));
    all.push(...(answer.messages ?? answer.channels ?? []));
    cursor = answer.response_metadata?.next_cursor;
    if (cursor === undefined || cursor === "") break;
  }
  return all;
}

function pickOurs(messages: readonly unknown[]): readonly Found[] {
  return messages.flatMap((each) => readFound(each) ?? []);
}

type Call = <T>(doing: string, work: () => Promise<T>) => Promise<T>;

/** A client for Slack. It sends nothing before the first call. All its channels share one rate limit. */
export function openSlack(options: SlackOptions): Workspace {
  const callSlack = createSlackCall(options);
  const pace = createPace(options.spacingMs ?? 1_100);
  async function call<T>(doing: string, work: () => Promise<T>): Promise<T> {
    pace.requireNoBan(doing);
    try {
      return await work();
    } catch (error) {
      const banMs = readBanMs(error);
      if (banMs !== undefined) pace.startBan(banMs);
      throw classify(error, doing);
    }
  }

  const findAmong = async (types: string, name: string): Promise<string | undefined> => {
    const query = { limit: channelPageSize, exclude_archived: true, types };
    const found = (await readPages(callSlack, "conversations.list", query)).flatMap(
      (each) => namedChannel.safeParse(each).data ?? [],
    );
    return found.find((each) => each.name === name.replace(/^#/, ""))?.id;
  };
  /** Private channels need another scope; without it the app sees none. */
  const findPrivate = async (name: string): Promise<string | undefined> => {
    try {
      return await findAmong("private_channel", name);
    } catch (error) {
      if (readSlackError(error) === "missing_scope") return undefined;
      throw error;
    }
  };
  const findByName = async (name: string): Promise<string | undefined> =>
    (await findAmong("public_channel", name)) ?? findPrivate(name);

  return {
    open: (channel) => openChannel({ callSlack, pace, call }, channel),
    findChannel: async (name) => call(`looking for the channel ${name} on Slack`, async () => findByName(name)),
  };
}

interface Line {
  readonly callSlack: CallSlack;
  readonly pace: ReturnType<typeof createPace>;
  readonly call: Call;
}

function openChannel({ callSlack, pace, call }: Line, channel: string): Chat {
  /** Returns `whenGone` where the error only says that the message was deleted. */
  async function callUnlessGone<T>(doing: string, whenGone: T, work: () => Promise<T>): Promise<T> {
    return call(doing, async () => {
      try {
        return await work();
      } catch (error) {
        if (gone.includes(readSlackError(error) ?? "")) return whenGone;
        throw error;
      }
    });
  }

  return {
    post: async ({ text, blocks, marker, thread, broadcast = false }) => {
      await pace.takeTurn();
      return call("posting a message to Slack", async () => {
        const common = { channel, text, blocks: blocks.map(toSlackBlock), metadata: toMetadata(marker) };
        const quietly = { unfurl_links: false, unfurl_media: false };
        const reply =
          thread === undefined ? {} : { thread_ts: thread, ...(broadcast ? { reply_broadcast: true } : {}) };
        const { ts } = await callSlack("chat.postMessage", { ...common, ...quietly, ...reply });
        if (typeof ts !== "string") throw new Error("Slack's answer has no ts");
        return ts;
      });
    },
    update: async (id, { text, blocks, marker }) =>
      callUnlessGone("editing a message on Slack", false, async () => {
        const metadata = toMetadata(marker);
        await callSlack("chat.update", { channel, ts: id, text, blocks: blocks.map(toSlackBlock), metadata });
        return true;
      }),
    findRoots: async (ageMs) =>
      call("reading the channel's messages on Slack", async () => {
        const oldest = String(Math.max(0, Date.now() - ageMs) / 1000);
        const query = { channel, oldest, limit: pageSize, include_all_metadata: true };
        return pickOurs(await readPages(callSlack, "conversations.history", query));
      }),
    readThread: async (root) =>
      callUnlessGone<readonly Found[]>("reading a thread on Slack", [], async () => {
        const query = { channel, ts: root, limit: pageSize, include_all_metadata: true };
        const found = pickOurs(await readPages(callSlack, "conversations.replies", query));
        return found[0]?.id === root ? found : [];
      }),
  };
}
