import { printPlainAnswers, tellAnswers } from "#libs/plan";
import {
  type Coming,
  type ComingEvent,
  lineComing,
  printCheck,
  printPlainLine,
  printText,
  type PullRequestJudgement,
  type Reason,
  renderComing,
  renderReason,
  type RenderedReason,
  renderVerdict,
} from "#libs/wording";

/** What people read of a reason; of none, nothing. */
export function wordsOf(reason: Reason | undefined): RenderedReason | undefined {
  return reason === undefined ? undefined : renderReason(reason);
}

/** The sentence of what has one; of nothing, nothing. */
export function sentenceOf(told: Pick<RenderedReason, "message"> | undefined): string {
  return told === undefined ? "" : printText(told.message);
}

/** The five answers, as strings. */
export function answersOf(status: Parameters<typeof tellAnswers>[0]): ReturnType<typeof printPlainAnswers> {
  return printPlainAnswers(tellAnswers(status));
}

/** What comes, as a string. */
export function sayComing(coming: ComingEvent): string {
  return printPlainLine(lineComing(coming));
}

/** What a status of a test answers to "otherwise". */
export function makeComing(coming: Coming): readonly ComingEvent[] {
  return [renderComing(coming)];
}

/** The two checks of a judged pull request, with their words as strings. */
export function readVerdict(judgement: PullRequestJudgement) {
  const { plan, approvals, ...others } = renderVerdict(judgement);
  return { ...others, plan: printCheck(plan), approvals: printCheck(approvals) };
}
