import type { EventData } from "#libs/events";
import { z } from "zod";

import { cleanText } from "#libs/runtime";

const note = z.object({
  stop: z.string(),
  scope: z.string(),
  who: z.string(),
  why: z.string(),
  strength: z.enum(["propose", "move"]).exactOptional(),
  cause: z.string().exactOptional(),
  until: z.string().exactOptional(),
});

/** What is needed to rewrite a stop's message at its end; a note has room for 6,000 characters. */
export function printStop(data: EventData<"stopPlaced">): string {
  return JSON.stringify({ ...data, who: cleanText(data.who, 100), why: cleanText(data.why, 600) });
}

/** Undefined for a final message, and for the note of another version. */
export function readStop(text: string | undefined): EventData<"stopPlaced"> | undefined {
  if (text === undefined) return undefined;
  try {
    return note.safeParse(JSON.parse(text)).data;
  } catch {
    // Not JSON, so not ours; the reply in the thread shows the end anyway.
    return undefined;
  }
}
