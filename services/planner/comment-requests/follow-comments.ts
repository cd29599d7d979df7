import { lookUp } from "#libs/input";
import { BusUnavailable, type KeyValue } from "#libs/bus";
import { printRequest } from "#libs/events";
import { type Scm, ScmUnavailable, type NewComment, quoteMarkdown } from "#libs/scm";
import { type FleetStatus, type Snapshot } from "#libs/plan";
import type { Logger } from "#libs/runtime";

import { answerCommand, type CalledComment, type CommandVerdict, type Rerenderer } from "./answer-command.ts";
import { nameRequest } from "./make-ask.ts";
import {
  type CommentMemory,
  hear,
  isChange,
  isEdited,
  isStop,
  orderWaiting,
  overlapMs,
  settle,
  type Waiting,
} from "./hear-comments.ts";
import { readOnce } from "./read-once.ts";
import { addAnswers, type Answer, findGathered, type Gathered, listAnswered, replyMarker } from "./reply.ts";
import { findSubject, type Subject } from "./subject.ts";

/** The dashboard issue is found by its label and its first line, as the notifier writes it. */
const dashboard = { label: "meshroll", marker: "<!-- meshroll:dashboard -->" } as const;

/** What is not done by then is given up: its author should not wait for it any more. */
const patienceMs = 300_000;
const tooLong = "It could not be done in time: `/meshroll status` says what waits, and for whom. Ask again later.";

/** GitHub is asked so many questions in a round, besides those for stops and rollbacks of members; the next one goes on at once. */
const mostAsked = 40;
/** Accounts that GitHub does not count to the repository are judged so often: each of their comments may wake us. */
const strangersMs = 60_000;
/** Each is a write, and GitHub wants a second or more between two: a stop that comes meanwhile waits for no more than these. */
const mostPlaces = 3;
/** Accounts without rights are answered together, on each issue or pull request so often. */
const gatherMs = 3_600_000;
/** And so many of them are answered, each once. */
const mostGathered = 5;
/** A locked conversation takes no answer, however often it is tried. */
const mostTries = 3;

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

interface Round extends CommentParts {
  readonly memory: CommentMemory;
  readonly snapshot: Snapshot;
  readonly now: number;
  /** How many questions GitHub was asked. */
  readonly asked: () => number;
}

const edited =
  "An edited comment is not obeyed: everyone with write access can edit the comments of others. Write a new comment.";

async function readReply(scm: Scm, number: number): Promise<string | undefined> {
  // By author and by marker: in another's comment our marker is only their text.
  const found = (await scm.comments(number)).find(({ ours, body }) => ours === true && body.startsWith(replyMarker));
  return found?.body;
}

/** The notifier may have a token of its own: then its account writes here, which no stranger's does. */
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

/** Of comments whose authors have no right: they are known by their time alone. */
function isAnsweredWithOthers(reply: string | undefined, { at, isMember }: NewComment): boolean {
  return isMember !== true && at + overlapMs <= (findGathered(reply)?.newest ?? 0);
}

/** What becomes of a comment that the ledger does not know. Who sees it for the first time says so. */
async function judge(round: Round, called: CalledComment): Promise<CommandVerdict> {
  const { comment } = called;
  if (isEdited(comment)) return { kind: "answer", ok: false, text: edited };
  return answerCommand(round, called);
}

function makeAnswer({ comment, called }: Waiting, { ok, text }: Pick<Answer, "ok" | "text">): Answer {
  // What was obeyed stands there no more: the answer must not say that its author asked for what others wrote since.
  const line = isEdited(comment) ? "a comment that was edited since" : called.line;
  return { comment: comment.id, author: comment.author, line, ok, text };
}

/** True for what an account outside the repository writes and no rights are looked up for: a question, or a change that is never obeyed. */
function isStrange(waiting: Waiting): boolean {
  const { comment } = waiting;
  const isObeyed = isChange(waiting) && !isEdited(comment);
  return comment.isMember !== true && !isObeyed;
}

async function judgeWaiting(round: Round, waiting: Waiting, subject: Subject): Promise<void> {
  const { comment, called, since } = waiting;
  const verdict = await judge(round, { snapshot: round.snapshot, comment, called, subject });
  if (verdict.kind === "answer" || verdict.kind === "mayNot") {
    waiting.answer = makeAnswer(waiting, verdict);
    if (verdict.kind === "mayNot") waiting.isGathered = true;
  } else if (round.now - since > patienceMs) waiting.answer = makeAnswer(waiting, { ok: false, text: tooLong });
  else if (verdict.kind === "request")
    await round.control.put(`request.${verdict.request.id}`, printRequest(verdict.request));
}

/** One comment, one step further; what is to be said about it is said later. */
async function step(round: Round, waiting: Waiting): Promise<void> {
  const { scm, control, memory, snapshot } = round;
  const { comment } = waiting;
  const request = nameRequest(comment.id);
  const carriedOut = lookUp(snapshot.ledger?.requests, request);
  const isPlaced = carriedOut === undefined && (await control.get(`request.${request}`)) !== undefined;
  // On its way, and judged when it was placed: nothing is called until the ledger has it.
  if (isPlaced) return;
  const subject = await readSubject(round, comment.number);
  const reply = await readReply(scm, comment.number);
  if (subject === undefined || listAnswered(reply).has(comment.id)) settle(memory, comment);
  else if (carriedOut !== undefined) {
    const text = quoteMarkdown(carriedOut.answer, 1000);
    waiting.answer = makeAnswer(waiting, { ok: carriedOut.outcome === undefined, text });
  } else {
    if (isStrange(waiting)) waiting.isGathered = true;
    else await judgeWaiting(round, waiting, subject);
    if (waiting.isGathered === true && isAnsweredWithOthers(reply, comment)) settle(memory, comment);
  }
}

/** What concerns one comment alone must not keep the others waiting; what is down is down for all of them. */
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

/** Carries out what is asked. `later`: it is not the turn of strangers; `more`: GitHub was asked enough for one round. */
async function carryOutAll(round: Round): Promise<"through" | "later" | "more"> {
  const { memory, now } = round;
  const open = orderWaiting(memory.waiting.values()).filter((each) => each.answer === undefined && !each.isGathered);
  let before: number | undefined;
  for (const waiting of open) {
    const isMember = waiting.comment.isMember === true;
    if (!isMember && now - memory.strangersAt < strangersMs) return "later";
    if (!isMember || !isStop(waiting)) before ??= round.asked();
    if (before !== undefined && round.asked() - before >= mostAsked) return "more";
    await attempt(round, [waiting], async () => step(round, waiting));
  }
  if (open.some(({ comment }) => comment.isMember !== true)) memory.strangersAt = now;
  return "through";
}

/** One answer for all: the first comment of each of the first accounts is answered, the others are counted. */
async function gather(round: Round, number: number, all: readonly Waiting[]): Promise<Gathered | undefined> {
  const subject = await readSubject(round, number);
  if (all.length === 0 || subject === undefined) return undefined;
  const firsts = [...Map.groupBy(all, ({ comment }) => comment.author).values()].flatMap(([first]) => first ?? []);
  const answers: Answer[] = [];
  for (const waiting of firsts.slice(0, mostGathered)) {
    const { comment, called } = waiting;
    const verdict = waiting.answer ?? (await judge(round, { snapshot: round.snapshot, comment, called, subject }));
    if ("text" in verdict) answers.push(makeAnswer(waiting, verdict));
  }
  const newest = Math.max(...all.map(({ comment }) => comment.at));
  const ids = all.flatMap(({ comment }) => (comment.isMember === true ? [comment.id] : []));
  return { at: round.now, newest, answers, more: all.length - answers.length, ids };
}

/** Our one reply on an issue or pull request says all there is to say there, by one write. */
async function tell(round: Round, number: number, all: readonly Waiting[], isThrough: boolean): Promise<void> {
  const { scm, memory, now } = round;
  const reply = await readReply(scm, number);
  const again = (findGathered(reply)?.at ?? -gatherMs) + gatherMs;
  const isDue = isThrough && again <= now;
  const strangers = all.filter(({ isGathered }) => isDue && isGathered === true);
  const own = all.filter(({ isGathered }) => isGathered !== true);
  const answers = own.flatMap(({ answer }) => answer ?? []).toSorted((a, b) => a.comment - b.comment);
  const body = addAnswers(reply, answers, await gather(round, number, strangers));
  if (body !== reply && (answers.length > 0 || strangers.length > 0)) await scm.putComment(number, replyMarker, body);
  if (isThrough) memory.gatherAt.set(number, isDue ? now + gatherMs : again);
  for (const { comment } of [...own, ...strangers]) settle(memory, comment);
}

/** Answers, by issue and pull request; those to accounts without rights come last, and wait until all others were heard. */
async function tellAll(round: Round, isThrough: boolean): Promise<boolean> {
  const { memory, now } = round;
  const all = orderWaiting(memory.waiting.values());
  const own = all.filter(({ answer, isGathered }) => answer !== undefined && isGathered !== true);
  const strangers = all.filter(
    ({ comment, isGathered }) => isGathered === true && isThrough && (memory.gatherAt.get(comment.number) ?? 0) <= now,
  );
  const places = Map.groupBy([...own, ...strangers], ({ comment }) => comment.number);
  for (const [number, here] of [...places].slice(0, mostPlaces))
    await attempt(round, here, async () => tell(round, number, here, isThrough));
  return places.size <= mostPlaces;
}

/**
 * One round over new comments: first all that is asked is carried out, each command once (the ledger keeps its id); then it is
 * answered once, in our one reply on that pull request or issue. It may end at any point, and another process goes on. False when
 * there is more to do at once. Throws while GitHub is down.
 */
export async function followComments(parts: CommentParts, memory: CommentMemory, snapshot: Snapshot): Promise<boolean> {
  const now = parts.wall();
  await hear(parts.scm, memory, now);
  const round: Round = { ...parts, ...readOnce(parts.scm), memory, snapshot, now };
  const state = await carryOutAll(round);
  return (await tellAll(round, state === "through")) && state !== "more";
}
