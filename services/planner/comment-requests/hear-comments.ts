import type { NewComment, Scm } from "#libs/scm";

import { type Command, isReadCommand } from "./command.ts";
import { parseComment, type ParsedComment } from "./parse-command.ts";
import type { Answer } from "./reply.ts";

/** By this what a personal token wrote for us is told from what its owner typed. */
const ownMarker = "<!-- meshroll:";

/** Comments are obeyed for a day: what could not be read in time is not obeyed when its author expects it no more, ms. */
const reachMs = 24 * 3_600_000;
/** GitHub's times have whole seconds, and its lists may be a moment late. */
export const overlapMs = 60_000;

type Called = Exclude<ParsedComment, { readonly kind: "none" }>;

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

/** What this process remembers between rounds; it may be lost, and costs requests only. */
export interface CommentMemory {
  /** Comments that need nothing more, with the time of their last edit: another one is looked at again. */
  readonly settled: Map<number, number>;
  /** Comments that something is still to be done for. */
  readonly waiting: Map<number, Waiting>;
  /** When accounts without rights are answered again, by issue or pull request, epoch ms. */
  readonly gatherAt: Map<number, number>;
  /** Comments edited before that were heard, epoch ms. */
  through: number;
  /** When the last one was heard. */
  heardAt: number;
  /** When all of those that GitHub does not count to the repository were judged. */
  strangersAt: number;
}

export function createCommentMemory(): CommentMemory {
  return { settled: new Map(), waiting: new Map(), gatherAt: new Map(), through: 0, heardAt: 0, strangersAt: 0 };
}

/** Also one that waits for its turn: an account with write access could put another command into it meanwhile. */
export function isEdited({ at, editedAt }: NewComment): boolean {
  return editedAt !== at;
}

/** True for what no person typed: it is never obeyed. With a personal token a person's own comments are ours by author too. */
function isWritten({ bot, ours, body }: NewComment): boolean {
  return bot === true || (ours === true && body.trimStart().startsWith(ownMarker));
}

export function settle({ settled, waiting }: CommentMemory, { id, editedAt }: NewComment): void {
  waiting.delete(id);
  settled.set(id, editedAt);
}

function hearComment(memory: CommentMemory, comment: NewComment, now: number): void {
  const { id, editedAt } = comment;
  const known = memory.waiting.get(id)?.comment.editedAt ?? memory.settled.get(id);
  if (known === editedAt) return;
  memory.heardAt = now;
  const called = isWritten(comment) ? ({ kind: "none" } as const) : parseComment(comment.body);
  settle(memory, comment);
  if (called.kind === "none") return;
  memory.settled.delete(id);
  memory.waiting.set(id, { comment: { ...comment, body: "" }, called, since: now, tries: 0 });
}

/** Hears what is new. A list that had nothing new for a while is not read again, however long it is. */
export async function hear(scm: Scm, memory: CommentMemory, now: number): Promise<void> {
  const overlap = now - memory.heardAt > overlapMs ? 0 : overlapMs;
  const found = await scm.recentComments(Math.max(memory.through - overlap, now - reachMs));
  for (const comment of found) hearComment(memory, comment, now);
  memory.through = Math.max(memory.through, ...found.map(({ editedAt }) => editedAt));
  // Nothing is remembered of what is out of its reach.
  const known = new Set(found.map(({ id }) => id));
  for (const id of memory.settled.keys()) if (!known.has(id)) memory.settled.delete(id);
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
