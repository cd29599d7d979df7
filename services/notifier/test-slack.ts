import { lookUp } from "#libs/input";
import type { KeyValue } from "#libs/bus";
import type { Block, Chat } from "#libs/chat";

import type { Desk } from "./desk.ts";
import { createNotifyBook } from "./notify-book.ts";
import { createPacer } from "./pacer.ts";
import { createRunBook, type RunBook } from "./run-book.ts";
import { createSlackDesk } from "./slack-desk.ts";
import { notifyOf, statusOf } from "./test-world.ts";

/** What a test sees of a channel. */
interface Seen {
  readonly messages: readonly {
    readonly text: string;
    readonly blocks: readonly Block[];
    readonly thread?: string;
  }[];
}

/** A desk of Slack, while the run of these tests is open. */
export interface SlackWorld<C> {
  readonly chat: C;
  readonly desk: Desk;
  readonly runs: RunBook;
  /** Another process with the same channel, which knows nothing yet. */
  readonly other: () => Desk;
  readonly pass: (ms: number) => void;
  /** Every message's text: a reply is indented. */
  readonly texts: () => readonly string[];
}

/** `chat` is an empty channel, `bucket` the KV `status`. */
export function makeSlackWorld<C extends Chat & Seen>(
  chat: C,
  bucket: KeyValue,
  status = statusOf(),
  notify = notifyOf(),
  others: Readonly<Record<string, Chat>> = {},
): SlackWorld<C> {
  let now = 1_000_000;
  const open = () => {
    const rules = createNotifyBook();
    rules.set(notify);
    const runs = createRunBook({ monotonic: () => now, wall: () => now }, (each) => rules.stageOf(each));
    runs.setStatus(status);
    const channels = { open: async (name: string | undefined) => lookUp(others, name ?? "") ?? chat };
    const pacer = createPacer(bucket, 5_000, () => now);
    return { runs, desk: createSlackDesk({ channels, runs, rules, pacer, monotonic: () => now }) };
  };
  const { runs, desk } = open();
  return {
    chat,
    desk,
    runs,
    other: () => open().desk,
    pass: (ms) => void (now += ms),
    texts: () => chat.messages.map(({ text, thread }) => (thread === undefined ? text : `  ${text}`)),
  };
}

/** What the run's message says first. */
export const rootText = "production: 5 to 25: running, 10 of 40 workloads run what was merged.";

/** The texts of one message's blocks. */
export function readBlocks(chat: Seen, index: number): string {
  return JSON.stringify(chat.messages[index]?.blocks);
}
