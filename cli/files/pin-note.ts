import type { Bucket } from "#libs/rollouts";

/** Who pinned a namespace, until when and why: the comment after its key in `rollouts.yml`. */
export interface PinNote {
  readonly who: string;
  /** `2026-11-26`, or with a time `2026-11-26T16:30Z`. */
  readonly until: string;
  readonly why: string;
}

const form = /# meshroll: pin (\S+) until (\d{4}-\d\d-\d\d(?:T\d\d:\d\dZ)?)(?: (.*?))?\s*$/u;

/** The comment without its `#`. `who` is one word, because a blank ends it. */
export function printPinNote({ who, until, why }: PinNote): string {
  return `meshroll: pin ${who.replaceAll(/\s+/gu, "-")} until ${until} ${why}`;
}

/** The pin's note on a line of `rollouts.yml`; undefined for other comments. */
function readPinNote(line: string): PinNote | undefined {
  const [, who, until, why = ""] = form.exec(line) ?? [];
  return who === undefined || until === undefined ? undefined : { who, until, why };
}

/** The note after an entry's key; undefined when `meshroll pin` did not write it. */
export function findNote(text: string, { line }: Pick<Bucket, "line">): PinNote | undefined {
  return readPinNote(text.split("\n")[line - 1] ?? "");
}

/** Whole days are written as a date; the pin counts until that day ends. */
export function printUntil(iso: string, isWholeDays: boolean): string {
  return isWholeDays ? iso.slice(0, 10) : `${iso.slice(0, 16)}Z`;
}

/** Whether its time is over. Nothing happens by itself then. */
export function isOver({ until }: PinNote, now: number): boolean {
  const end = until.includes("T") ? Date.parse(until) : Date.parse(until) + 86_400_000;
  return end <= now;
}
