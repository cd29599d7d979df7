import { identifyEvent, readEvent } from "#libs/events";

/** A message of the stream as a line of server-sent events. */
export interface KeptEvent {
  readonly id: string;
  readonly text: string;
}

/** Recent events, so that a reader that was cut off can continue. */
export interface EventMemory {
  /** Adds a message; undefined where readers are not notified of it, or where it is known. */
  add(body: string): KeptEvent | undefined;
  /** Merges the messages of the stream, oldest first. `wasAway`: this process did not listen all the time. */
  merge(bodies: readonly string[], wasAway: boolean): Missed;
  /** The events after this id, oldest first; undefined when it is not known any more. */
  since(id: string): readonly KeptEvent[] | undefined;
}

/** What was missed during an outage. */
export interface Missed {
  /** Events later than those known. The first time, the earlier ones are history for readers that continue. */
  readonly events: readonly KeptEvent[];
  /** There may have been more: no known event is among the stream's, or the history may be incomplete. */
  readonly isGap: boolean;
}

/** Both limits apply: many small events, or a few large ones. */
export const mostEvents = 1_000;
const mostCharacters = 4_000_000;

/** Server-sent events: a line for the name, one for the data, and an id to continue from. */
export function printEvent(name: string, data: string, id?: string): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${name}\ndata: ${data}\n\n`;
}

/** Undefined for text of others, for newer versions, and for hints, which are internal. */
function render(body: string): KeptEvent | undefined {
  try {
    const event = readEvent(body);
    if (event === undefined || event.type === "hint.v1.github" || /[\r\n\0]/.test(event.id)) return undefined;
    const id = identifyEvent(event);
    return { id, text: printEvent(event.type, JSON.stringify(event), id) };
  } catch {
    // Not JSON: another program publishes on our subjects.
    return undefined;
  }
}

export function createEventMemory(): EventMemory {
  let kept: KeptEvent[] = [];
  const ids = new Set<string>();
  let characters = 0;
  let isFirst = true;

  function note(event: KeptEvent): void {
    ids.add(event.id);
    characters += event.text.length;
  }

  function forgetOldest(): void {
    while (kept.length > mostEvents || (characters > mostCharacters && kept.length > 1)) {
      const oldest = kept.shift();
      if (oldest === undefined) return;
      ids.delete(oldest.id);
      characters -= oldest.text.length;
    }
  }

  /** The index in `recent` of the first event to send, and whether there may have been more. */
  function judge(recent: readonly KeptEvent[], wasAway: boolean) {
    const firstKnown = recent.findIndex(({ id }) => ids.has(id));
    if (!isFirst) {
      // Events before the first known one were sent before.
      return { first: Math.max(firstKnown, 0), isGap: firstKnown === -1 && kept.length > 0 && recent.length > 0 };
    }
    const first = firstKnown === -1 ? recent.length : firstKnown;
    // Where history ends is unknown if its end came while the bus was away.
    return { first, isGap: wasAway && first > 0 };
  }

  return {
    add(body) {
      const event = render(body);
      if (event === undefined || ids.has(event.id)) return undefined;
      kept.push(event);
      note(event);
      forgetOldest();
      return event;
    },
    merge(bodies, wasAway) {
      const read = bodies.map(render).filter((event) => event !== undefined);
      // The stream keeps both copies of a message that was published twice with minutes between.
      const inRecent = new Map(read.map((event) => [event.id, event]));
      const recent = [...inRecent.values()];
      const { first, isGap } = judge(recent, wasAway);
      const events = recent.slice(first).filter(({ id }) => !ids.has(id));
      for (const event of recent) if (!ids.has(event.id)) note(event);
      const known = kept.findIndex(({ id }) => inRecent.has(id));
      // Events before the match are older than all that was read, those after it newer. Without a match: the first time
      // everything known came meanwhile; later the stream was wiped, or is far ahead.
      const older = kept.slice(0, known === -1 ? (isFirst ? 0 : kept.length) : known);
      isFirst = false;
      const newer = kept.slice(older.length).filter(({ id }) => !inRecent.has(id));
      kept = [...older, ...recent, ...newer];
      forgetOldest();
      return { events, isGap };
    },
    since(id) {
      const index = kept.findLastIndex((event) => event.id === id);
      return index === -1 ? undefined : kept.slice(index + 1);
    },
  };
}
