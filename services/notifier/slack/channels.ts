import { type Chat, ChatRefused, type Workspace } from "#libs/chat";
import type { Logger } from "#libs/runtime";

/** Finds channels by the names that campaigns give them. */
export interface Channels {
  /**
   * By `#name` or id; undefined: the notifier's own channel. A name that is not visible is logged, and the own channel is used.
   */
  open(name: string | undefined): Promise<Chat>;
  /** Call it when the channel takes no messages: the own channel is used for a while. */
  leave(name: string): void;
}

/** Real ms until a channel that was not found is looked up again: it may have been created, or the app invited. */
const lookUpAgainMs = 10 * 60_000;

const channelId = /^[CG][A-Z0-9]{5,}$/;

export interface ChannelParts {
  readonly workspace: Workspace;
  /** The notifier's own channel, by its id. */
  readonly own: string;
  readonly log: Pick<Logger, "warn">;
  /** Real ms. */
  readonly monotonic: () => number;
}

interface Known {
  readonly chat: Chat;
  /** Real ms; infinite for a channel that was found. */
  readonly until: number;
}

/** If a campaign's file names a channel that does not exist, its messages go to the own channel, so that none is lost. */
export function createChannels({ workspace, own, log, monotonic }: ChannelParts): Channels {
  const byId = new Map<string, Chat>();
  const known = new Map<string, Known>();

  function openId(id: string): Chat {
    const chat = byId.get(id) ?? workspace.open(id);
    byId.set(id, chat);
    return chat;
  }

  async function find(name: string): Promise<string | undefined> {
    try {
      return await workspace.findChannel(name);
    } catch (error) {
      if (!(error instanceof ChatRefused)) throw error;
      log.warn({ error }, "channels cannot be looked up by name");
      return undefined;
    }
  }

  return {
    async open(name) {
      if (name === undefined) return openId(own);
      const before = known.get(name);
      if (before !== undefined && monotonic() < before.until) return before.chat;
      if (channelId.test(name)) return openId(name);
      const id = await find(name);
      if (id === undefined) {
        log.warn({ channel: name }, "no channel of this name is seen: its messages go to the notifier's own channel");
      }
      const until = id === undefined ? monotonic() + lookUpAgainMs : Number.POSITIVE_INFINITY;
      const chat = openId(id ?? own);
      known.set(name, { chat, until });
      return chat;
    },
    leave(name) {
      log.warn({ channel: name }, "a channel takes no message: they go to the notifier's own channel");
      known.set(name, { chat: openId(own), until: monotonic() + lookUpAgainMs });
    },
  };
}
