import { ChatRefused, ChatUnavailable } from "./errors.ts";
import type { Chat, Content, Draft, Found, Marker } from "./port.ts";

/** A message as people see it. */
export interface FakeMessage extends Content {
  readonly id: string;
  readonly marker: Marker;
  readonly thread?: string;
  readonly broadcast: boolean;
  /** How often it was edited. */
  readonly edits: number;
}

/** A channel in memory; its methods cause faults. */
export interface FakeChat extends Chat {
  /** In the order of posting, replies included. */
  readonly messages: readonly FakeMessage[];
  /** Every call that reached it. */
  readonly calls: readonly string[];
  /** Makes every call fail until `connect`. */
  disconnect(): void;
  connect(): void;
  /** Stores the next posts and loses their answers. */
  loseAnswers(count: number): void;
  /** Throttles the next calls. */
  limit(count: number, retryAfterMs: number): void;
  /** Refuses every call, until called with undefined. */
  refuse(concerns: "setup" | "message" | undefined): void;
  /** Deletes a message as a person. */
  remove(id: string): void;
}

interface Faults {
  isUp: boolean;
  lost: number;
  limited: number;
  retryAfterMs: number;
  refused: "setup" | "message" | undefined;
}

/** Throws what the next call gets instead of an answer. */
function requireAnswer(faults: Faults): void {
  if (!faults.isUp) throw new ChatUnavailable("the chat in memory does not answer");
  if (faults.limited > 0) {
    faults.limited -= 1;
    throw new ChatUnavailable("the chat in memory wants us to wait", { retryAfterMs: faults.retryAfterMs });
  }
  if (faults.refused !== undefined) {
    throw new ChatRefused("the chat in memory said no", faults.refused, "call refuse(undefined)");
  }
}

function toFound({ id, marker }: FakeMessage): Found {
  return { id, marker };
}

/** An empty channel that answers. */
export function createFakeChat(): FakeChat {
  const messages: FakeMessage[] = [];
  const calls: string[] = [];
  const faults: Faults = { isUp: true, lost: 0, limited: 0, retryAfterMs: 0, refused: undefined };
  let posted = 0;

  function reach(call: string): void {
    calls.push(call);
    requireAnswer(faults);
  }

  function keep({ text, blocks, marker, thread, broadcast = false }: Draft): string {
    posted += 1;
    const id = `message-${posted}`;
    messages.push({ id, text, blocks, marker, broadcast, edits: 0, ...(thread === undefined ? {} : { thread }) });
    return id;
  }

  return {
    messages,
    calls,
    async post(draft) {
      reach(`post ${draft.marker.key}`);
      const id = keep(draft);
      if (faults.lost === 0) return id;
      faults.lost -= 1;
      throw new ChatUnavailable("the answer was lost");
    },
    async update(id, { text, blocks, marker }) {
      reach(`update ${marker.key}`);
      const index = messages.findIndex((each) => each.id === id);
      const before = messages[index];
      if (before === undefined) return false;
      messages[index] = { ...before, text, blocks, marker, edits: before.edits + 1 };
      return true;
    },
    async findRoots() {
      reach("findRoots");
      return messages
        .filter((each) => each.thread === undefined)
        .map(toFound)
        .toReversed();
    },
    async readThread(root) {
      reach(`readThread ${root}`);
      if (!messages.some((each) => each.id === root)) return [];
      return messages.filter((each) => each.id === root || each.thread === root).map(toFound);
    },
    disconnect: () => void (faults.isUp = false),
    connect: () => void (faults.isUp = true),
    loseAnswers: (count) => void (faults.lost = count),
    limit(count, retryAfterMs) {
      faults.limited = count;
      faults.retryAfterMs = retryAfterMs;
    },
    refuse: (concerns) => void (faults.refused = concerns),
    remove(id) {
      const index = messages.findIndex((each) => each.id === id);
      if (index !== -1) messages.splice(index, 1);
    },
  };
}
