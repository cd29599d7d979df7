import { anyEvent, type Event } from "#libs/events";
import { z } from "zod";

import { LedgerUnreadable, parseFile, printRecord } from "../records/records.ts";

/** What the commit that wrote it last tells people. No state is read from it. */
export const eventsFile = "events";

const form = z.object({ events: z.array(anyEvent) });

/** Events that one commit of the branch caused. */
export interface RecordedEvents {
  /** Of the commit. */
  readonly sha: string;
  readonly events: readonly Event[];
  /** The file is not what we write: what the commit caused is not known. */
  readonly fault?: LedgerUnreadable;
}

/** What the listing needs of the repository. */
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

/** What the commits after `from`, up to `to`, caused, oldest first; a commit that does not write the file caused nothing. */
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
