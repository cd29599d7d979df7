import { commitId } from "#libs/events";
import { z } from "zod";

/** The newest ledger commit that a process read without a doubt. */
export interface KnownLedger {
  readonly head: string;
  readonly sequence: number;
  /** The baseline that the branch's own history bears out, as `findBound` found it; absent in a note of before. */
  readonly baseline?: string;
}

const form = z.strictObject({
  version: z.literal(1),
  head: commitId,
  sequence: z.int().min(0),
  baseline: commitId.exactOptional(),
});

export function printKnownLedger({ head, sequence, baseline }: KnownLedger): string {
  return `${JSON.stringify({ version: 1, head, sequence, baseline })}\n`;
}

/** Undefined for no note, and for one that a disk damaged: then nothing is remembered. */
export function parseKnownLedger(text: string | undefined): KnownLedger | undefined {
  if (text === undefined) return undefined;
  try {
    const { version: _, ...known } = form.parse(JSON.parse(text));
    return known;
  } catch {
    return undefined;
  }
}
