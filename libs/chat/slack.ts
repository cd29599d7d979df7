import { WebClient } from "@slack/web-api";

import { z } from "zod";

import { classify, readBanMs, readSlackError } from "./classify.ts";
import { readFound, toMetadata } from "./marker.ts";
import { createPace } from "./pace.ts";
import type { Chat, Found, Workspace } from "./port.ts";
import { quietLogger } from "./quiet-logger.ts";
import { toSlackBlock } from "./slack-blocks.ts";

export interface SlackOptions {
  /** A bot token. */
  readonly token: string;
  /** Default `https://slack.com/api/`. */
  readonly apiUrl?: string;
  /** Between two posts, real ms; default 1,100: Slack takes about one message per second and channel. */
  readonly spacingMs?: number;
  /** For one call, real ms; default 10,000. */
  readonly timeoutMs?: number;
}

/** Pages of history that are looked through at most: 20 × 200 messages. */
const mostPages = 20;
const pageSize = 200;
/** Of channels; a workspace of more than 20,000 has to be told the id instead of the name. */
const channelPageSize = 1000;

const namedChannel = z.object({ id: z.string(), name: z.string() });

/** Words for a message that is not there any more. */
const gone: readonly string[] = ["message_not_found", "thread_not_found", "cant_update_message"];

interface Page {
  readonly messages?: readonly unknown[];
  readonly channels?: readonly unknown[];
  readonly response_metadata?: { readonly next_cursor?: string };
}

/** Every message of a paged answer; ends with the last page, or after `mostPages`. */
async function readPages(read: (cursor: string | undefined) => Promise<Page>): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const answer = await read(cursor);
    all.push(...(answer.messages ?? answer.channels ?? []));
    cursor = answer.response_metadata?.next_cursor;
    if (cursor === undefined || cursor === "") break;
  }
  return all;
}

function pickOurs(messages: readonly unknown[]): readonly Found[] {
  return messages.flatMap((each) => readFound(each) ?? []);
}

function createClient({ token, apiUrl, timeoutMs = 10_000 }: SlackOptions): WebClient {
  return new WebClient(token, {
    ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl.endsWith("/") ? apiUrl : `${apiUrl}/` }),
    // Off: it would post a second time when only the answer was lost. The caller looks for the marker, then tries again.
    retryConfig: { retries: 0 },
    // It would sleep with the whole queue for as long as Slack says; the caller is told instead.
    rejectRateLimitedCalls: true,
    timeout: timeoutMs,
    // A token must never go where an answer says.
    allowAbsoluteUrls: false,
    logger: quietLogger,
  });
}

type Call = <T>(doing: string, work: () => Promise<T>) => Promise<T>;

/** A Slack. Sends nothing before the first call. The rate limit is one for all its channels. */
export function openSlack(options: SlackOptions): Workspace {
  const client = createClient(options);
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

  const findByName = async (name: string): Promise<string | undefined> => {
    const query = { limit: channelPageSize, exclude_archived: true, types: "public_channel" };
    const read = async (cursor: string | undefined): Promise<Page> =>
      client.conversations.list({ ...query, ...(cursor === undefined ? {} : { cursor }) });
    const found = (await readPages(read)).flatMap((each) => namedChannel.safeParse(each).data ?? []);
    return found.find((each) => each.name === name.replace(/^#/, ""))?.id;
  };

  return {
    open: (channel) => openChannel({ client, pace, call }, channel),
    findChannel: async (name) => call(`looking for the channel ${name} on Slack`, async () => findByName(name)),
  };
}

interface Line {
  readonly client: WebClient;
  readonly pace: ReturnType<typeof createPace>;
  readonly call: Call;
}

function openChannel({ client, pace, call }: Line, channel: string): Chat {
  /** `whenGone` in place of an error that only says that the message was deleted. */
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
        const { ts } = await client.chat.postMessage({ ...common, ...quietly, ...reply });
        if (ts === undefined) throw new Error("Slack's answer has no ts");
        return ts;
      });
    },
    update: async (id, { text, blocks, marker }) =>
      callUnlessGone("editing a message on Slack", false, async () => {
        const metadata = toMetadata(marker);
        await client.chat.update({ channel, ts: id, text, blocks: blocks.map(toSlackBlock), metadata });
        return true;
      }),
    findRoots: async (ageMs) =>
      call("reading the channel's messages on Slack", async () => {
        const oldest = String(Math.max(0, Date.now() - ageMs) / 1000);
        const query = { channel, oldest, limit: pageSize, include_all_metadata: true };
        const read = async (cursor: string | undefined): Promise<Page> =>
          client.conversations.history({ ...query, ...(cursor === undefined ? {} : { cursor }) });
        return pickOurs(await readPages(read));
      }),
    readThread: async (root) =>
      callUnlessGone<readonly Found[]>("reading a thread on Slack", [], async () => {
        const query = { channel, ts: root, limit: pageSize, include_all_metadata: true };
        const read = async (cursor: string | undefined): Promise<Page> =>
          client.conversations.replies({ ...query, ...(cursor === undefined ? {} : { cursor }) });
        const found = pickOurs(await readPages(read));
        return found[0]?.id === root ? found : [];
      }),
  };
}
