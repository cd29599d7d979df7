import type { NewComment, Scm } from "#libs/scm";

import { type Command, isReadCommand } from "./command.ts";
import { parseComment, type ParsedComment } from "./parse-command.ts";
import type { Answer } from "./reply.ts";

/** With a personal token our comments and its owner's have the same author; ours begin with this. */
const ownMarker = "<!-- meshroll:";

/** Comments older than this are not obeyed, ms: their authors do not expect it any more. */
const reachMs = 24 * 3_600_000;
/** The list begins at a full hour: with a beginning that moves, each reading would be a new request, which counts. */
const gridMs = 3_600_000;
/** How far back each list overlaps the last one, ms: the SCM's times have whole seconds, and its lists may lag. */
export const overlapMs = 60_000;

type CalledCommand = Exclude<ParsedComment, { readonly kind: "none" }>;

/** A command that is not answered yet. */
export interface Waiting {
  readonly comment: NewComment;
  readonly parsed: CalledCommand;
  /** When this process read it, epoch ms. */
  readonly since: number;
  /** How often answering it failed. */
  tries: number;
  /** The answer, once it is known. */
  answer?: Answer;
  /** The author has no right to it, or none that is known: all such comments get one answer. */
  isGathered?: true;
}

/** What this process remembers between rounds; losing it costs requests only. */
export interface CommentMemory {
  /** Comments that are done, with the time of their last edit: an edited one is read again. */
  readonly settled: Map<number, number>;
  /** Commands that are not answered yet, by comment id. */
  readonly waiting: Map<number, Waiting>;
  /** When accounts without rights get their next answer, by issue or pull request, epoch ms. */
  readonly gatherAt: Map<number, number>;
  /** Time of the newest edit that was read, epoch ms. */
  readUntil: number;
  /** When this process last read a new comment, epoch ms. */
  lastReadAt: number;
  /** When all waiting comments of accounts outside the repository were judged last, epoch ms. */
  strangersAt: number;
}

export function createCommentMemory(): CommentMemory {
  return { settled: new Map(), waiting: new Map(), gatherAt: new Map(), readUntil: 0, lastReadAt: 0, strangersAt: 0 };
}

/**
 * An edited comment is not obeyed, also while it waits: an account with write access could have put another command into it.
 */
export function isEdited({ at, editedAt }: NewComment): boolean {
  return editedAt !== at;
}

/** True for comments that no person typed: they are never obeyed. With a personal token the author alone does not tell. */
function isByMachine({ bot, ours, body }: NewComment): boolean {
  return bot === true || (ours === true && body.trimStart().startsWith(ownMarker));
}

export function settle({ settled, waiting }: CommentMemory, { id, editedAt }: NewComment): void {
  waiting.delete(id);
  settled.set(id, editedAt);
}

function noteComment(memory: CommentMemory, comment: NewComment, now: number): void {
  const { id, editedAt } = comment;
  const known = memory.waiting.get(id)?.comment.editedAt ?? memory.settled.get(id);
  if (known === editedAt) return;
  memory.lastReadAt = now;
  const parsed = isByMachine(comment) ? ({ kind: "none" } as const) : parseComment(comment.body);
  settle(memory, comment);
  if (parsed.kind === "none") return;
  memory.settled.delete(id);
  memory.waiting.set(id, { comment: { ...comment, body: "" }, parsed, since: now, tries: 0 });
}

function roundDown(at: number): number {
  return Math.floor(at / gridMs) * gridMs;
}

/**
 * Reads new comments. After a while without new ones the lists no longer overlap, so that a long list is not read again and
 * again.
 */
export async function collectComments(scm: Scm, memory: CommentMemory, now: number): Promise<void> {
  const overlap = now - memory.lastReadAt > overlapMs ? 0 : overlapMs;
  const since = Math.max(memory.readUntil - overlap, now - reachMs);
  const listed = await scm.recentComments(Math.max(memory.readUntil - overlap, roundDown(now - reachMs)));
  const found = listed.filter(({ editedAt }) => editedAt >= since);
  for (const comment of found) noteComment(memory, comment, now);
  memory.readUntil = Math.max(memory.readUntil, ...found.map(({ editedAt }) => editedAt));
  // Comments that are out of reach are forgotten.
  const known = new Set(found.map(({ id }) => id));
  for (const id of memory.settled.keys()) if (!known.has(id)) memory.settled.delete(id);
}

const stopping: ReadonlySet<Command["verb"]> = new Set(["pause", "hold", "rollback"]);

/** True for a command that changes something: its author's rights are looked up. */
export function isChange({ parsed }: Waiting): boolean {
  return parsed.kind === "command" && !isReadCommand(parsed.command);
}

/** True for a command that stops moves or rolls them back. */
export function isStop({ parsed }: Waiting): boolean {
  return parsed.kind === "command" && stopping.has(parsed.command.verb);
}

function rank(waiting: Waiting): number {
  const place = isStop(waiting) ? 0 : isChange(waiting) ? 1 : 2;
  return waiting.comment.isMember === true ? place : place + 3;
}

/**
 * The order in which commands are handled: stops and rollbacks, other changes, questions; then the same for accounts outside
 * the repository. Within each of these the accounts take turns, each with its oldest comment first.
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
