import { lookUp } from "#libs/input";
import { BusUnavailable, type KeyValue } from "#libs/bus";
import { printRequest } from "#libs/events";
import { type Scm, ScmUnavailable, type NewComment, quoteMarkdown } from "#libs/scm";
import { type FleetStatus, type Snapshot } from "#libs/plan";
import type { Logger } from "#libs/runtime";

import { answerCommand, type CommentContext, type CommandVerdict, type Rerenderer } from "./answer-command.ts";
import { nameRequest } from "./make-request.ts";
import {
  type CommentMemory,
  collectComments,
  isChange,
  isEdited,
  isStop,
  orderWaiting,
  overlapMs,
  settle,
  type Waiting,
} from "./collect-comments.ts";
import { readOnce } from "./read-once.ts";
import { addAnswers, type Answer, findGathered, type Gathered, listAnswered, replyMarker } from "./reply.ts";
import { findSubject, type Subject } from "./subject.ts";

/** The notifier writes the dashboard issue with this label and first line. */
const dashboard = { label: "meshroll", marker: "<!-- meshroll:dashboard -->" } as const;

/** A command that is not carried out after this time is answered with `tooLong`, ms. */
const patienceMs = 300_000;
const tooLong = "It could not be done in time: `/meshroll status` says what waits, and for whom. Ask again later.";

/** Most calls of the SCM in a round, besides those for members' stops and rollbacks; the next round follows at once. */
const mostCalls = 40;
/** Comments of accounts outside the repository are judged at most this often, ms: each of them may wake the planner. */
const strangersMs = 60_000;
/** Most replies in a round: GitHub wants a second or more between two writes, and a stop waits for those of one round. */
const mostReplies = 3;
/** How often accounts without rights are answered on one issue or pull request, ms: all together. */
const gatherMs = 3_600_000;
/** Most accounts in such an answer, each once. */
const mostGathered = 5;
/** A comment is given up after so many errors: a locked conversation, for example, takes no answer. */
const mostTries = 3;

export interface CommentParts {
  readonly scm: Scm;
  /** KV `control`: requests that were placed. */
  readonly control: KeyValue;
  /** The last published status, from KV `status`. */
  readonly readStatus: () => Promise<FleetStatus | undefined>;
  readonly rerenderer: Rerenderer | undefined;
  /** The SCM's time, as far as this machine knows it, epoch ms. */
  readonly wall: () => number;
  readonly log: Pick<Logger, "warn">;
}

interface Round extends CommentParts {
  readonly memory: CommentMemory;
  readonly snapshot: Snapshot;
  readonly now: number;
  /** How many calls the round has made so far. */
  readonly calls: () => number;
}

const edited =
  "An edited comment is not obeyed: everyone with write access can edit the comments of others. Write a new comment.";

async function readReply(scm: Scm, number: number): Promise<string | undefined> {
  // By author and by marker: the marker in a comment of another account is only text.
  const found = (await scm.comments(number)).find(({ ours, body }) => ours === true && body.startsWith(replyMarker));
  return found?.body;
}

/**
 * The notifier may have a token of its own; then the dashboard's author is an account with write access, which a stranger is
 * not.
 */
async function isTrusted(scm: Scm, author: string): Promise<boolean> {
  return ["admin", "write"].includes(await scm.permissionOf(author));
}

async function isDashboard(scm: Scm, number: number): Promise<boolean> {
  const issue = (await scm.listIssues(dashboard.label)).find((each) => each.number === number);
  if (issue?.body.startsWith(dashboard.marker) !== true) return false;
  return issue.ours === true || isTrusted(scm, issue.author);
}

async function readSubject({ scm, snapshot }: Round, number: number): Promise<Subject | undefined> {
  return findSubject(scm, snapshot, number, await isDashboard(scm, number));
}

/**
 * True if the answer for accounts without rights covers this comment: such comments are known by their time only, not by id.
 */
function isAnsweredWithOthers(reply: string | undefined, { at, isMember }: NewComment): boolean {
  return isMember !== true && at + overlapMs <= (findGathered(reply)?.newest ?? 0);
}

/** Judges a comment that the ledger has no request of. */
async function judge(round: Round, context: CommentContext): Promise<CommandVerdict> {
  const { comment } = context;
  if (isEdited(comment)) return { kind: "answer", ok: false, text: edited };
  return answerCommand(round, context);
}

function makeAnswer({ comment, parsed }: Waiting, { ok, text }: Pick<Answer, "ok" | "text">): Answer {
  // After an edit the line is no longer what was obeyed: the answer must not quote the new one under its author's name.
  const line = isEdited(comment) ? "a comment that was edited since" : parsed.line;
  return { comment: comment.id, author: comment.author, line, ok, text };
}

/** True for a comment from outside the repository whose author's rights are not looked up: a question, or an edited change. */
function isUnprivileged(waiting: Waiting): boolean {
  const { comment } = waiting;
  const isObeyed = isChange(waiting) && !isEdited(comment);
  return comment.isMember !== true && !isObeyed;
}

async function judgeWaiting(round: Round, waiting: Waiting, subject: Subject): Promise<void> {
  const { comment, parsed, since } = waiting;
  const verdict = await judge(round, { snapshot: round.snapshot, comment, parsed, subject });
  if (verdict.kind === "answer" || verdict.kind === "mayNot") {
    waiting.answer = makeAnswer(waiting, verdict);
    if (verdict.kind === "mayNot") waiting.isGathered = true;
  } else if (round.now - since > patienceMs) waiting.answer = makeAnswer(waiting, { ok: false, text: tooLong });
  else if (verdict.kind === "request")
    await round.control.put(`request.${verdict.request.id}`, printRequest(verdict.request));
}

/** Takes one comment one step further; its answer is written later, in the reply. */
async function advance(round: Round, waiting: Waiting): Promise<void> {
  const { scm, control, memory, snapshot } = round;
  const { comment } = waiting;
  const request = nameRequest(comment.id);
  const carriedOut = lookUp(snapshot.ledger?.requests, request);
  const isPlaced = carriedOut === undefined && (await control.get(`request.${request}`)) !== undefined;
  // Its request is on the bus already: nothing to do until the ledger has recorded it.
  if (isPlaced) return;
  const subject = await readSubject(round, comment.number);
  const reply = await readReply(scm, comment.number);
  if (subject === undefined || listAnswered(reply).has(comment.id)) settle(memory, comment);
  else if (carriedOut !== undefined) {
    const text = quoteMarkdown(carriedOut.answer, 1000);
    waiting.answer = makeAnswer(waiting, { ok: carriedOut.outcome === undefined, text });
  } else {
    if (isUnprivileged(waiting)) waiting.isGathered = true;
    else await judgeWaiting(round, waiting, subject);
    if (waiting.isGathered === true && isAnsweredWithOthers(reply, comment)) settle(memory, comment);
  }
}

/** True for an outage, which concerns all comments; any other error concerns only this one. */
function isDown(error: unknown): boolean {
  return error instanceof ScmUnavailable || error instanceof BusUnavailable;
}

async function attempt({ memory, log }: Round, all: readonly Waiting[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isDown(error)) throw error;
    for (const each of all) {
      each.tries += 1;
      log.warn({ error, comment: each.comment.id, tries: each.tries }, "a comment could not be answered");
      if (each.tries >= mostTries) settle(memory, each.comment);
    }
  }
}

/** Handles the open commands. `later`: those of outside accounts are not due yet; `more`: the round's calls are used up. */
async function carryOutAll(round: Round): Promise<"done" | "later" | "more"> {
  const { memory, now } = round;
  const open = orderWaiting(memory.waiting.values()).filter((each) => each.answer === undefined && !each.isGathered);
  let before: number | undefined;
  for (const waiting of open) {
    const isMember = waiting.comment.isMember === true;
    if (!isMember && now - memory.strangersAt < strangersMs) return "later";
    if (!isMember || !isStop(waiting)) before ??= round.calls();
    if (before !== undefined && round.calls() - before >= mostCalls) return "more";
    await attempt(round, [waiting], async () => advance(round, waiting));
  }
  if (open.some(({ comment }) => comment.isMember !== true)) memory.strangersAt = now;
  return "done";
}

/** One answer for many: the first comment of each of the first accounts is answered, the others are counted. */
async function answerTogether(round: Round, number: number, all: readonly Waiting[]): Promise<Gathered | undefined> {
  const subject = await readSubject(round, number);
  if (all.length === 0 || subject === undefined) return undefined;
  const firsts = [...Map.groupBy(all, ({ comment }) => comment.author).values()].flatMap(([first]) => first ?? []);
  const answers: Answer[] = [];
  for (const waiting of firsts.slice(0, mostGathered)) {
    const { comment, parsed } = waiting;
    const verdict = waiting.answer ?? (await judge(round, { snapshot: round.snapshot, comment, parsed, subject }));
    if ("text" in verdict) answers.push(makeAnswer(waiting, verdict));
  }
  const newest = Math.max(...all.map(({ comment }) => comment.at));
  const ids = all.flatMap(({ comment }) => (comment.isMember === true ? [comment.id] : []));
  return { at: round.now, newest, answers, more: all.length - answers.length, ids };
}

/** Updates our one reply on an issue or pull request, in one write. */
async function writeReply(round: Round, number: number, all: readonly Waiting[], isAllDone: boolean): Promise<void> {
  const { scm, memory, now } = round;
  const reply = await readReply(scm, number);
  const again = (findGathered(reply)?.at ?? -gatherMs) + gatherMs;
  const isDue = isAllDone && again <= now;
  const strangers = all.filter(({ isGathered }) => isDue && isGathered === true);
  const own = all.filter(({ isGathered }) => isGathered !== true);
  const answers = own.flatMap(({ answer }) => answer ?? []).toSorted((a, b) => a.comment - b.comment);
  const body = addAnswers(reply, answers, await answerTogether(round, number, strangers));
  if (body !== reply && (answers.length > 0 || strangers.length > 0)) await scm.putComment(number, replyMarker, body);
  if (isAllDone) memory.gatherAt.set(number, isDue ? now + gatherMs : again);
  for (const { comment } of [...own, ...strangers]) settle(memory, comment);
}

/**
 * Writes the replies. Those for accounts without rights come last, once all other commands were handled. False if some are left
 * for the next round.
 */
async function writeReplies(round: Round, isAllDone: boolean): Promise<boolean> {
  const { memory, now } = round;
  const all = orderWaiting(memory.waiting.values());
  const own = all.filter(({ answer, isGathered }) => answer !== undefined && isGathered !== true);
  const strangers = all.filter(
    ({ comment, isGathered }) => isGathered === true && isAllDone && (memory.gatherAt.get(comment.number) ?? 0) <= now,
  );
  const places = Map.groupBy([...own, ...strangers], ({ comment }) => comment.number);
  for (const [number, here] of [...places].slice(0, mostReplies))
    await attempt(round, here, async () => writeReply(round, number, here, isAllDone));
  return places.size <= mostReplies;
}

/**
 * One round over new comments: first all commands are carried out, each once (the ledger has its id), then they are answered in
 * our one reply on each issue or pull request. A kill at any point is safe: the next process continues. Returns false when
 * there is more to do at once. Throws while the SCM or the bus is down.
 */
export async function followComments(parts: CommentParts, memory: CommentMemory, snapshot: Snapshot): Promise<boolean> {
  const now = parts.wall();
  await collectComments(parts.scm, memory, now);
  const round: Round = { ...parts, ...readOnce(parts.scm), memory, snapshot, now };
  const state = await carryOutAll(round);
  return (await writeReplies(round, state === "done")) && state !== "more";
}
