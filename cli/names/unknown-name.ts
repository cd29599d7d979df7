import { suggestWord } from "#libs/input";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Sentence } from "../terminal/sentence.ts";

/** Kinds of names on a command line. */
export type Named =
  | "bucket"
  | "campaign"
  | "cluster"
  | "context"
  | "namespace"
  | "pin of"
  | "pull request"
  | "revision"
  | "run"
  | "stage"
  | "stop"
  | "workload";

/** The number of existing names in a message. */
const shown = 10;

export function listSome(names: readonly string[]): string {
  return names.slice(0, shown).join(", ") + (names.length > shown ? `, and ${names.length - shown} more` : "");
}

/** A name that does not exist, and similar ones that do. */
export interface UnknownName {
  readonly message: string;
  readonly help: readonly Sentence[];
}

/** The message for an unknown name: its kind, the nearest existing name, and what exists; `none` where there is nothing. */
export function describeUnknown(kind: Named, name: string, known: Iterable<string>, none?: Sentence): UnknownName {
  const names = [...new Set(known)].toSorted();
  const near = suggestWord(name, names);
  const listed = names.length === 0 ? (none ?? `there is no ${kind} at all`) : `known: ${listSome(names)}`;
  const guess = near === undefined ? [] : [`did you mean ${near}?`];
  return { message: `there is no ${kind} ${name}`, help: [...guess, listed] };
}

/** Refuses an unknown name with 65, alike in every command. */
export function refuseUnknown(kind: Named, name: string, known: Iterable<string>, none?: Sentence): Refusal {
  const { message, help } = describeUnknown(kind, name, known, none);
  return new Refusal(exitCodes.invalid, message, ...help);
}

/** Refuses where the existing names are known, and this is not among them. */
export function requireKnown(kind: Named, name: string, known: Iterable<string>, none?: Sentence): void {
  const names = new Set(known);
  if (!names.has(name)) throw refuseUnknown(kind, name, names, none);
}
