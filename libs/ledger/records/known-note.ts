import { commitId } from "#libs/events";
import { z } from "zod";

/** The newest ledger commit that a process accepted. */
export interface KnownLedger {
  readonly head: string;
  readonly sequence: number;
}

const form = z.strictObject({
  version: z.literal(1),
  head: commitId,
  sequence: z.int().min(0),
});

export function printKnownLedger({ head, sequence }: KnownLedger): string {
  return `${JSON.stringify({ version: 1, head, sequence })}\n`;
}

/** Undefined for an absent or damaged note: nothing is remembered then. */
export function parseKnownLedger(text: string | undefined): KnownLedger | undefined {
  if (text === undefined) return undefined;
  try {
    const { version: _, ...known } = form.parse(JSON.parse(text));
    return known;
  } catch {
    return undefined;
  }
}
