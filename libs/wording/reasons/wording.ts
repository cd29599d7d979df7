import type { CasesOf } from "../cases.ts";
import type { Choice } from "../stop-choices.ts";

/** What people read of a reason: what and why in one sentence without a full stop, who can change it, what they type. */
export interface Wording {
  readonly message: string;
  readonly owner: string;
  readonly ageSeconds?: number;
  readonly command?: string;
  readonly choices?: readonly Choice[];
}

/** Sentences by the code of a reason; what a function takes is what a reason with this code carries. */
export type Wordings = Readonly<Record<string, (reason: never) => Wording>>;

/** The reasons whose sentences a table has: a code, its fields, and the ISO time at which it ends by itself where it does. */
export type ReasonIn<T extends Wordings> = CasesOf<T> & { readonly until?: string };

/** The git server does not answer, or refuses. */
export const gitServer = "the git server";
export const repositoryOwner = "the owners of the rollouts repository";
/** GitHub does not say who. */
export const unknownPerson = "a person on GitHub";
export const planner = "meshroll planner";
export const us = "meshroll";

/** Object names as people know them: twelve digits. */
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
