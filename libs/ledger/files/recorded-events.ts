import { anyEvent, type Event } from "#libs/events";
import { z } from "zod";

import { LedgerUnreadable, parseFile, printRecord } from "../records/records.ts";

/** The file with the events of the newest commit that wrote it, for people. No state is read from it. */
export const eventsFile = "events";

const form = z.object({ events: z.array(anyEvent) });

/** Events recorded by one commit of the branch. */
export interface RecordedEvents {
  /** Id of the commit. */
  readonly sha: string;
  readonly events: readonly Event[];
  /** The file is not what we write, so the commit's events are unknown. */
  readonly fault?: LedgerUnreadable;
}

/** The call of `RolloutsRepository` that is used. */
interface History {
  readChanges(
    from: string | undefined,
    to: string,
    paths: readonly string[],
    each: (change: { readonly sha: string; readonly files: ReadonlyMap<string, string | undefined> }) => void,
  ): Promise<void>;
}

export function printEvents(events: readonly Event[]): string {
  return printRecord({ events });
}

function readEvents(text: string): Omit<RecordedEvents, "sha"> {
  try {
    return parseFile(form, eventsFile, text);
  } catch (error) {
    if (error instanceof LedgerUnreadable) return { events: [], fault: error };
    throw error;
  }
}

/** Events of the commits after `from` up to `to`, oldest first; commits that do not write the file are left out. */
export async function listRecordedEvents(
  history: History,
  from: string,
  to: string,
): Promise<readonly RecordedEvents[]> {
  const found: RecordedEvents[] = [];
  await history.readChanges(from, to, [eventsFile], ({ sha, files }) => {
    const text = files.get(eventsFile);
    if (text !== undefined) found.push({ sha, ...readEvents(text) });
  });
  return found;
}
