import type { NewComment } from "#libs/scm";

import { type Command, isReadCommand } from "./command.ts";
import type { ParsedComment } from "./parse-command.ts";
import type { Answer } from "./reply.ts";

export type Called = Exclude<ParsedComment, { readonly kind: "none" }>;

/** A command that something is still to be done for. */
export interface Waiting {
  readonly comment: NewComment;
  readonly called: Called;
  /** When this process heard it, epoch ms. */
  readonly since: number;
  /** How often it could not be answered. */
  tries: number;
  /** What is to be written. */
  answer?: Answer;
  /** Its author has no right to it, or is not known to have one: it is answered with all such others. */
  isGathered?: true;
}

const stopping: ReadonlySet<Command["verb"]> = new Set(["pause", "hold", "rollback"]);

/** True for what changes something: who may is looked up. */
export function isChange({ called }: Waiting): boolean {
  return called.kind === "command" && !isReadCommand(called.command);
}

/** True for what stops movement or takes it back. */
export function isStop({ called }: Waiting): boolean {
  return called.kind === "command" && stopping.has(called.command.verb);
}

function rank(waiting: Waiting): number {
  const place = isStop(waiting) ? 0 : isChange(waiting) ? 1 : 2;
  return waiting.comment.isMember === true ? place : place + 3;
}

/**
 * Whose turn it is: what stops or goes back, then other changes, then questions; after all of them the same of accounts that GitHub
 * does not count to the repository. Among equals one of each account after the other, the oldest first.
 */
export function orderWaiting(all: Iterable<Waiting>): readonly Waiting[] {
  const turns = new Map<string, number>();
  const placed = [...all]
    .toSorted((a, b) => a.comment.id - b.comment.id)
    .map((waiting) => {
      const place = rank(waiting);
      const key = `${place} ${waiting.comment.author}`;
      const turn = turns.get(key) ?? 0;
      turns.set(key, turn + 1);
      return { waiting, place, turn };
    });
  return placed.toSorted((a, b) => a.place - b.place || a.turn - b.turn).map(({ waiting }) => waiting);
}
