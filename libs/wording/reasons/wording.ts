import type { CasesOf } from "../cases.ts";
import type { Choice } from "../stop-choices.ts";

/** The text of a reason: what and why in one sentence without a full stop, who can change it, and the command. */
export interface Wording {
  readonly message: string;
  readonly owner: string;
  readonly ageSeconds?: number;
  readonly command?: string;
  readonly choices?: readonly Choice[];
}

/** Sentences by the code of a reason; a function's parameters are the fields of a reason with this code. */
export type Wordings = Readonly<Record<string, (reason: never) => Wording>>;

/** The union of a table's reasons: a code, its fields, and the ISO time at which it ends by itself. */
export type ReasonIn<T extends Wordings> = CasesOf<T> & { readonly until?: string };

/** The owner where the git server does not answer, or refuses. */
export const gitServer = "the git server";
export const repositoryOwner = "the owners of the rollouts repository";
/** Used where GitHub does not name a person. */
export const unknownPerson = "a person on GitHub";
/** Who does what no person requested. */
export const planner = "meshroll planner";
export const us = "meshroll";

/** The first twelve digits of a commit's id. */
export function shorten(commit: string): string {
  return commit.slice(0, 12);
}

/** `a, b and 3 more`. */
export function listSome(names: readonly string[], most: number): string {
  const more = names.length > most ? ` and ${names.length - most} more` : "";
  return `${names.slice(0, most).join(", ")}${more}`;
}

/** `2 approvals`, `1 run`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
