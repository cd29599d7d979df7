import { escapeMarkdown, type Scm, type NewComment, quoteMarkdown } from "#libs/scm";
import type { VerbRequest, FleetStatus, Snapshot } from "#libs/plan";

import { type Command, isReadCommand } from "./command.ts";
import { judgeRight } from "./judge-right.ts";
import { makeRequest } from "./make-request.ts";
import type { ParsedComment } from "./parse-command.ts";
import type { Subject } from "./subject.ts";
import { renderHelp, renderNamespace, renderStatus } from "./render-answers.ts";

/** Resets a stage's branch to what meshroll proposes, whatever a person committed there. */
export interface Rerenderer {
  /** Called again while it returns `pending`, and possibly again after `done`. */
  rerender(branch: string): "done" | "pending" | "refused";
}

/**
 * `pending`: no answer yet, tried again in the next round. `mayNot`: the author has no right to it. `text` is our own Markdown.
 */
export type CommandVerdict =
  | { readonly kind: "answer" | "mayNot"; readonly ok: boolean; readonly text: string }
  | { readonly kind: "request"; readonly request: VerbRequest }
  | { readonly kind: "pending" };

export interface AnswerParts {
  readonly scm: Scm;
  readonly readStatus: () => Promise<FleetStatus | undefined>;
  /** Absent = a branch cannot be reset, and the answer says what to do instead. */
  readonly rerenderer: Rerenderer | undefined;
}

export interface CommentContext {
  readonly snapshot: Snapshot;
  readonly comment: NewComment;
  readonly parsed: Exclude<ParsedComment, { readonly kind: "none" }>;
  readonly subject: Subject;
}

/**
 * Most characters of a check's summary in a reply: the summary may be as long as a comment, and the check itself has all of it.
 */
const mostPlan = 20_000;

function say(text: string): CommandVerdict {
  return { kind: "answer", ok: true, text };
}

function refuse(text: string): CommandVerdict {
  return { kind: "answer", ok: false, text };
}

/**
 * Makes a check's summary safe in a comment: there, unlike on the check's page, an account would be mentioned, an issue linked,
 * and one of our markers would count.
 */
function defuseMentions(summary: string): string {
  return summary.replaceAll(/[@#](?=\w)|<(?=!--)/gu, (mark) => `${mark}\u2060`);
}

async function answerPlan({ scm }: AnswerParts, subject: Subject): Promise<CommandVerdict> {
  if (subject.kind === "fleet") return refuse("A plan belongs to a pull request: ask there.");
  const { pull } = subject;
  if (pull.state !== "open") return refuse("This pull request is over: `/meshroll status` says what became of it.");
  const check = (await scm.findChecks(pull.headSha)).find(({ name, own }) => own && name === "meshroll/plan");
  if (check === undefined) return refuse("It is not judged yet: the check `meshroll/plan` comes within a minute.");
  const { title, summary } = check;
  const cut = summary.length > mostPlan ? `${summary.slice(0, mostPlan)}\n\n… the check has all of it.` : summary;
  return say(`**${escapeMarkdown(title, 200)}**\n\n${defuseMentions(cut)}`);
}

function rerender({ rerenderer }: AnswerParts, subject: Subject): CommandVerdict {
  const isStage =
    subject.kind === "pull" && subject.campaign !== undefined && subject.pull.branch.startsWith("meshroll/");
  if (!isStage || subject.pull.state !== "open") {
    return refuse("Only an open pull request of a stage can be planned again: comment there.");
  }
  const { branch } = subject.pull;
  const outcome = rerenderer?.rerender(branch) ?? "refused";
  if (outcome === "pending") return { kind: "pending" };
  if (outcome === "refused") {
    const command = quoteMarkdown(`git push origin --delete ${branch}`, 300);
    return refuse(
      `Others changed more here than rollouts.yml. Delete the branch, and the stage is proposed again: ${command}`,
    );
  }
  return say("The branch says again what meshroll proposes; what others committed stays in its history.");
}

type Change = Parameters<typeof makeRequest>[0];

async function change(
  parts: AnswerParts,
  { snapshot, comment, subject }: CommentContext,
  command: Change,
): Promise<CommandVerdict> {
  if (snapshot.ledger === undefined) return refuse("There is no ledger yet, so nothing moves: `meshroll init` first.");
  const made = makeRequest(command, comment, subject, snapshot, await parts.readStatus());
  return made.kind === "request" ? made : refuse(`Not carried out: ${escapeMarkdown(made.why, 800)}.`);
}

function isChange(command: Command): command is Change {
  return !isReadCommand(command) && command.verb !== "rerender";
}

async function carryOut(parts: AnswerParts, context: CommentContext, command: Command): Promise<CommandVerdict> {
  if (isChange(command)) return change(parts, context, command);
  const { snapshot, subject } = context;
  switch (command.verb) {
    case "help":
      return say(renderHelp());
    case "status":
      return say(renderStatus(subject, await parts.readStatus()));
    case "plan":
      return answerPlan(parts, subject);
    case "explain":
      return say(renderNamespace(snapshot, command.namespace));
    case "rerender":
      return rerender(parts, subject);
  }
}

/** Answers a command, or makes its request, after looking up its author's rights. */
export async function answerCommand(parts: AnswerParts, context: CommentContext): Promise<CommandVerdict> {
  if (context.parsed.kind === "wrong") return refuse(`Not understood: ${context.parsed.why}.`);
  const { command } = context.parsed;
  const { snapshot, comment, subject } = context;
  const right = await judgeRight(parts.scm, comment.author, command, subject, snapshot);
  if (right.kind === "mayNot") {
    return { kind: "mayNot", ok: false, text: `Not carried out: ${escapeMarkdown(right.needs, 600)}.` };
  }
  return carryOut(parts, context, command);
}
