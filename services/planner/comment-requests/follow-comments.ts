import { lookUp } from "#libs/input";
import { BusUnavailable, type KeyValue } from "#libs/bus";
import { printRequest } from "#libs/events";
import { type Scm, ScmUnavailable, type NewComment, quoteMarkdown } from "#libs/scm";
import { type FleetStatus, type Snapshot } from "#libs/plan";
import { doEach, type Logger } from "#libs/runtime";

import { answerCommand, type CalledComment, type CommandVerdict, type Rerenderer } from "./answer-command.ts";
import { nameRequest } from "./make-ask.ts";
import { parseComment, type ParsedComment } from "./parse-command.ts";
import { addAnswer, type Answer, listAnswered, replyMarker } from "./reply.ts";
import { findSubject } from "./subject.ts";

/** By this what a personal token wrote for us is told from what its owner typed. */
const ownMarker = "<!-- meshroll:";

/** The dashboard issue is found by its label and its first line, as the notifier writes it. */
const dashboard = { label: "meshroll", marker: "<!-- meshroll:dashboard -->" } as const;

/** Comments are obeyed for a day: what could not be read in time is not obeyed when its author expects it no more, ms. */
const reachMs = 24 * 3_600_000;
/** GitHub's times have whole seconds, and its lists may be a moment late. */
const overlapMs = 60_000;

/** What is not done after so many rounds, five minutes at the least, is given up: its author should not wait for it any more. */
const mostRounds = 20;
const tooLong = "It could not be done in time: `/meshroll status` says what waits, and for whom. Ask again later.";

type Called = Exclude<ParsedComment, { readonly kind: "none" }>;

export interface CommentParts {
  readonly scm: Scm;
  /** KV `control`: verbs on their way. */
  readonly control: KeyValue;
  /** KV `status`: what the planner published last. */
  readonly readStatus: () => Promise<FleetStatus | undefined>;
  readonly rerenderer: Rerenderer | undefined;
  /** Epoch ms of GitHub's clock as far as this machine knows it. */
  readonly wall: () => number;
  readonly log: Pick<Logger, "warn">;
}

/** What this process remembers between rounds; it may be lost, and costs requests only. */
export interface CommentMemory {
  /** Comments that need nothing more, with the time of their last edit: another one is looked at again. */
  readonly settled: Map<number, number>;
  /** Comments that wait for the work of others, and for how many rounds. */
  readonly pending: Map<number, number>;
  /** How often one could not be answered. */
  readonly tries: Map<number, number>;
  /** Comments edited before that are through, epoch ms. */
  through: number;
}

export function createCommentMemory(): CommentMemory {
  return { settled: new Map(), pending: new Map(), tries: new Map(), through: 0 };
}

async function readReply(scm: Scm, number: number): Promise<string | undefined> {
  // By author and by marker: in another's comment our marker is only their text.
  const found = (await scm.comments(number)).find(({ ours, body }) => ours === true && body.startsWith(replyMarker));
  return found?.body;
}

/** The reply comes last, for it says that all is done: after a kill in between both are done again, and nothing is there twice. */
async function tell(
  parts: CommentParts,
  comment: NewComment,
  reply: string | undefined,
  answer: Answer,
): Promise<void> {
  await parts.scm.react(comment.id, answer.ok ? "rocket" : "-1");
  await parts.scm.putComment(comment.number, replyMarker, addAnswer(reply, answer));
}

const edited =
  "An edited comment is not obeyed: everyone with write access can edit the comments of others. Write a new comment.";

const untold =
  "GitHub does not tell whether this comment was edited, so it is not obeyed: " +
  "give meshroll's token the right to read issues by GraphQL, and write a new comment.";

/** Also one that waits for its turn: an account with write access could put another command into it meanwhile. */
function isEdited({ at, editedAt }: NewComment): boolean {
  return editedAt !== at;
}

/** One comment and what is known of it. */
interface Waiting {
  readonly comment: NewComment;
  readonly called: Called;
}

/** What becomes of a comment that the ledger does not know. Who sees it for the first time says so. */
async function judge(parts: CommentParts, called: CalledComment, rounds: number): Promise<CommandVerdict> {
  const { comment } = called;
  if (isEdited(comment)) return { kind: "answer", ok: false, text: edited };
  if (comment.isEditUnknown === true) return { kind: "answer", ok: false, text: untold };
  if (rounds > mostRounds) return { kind: "answer", ok: false, text: tooLong };
  if (rounds > 0) return answerCommand(parts, called);
  await parts.scm.react(comment.id, "eyes");
  return answerCommand(parts, called);
}

/** One comment, one step further. True when nothing more is to be done for it. */
async function step(
  parts: CommentParts,
  snapshot: Snapshot,
  { comment, called }: Waiting,
  isDashboard: boolean,
  rounds: number,
): Promise<boolean> {
  const { scm, control } = parts;
  const carriedOut = lookUp(snapshot.ledger?.requests, nameRequest(comment.id));
  const isPlaced = carriedOut === undefined && (await control.get(`request.${nameRequest(comment.id)}`)) !== undefined;
  // On its way, and judged when it was placed: nothing is called until the ledger has it.
  if (isPlaced) return false;
  const subject = await findSubject(scm, snapshot, comment.number, isDashboard);
  if (subject === undefined) return true;
  const reply = await readReply(scm, comment.number);
  if (listAnswered(reply).has(comment.id)) return true;
  const verdict =
    carriedOut === undefined
      ? await judge(parts, { snapshot, comment, called, subject }, rounds)
      : ({
          kind: "answer",
          ok: carriedOut.outcome === undefined,
          text: quoteMarkdown(carriedOut.answer, 1000),
        } as const);
  if (verdict.kind === "request") await control.put(`request.${verdict.request.id}`, printRequest(verdict.request));
  if (verdict.kind !== "answer") return false;
  const { ok, text } = verdict;
  // What was obeyed stands there no more: the answer must not say that its author asked for what others wrote since.
  const line = isEdited(comment) ? "a comment that was edited since" : called.line;
  await tell(parts, comment, reply, { comment: comment.id, author: comment.author, line, ok, text });
  return true;
}

/** The notifier may have a token of its own: then its account writes here, which no stranger's does. */
async function isTrusted(scm: Scm, author: string): Promise<boolean> {
  return ["admin", "write"].includes(await scm.permissionOf(author));
}

async function findDashboards({ scm, log }: CommentParts): Promise<ReadonlySet<number>> {
  const issues = await scm.listIssues(dashboard.label);
  const found = new Set<number>();
  const judgeIssue = async ({ number, ours, author }: (typeof issues)[number]): Promise<void> => {
    if (ours === true || (await isTrusted(scm, author))) found.add(number);
  };
  await doEach(
    issues.filter(({ body }) => body.startsWith(dashboard.marker)),
    judgeIssue,
    {
      onFault: ({ number }, error) => log.warn({ error, issue: number }, "it is unknown whose dashboard this is"),
      isDown,
    },
  );
  return found;
}

/** True for what no person typed: it is never obeyed. With a personal token a person's own comments are ours by author too. */
function isWritten({ bot, ours, body }: NewComment): boolean {
  return bot === true || (ours === true && body.trimStart().startsWith(ownMarker));
}

/** Comments that call us and were not answered yet, in the order of their writing. */
function listWaiting(found: readonly NewComment[], { settled }: CommentMemory): readonly Waiting[] {
  const waiting = found.flatMap((comment): readonly Waiting[] => {
    if (settled.get(comment.id) === comment.editedAt) return [];
    const called = isWritten(comment) ? ({ kind: "none" } as const) : parseComment(comment.body);
    if (called.kind !== "none") return [{ comment, called }];
    settled.set(comment.id, comment.editedAt);
    return [];
  });
  return waiting.toSorted((a, b) => a.comment.id - b.comment.id);
}

/** The next round begins where this one left something open; nothing is remembered of what is out of its reach. */
function advance(memory: CommentMemory, found: readonly NewComment[], open: readonly NewComment[]): void {
  const newest = Math.max(memory.through, ...found.map(({ editedAt }) => editedAt));
  memory.through = Math.min(newest, ...open.map(({ editedAt }) => editedAt));
  const known = new Set(found.map(({ id }) => id));
  for (const id of memory.settled.keys()) if (!known.has(id)) memory.settled.delete(id);
  for (const id of memory.tries.keys()) if (!known.has(id)) memory.tries.delete(id);
}

/** What concerns one comment alone must not keep the others waiting; what is down is down for all of them. */
function isDown(error: unknown): boolean {
  return error instanceof ScmUnavailable || error instanceof BusUnavailable;
}

/** A locked conversation takes no answer, however often it is tried. */
const mostTries = 3;

async function tryStep(
  parts: CommentParts,
  memory: CommentMemory,
  snapshot: Snapshot,
  waiting: Waiting,
  isDashboard: boolean,
): Promise<boolean> {
  const { id } = waiting.comment;
  try {
    return await step(parts, snapshot, waiting, isDashboard, memory.pending.get(id) ?? 0);
  } catch (error) {
    if (isDown(error)) throw error;
    const tries = (memory.tries.get(id) ?? 0) + 1;
    memory.tries.set(id, tries);
    parts.log.warn({ error, comment: id, tries }, "a comment could not be answered");
    return tries >= mostTries;
  }
}

/**
 * One round over new comments: each command is carried out once (the ledger keeps its id), and answered once, in our one
 * reply on that pull request or issue. It may end at any point, and another process goes on. Throws while GitHub is down.
 */
export async function followComments(parts: CommentParts, memory: CommentMemory, snapshot: Snapshot): Promise<void> {
  const since = Math.max(memory.through - overlapMs, parts.wall() - reachMs);
  const found = await parts.scm.recentComments(since);
  const waiting = listWaiting(found, memory);
  const dashboards = waiting.length === 0 ? new Set<number>() : await findDashboards(parts);
  const open: NewComment[] = [];
  for (const each of waiting) {
    const { comment } = each;
    if (await tryStep(parts, memory, snapshot, each, dashboards.has(comment.number))) {
      memory.settled.set(comment.id, comment.editedAt);
      memory.pending.delete(comment.id);
    } else {
      memory.pending.set(comment.id, (memory.pending.get(comment.id) ?? 0) + 1);
      open.push(comment);
    }
  }
  advance(memory, found, open);
}
