import { identifyEvent, readEvent } from "#libs/events";

/** A message of the stream as a line of server-sent events. */
export interface KeptEvent {
  readonly id: string;
  readonly text: string;
}

/** Events of the last while, so that a reader who was cut off goes on where it was. */
export interface EventMemory {
  /** Keeps it; undefined when it is none that readers are notified of, or was here before. */
  add(body: string): KeptEvent | undefined;
  /** Puts what the stream has kept, oldest first, in its place. `wasAway`: it did not listen all the time until now. */
  merge(bodies: readonly string[], wasAway: boolean): Missed;
  /** What came after the event with this id, oldest first; undefined when that is not known any more. */
  since(id: string): readonly KeptEvent[] | undefined;
}

/** What a memory that was cut off did not hear. */
export interface Missed {
  /**
   * Later than what was heard before. The first time, what is not is history, for those who go on from somewhere.
   */
  readonly events: readonly KeptEvent[];
  /** There may have been more: nothing that was heard is among what the stream has kept, or history may be none. */
  readonly isGap: boolean;
}

/** Both bound the memory: many small ones, or a few large ones. */
export const mostEvents = 1_000;
const mostCharacters = 4_000_000;

/** Server-sent events: one line each of name and data, an id where one can go on from. */
export function printEvent(name: string, data: string, id?: string): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${name}\ndata: ${data}\n\n`;
}

/** Undefined for foreign text, for what a newer version says, and for hints, which are between us. */
function render(body: string): KeptEvent | undefined {
  try {
    const event = readEvent(body);
    if (event === undefined || event.type === "hint.v1.github" || /[\r\n\0]/.test(event.id)) return undefined;
    const id = identifyEvent(event);
    return { id, text: printEvent(event.type, JSON.stringify(event), id) };
  } catch {
    // Not JSON: another program publishes on our subjects, and no reader gets it.
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

  /** Where in `recent` begins what is told, and whether there may have been more. */
  function judge(recent: readonly KeptEvent[], wasAway: boolean) {
    const firstKnown = recent.findIndex(({ id }) => ids.has(id));
    if (!isFirst) {
      // What stands before the first known one was told long ago.
      return { told: Math.max(firstKnown, 0), isGap: firstKnown === -1 && kept.length > 0 && recent.length > 0 };
    }
    const told = firstKnown === -1 ? recent.length : firstKnown;
    // It is unknown where history ends, when the end of it could have been said while we were away.
    return { told, isGap: wasAway && told > 0 };
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
      // Told twice with minutes between, the stream keeps both.
      const inRecent = new Map(read.map((event) => [event.id, event]));
      const recent = [...inRecent.values()];
      const { told, isGap } = judge(recent, wasAway);
      const events = recent.slice(told).filter(({ id }) => !ids.has(id));
      for (const event of recent) if (!ids.has(event.id)) note(event);
      const known = kept.findIndex(({ id }) => inRecent.has(id));
      // What stands before it is older than all that was read; what was heard meanwhile is newer. Without one: the first
      // time all was heard meanwhile, later the stream was wiped, or is far ahead.
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
