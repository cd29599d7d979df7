import type { SlackBlock, SlackMetadata } from "./check-blocks.ts";
import { findPings } from "./find-pings.ts";
import { Refusal } from "./refusal.ts";

/** A message as the channel keeps it. */
export interface SlackMessage {
  /** Its id: seconds since 1970 with six decimals, unique in the channel. */
  readonly ts: string;
  /** The root's `ts`; absent = a message of the channel itself. */
  readonly threadTs?: string;
  readonly user: string;
  text: string;
  blocks: readonly SlackBlock[];
  metadata: SlackMetadata | undefined;
  /** A reply that the channel shows, too. */
  readonly broadcast: boolean;
  /** `ts` of each edit. */
  readonly edits: string[];
  /** Whom it called, in all its states: empty for everything that meshroll writes. */
  readonly pings: string[];
}

export interface Written {
  readonly text: string;
  readonly blocks: readonly SlackBlock[];
  readonly metadata: SlackMetadata | undefined;
}

/** One channel's messages, in the order of posting. */
export interface Channel {
  readonly messages: readonly SlackMessage[];
  isArchived: boolean;
  /** Seen by its members alone. */
  readonly isPrivate: boolean;
  /** The bot was invited. */
  isMember: boolean;
  post(written: Written, user: string, threadTs: string | undefined, broadcast: boolean): SlackMessage;
  update(ts: string, written: Partial<Written>): SlackMessage;
  remove(ts: string): void;
}

export function createChannel(now: () => number, isPrivate = false, isMember = true): Channel {
  const messages: SlackMessage[] = [];
  let lastMicros = 0;

  function takeTs(): string {
    // Two in one millisecond must differ, and order must hold.
    lastMicros = Math.max(lastMicros + 1, now() * 1000);
    return `${Math.floor(lastMicros / 1e6)}.${String(lastMicros % 1e6).padStart(6, "0")}`;
  }

  return {
    messages,
    isArchived: false,
    isPrivate,
    isMember,
    post({ text, blocks, metadata }, user, threadTs, broadcast) {
      const root = messages.find(({ ts }) => ts === threadTs);
      if (threadTs !== undefined && root === undefined) throw new Refusal("thread_not_found");
      const message: SlackMessage = {
        ts: takeTs(),
        // An answer to a reply goes into the reply's thread.
        ...(root === undefined ? {} : { threadTs: root.threadTs ?? root.ts }),
        user,
        text,
        blocks,
        metadata,
        broadcast,
        edits: [],
        pings: [...findPings(text, blocks)],
      };
      messages.push(message);
      return message;
    },
    update(ts, { text, blocks, metadata }) {
      const message = messages.find((each) => each.ts === ts);
      if (message === undefined) throw new Refusal("message_not_found");
      message.text = text ?? message.text;
      message.blocks = blocks ?? message.blocks;
      message.metadata = metadata ?? message.metadata;
      message.edits.push(takeTs());
      message.pings.push(...findPings(message.text, message.blocks));
      return message;
    },
    remove(ts) {
      const index = messages.findIndex((each) => each.ts === ts);
      if (index !== -1) messages.splice(index, 1);
    },
  };
}
