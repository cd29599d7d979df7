import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { type Channel, createChannel, type SlackMessage } from "./channel.ts";
import { createFaults, type SlackFault } from "./faults.ts";
import { createRateLimit, type RateLimitOptions } from "./rate-limit.ts";
import { serve, type SlackCall } from "./serve.ts";

/** A bot; without `scopes` it may do all that meshroll does. */
export interface SlackToken {
  readonly token: string;
  readonly scopes?: readonly string[];
}

export interface SlackOptions {
  /** Default: any free one. Always on 127.0.0.1. */
  readonly port?: number;
  readonly tokens: readonly SlackToken[];
  /** Ids, `C…`. */
  readonly channels: readonly string[];
  /** Id -> name, without `#`; a channel that is not named is `channel-<n>`. */
  readonly names?: Readonly<Record<string, string>>;
  /** Ids of channels that are private. */
  readonly private?: readonly string[];
  /** Ids of channels to which the bot was not invited. */
  readonly uninvited?: readonly string[];
  /** Default: posts in bursts of 5, then one per second, and the tiers of all other methods, as Slack itself. */
  readonly rate?: RateLimitOptions;
}

/** A Slack on this machine: a message sink with threads, edits, markers and rate limits. */
export interface Slack {
  /** Base address of the API, to be set as `MESHROLL_SLACK_API_URL`. */
  readonly url: string;
  /** Everything that a channel got, in the order of posting; the objects follow edits. */
  messages(channel: string): readonly SlackMessage[];
  /** The last calls, oldest first. */
  readonly calls: readonly SlackCall[];
  /** Answers how to take the fault away again. */
  addFault(fault: SlackFault): () => void;
  archive(channel: string): void;
  /** As a member who invites the bot. */
  invite(channel: string): void;
  /** As a member who deletes a message. */
  remove(channel: string, ts: string): void;
  /** Breaks every connection, and every new one until the answer is called. */
  refuseConnections(): () => void;
  close(): Promise<void>;
}

const allScopes = ["chat:write", "channels:history", "channels:read", "groups:history", "groups:read"];
const mostCalls = 10_000;

/** Starts the stand-in. */
export async function startSlack(options: SlackOptions): Promise<Slack> {
  const has = (ids: readonly string[] | undefined, id: string): boolean => ids?.includes(id) === true;
  const make = (id: string): Channel => createChannel(Date.now, has(options.private, id), !has(options.uninvited, id));
  const channels = new Map<string, Channel>(options.channels.map((id) => [id, make(id)]));
  const faults = createFaults();
  const calls: SlackCall[] = [];
  let refusing = 0;
  const service = {
    tokens: new Map(options.tokens.map(({ token, scopes }) => [token, scopes ?? allScopes])),
    channels,
    names: new Map(options.channels.map((id, index) => [id, options.names?.[id] ?? `channel-${index + 1}`])),
    faults,
    rate: createRateLimit(options.rate ?? { burst: 5, perSecond: 1 }, () => performance.now()),
    record(call: SlackCall) {
      calls.push(call);
      if (calls.length > mostCalls) calls.shift();
    },
  };
  const server = createServer((request, response) => void serve(service, request, response));
  server.on("connection", (socket) => {
    if (refusing > 0) socket.destroy();
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");

  function requireChannel(id: string): Channel {
    const channel = channels.get(id);
    if (channel === undefined) throw new Error(`the sandbox has no channel ${id}`);
    return channel;
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`,
    messages: (channel) => requireChannel(channel).messages,
    calls,
    addFault: (fault) => faults.add(fault),
    archive: (channel) => void (requireChannel(channel).isArchived = true),
    invite: (channel) => void (requireChannel(channel).isMember = true),
    remove: (channel, ts) => requireChannel(channel).remove(ts),
    refuseConnections() {
      refusing += 1;
      server.closeAllConnections();
      let isOver = false;
      return () => {
        if (!isOver) refusing -= 1;
        isOver = true;
      };
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
