import type { PastRecord } from "#libs/plan";

/** What was proven of main's history, for the next process with this clone. */
export interface PastNote {
  readonly baseline: string;
  /** The last commit that was taken in. */
  readonly at: string;
  /** The two files there; absent = there is none. */
  readonly texts: { readonly rollouts?: string; readonly settings?: string };
  /** The newest commit that changed something, and the two files there. */
  readonly last?: { readonly commit: string; readonly rollouts?: string; readonly settings?: string };
  readonly record: PastRecord;
}

/**
 * Raised with each change of this form, or of what makes two files differ: a note of another number is thrown away, and main is
 * read again from its files.
 */
const form = 2;

const head = `meshroll-past ${form}\n`;

export function printPast(note: PastNote): string {
  return `${head}${JSON.stringify(note)}`;
}

/** Undefined for no note, and one of another form. The clone hands out no note that a disk damaged, so this very code printed it. */
export function parsePast(text: string | undefined): PastNote | undefined {
  return text?.startsWith(head) === true ? (JSON.parse(text.slice(head.length)) as PastNote) : undefined;
}
