import { lookUp } from "#libs/input";
import type { KeyValue } from "#libs/bus";
import type { Block, Chat } from "#libs/chat";

import type { Sink } from "../delivery/sink.ts";
import { createNotifyStore } from "../facts/notify-store.ts";
import { createRateLimiter } from "../delivery/rate-limiter.ts";
import { createRunStore, type RunStore } from "../facts/run-store.ts";
import { createSlackSink } from "./slack-sink.ts";
import { notifyOf, statusOf } from "../delivery/test-world.ts";

/** What a test sees of a channel. */
interface Seen {
  readonly messages: readonly {
    readonly text: string;
    readonly blocks: readonly Block[];
    readonly thread?: string;
  }[];
}

/** A Slack sink, with the run of these tests open. */
export interface SlackEnvironment<C> {
  readonly chat: C;
  readonly sink: Sink;
  readonly runs: RunStore;
  /** Another process with the same channel and an empty memory. */
  readonly other: () => Sink;
  readonly pass: (ms: number) => void;
  /** Every message's text; replies are indented. */
  readonly texts: () => readonly string[];
}

/** `chat` is an empty channel, `bucket` the KV `status`. */
export function makeSlackEnvironment<C extends Chat & Seen>(
  chat: C,
  bucket: KeyValue,
  status = statusOf(),
  notify = notifyOf(),
  others: Readonly<Record<string, Chat>> = {},
): SlackEnvironment<C> {
  let now = 1_000_000;
  const open = () => {
    const rules = createNotifyStore();
    rules.set(notify);
    const runs = createRunStore({ monotonic: () => now, wall: () => now }, (each) => rules.stageOf(each));
    runs.setStatus(status);
    const left = new Set<string>();
    const find = (name = ""): Chat => (left.has(name) ? chat : (lookUp(others, name) ?? chat));
    const channels = { open: async (name?: string) => find(name), leave: (name: string) => void left.add(name) };
    const rateLimiter = createRateLimiter(bucket, 5_000, () => now);
    return { runs, sink: createSlackSink({ channels, runs, rules, rateLimiter, monotonic: () => now }) };
  };
  const { runs, sink } = open();
  return {
    chat,
    sink,
    runs,
    other: () => open().sink,
    pass: (ms) => void (now += ms),
    texts: () => chat.messages.map(({ text, thread }) => (thread === undefined ? text : `  ${text}`)),
  };
}

/** The text of the run's message. */
export const rootText = "production: 5 to 25: running, 10 of 40 workloads run what was merged.";

/** The texts of one message's blocks. */
export function readBlocks(chat: Seen, index: number): string {
  return JSON.stringify(chat.messages[index]?.blocks);
}
