import { suggestWord } from "#libs/input";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Sentence } from "../terminal/sentence.ts";

/** What a name on a command line can be of. */
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

/** So many of the names that there are fit into a message. */
const shown = 10;

export function listSome(names: readonly string[]): string {
  return names.slice(0, shown).join(", ") + (names.length > shown ? `, and ${names.length - shown} more` : "");
}

/** A name that nothing has, and what there is instead, a line each. */
export interface UnknownName {
  readonly message: string;
  readonly help: readonly Sentence[];
}

/**
 * What every command says of a name that nothing has: what it was taken for, the nearest that there is, and what there is; `none`
 * where there is nothing.
 */
export function describeUnknown(kind: Named, name: string, known: Iterable<string>, none?: Sentence): UnknownName {
  const names = [...new Set(known)].toSorted();
  const near = suggestWord(name, names);
  const listed = names.length === 0 ? (none ?? `there is no ${kind} at all`) : `known: ${listSome(names)}`;
  const guess = near === undefined ? [] : [`did you mean ${near}?`];
  return { message: `there is no ${kind} ${name}`, help: [...guess, listed] };
}

/** Refuses a name that nothing has, with 65, the same in every command. */
export function refuseUnknown(kind: Named, name: string, known: Iterable<string>, none?: Sentence): Refusal {
  const { message, help } = describeUnknown(kind, name, known, none);
  return new Refusal(exitCodes.invalid, message, ...help);
}

/** Refuses where it is known what there is, and this is not among it. */
export function requireKnown(kind: Named, name: string, known: Iterable<string>, none?: Sentence): void {
  const names = new Set(known);
  if (!names.has(name)) throw refuseUnknown(kind, name, names, none);
}
