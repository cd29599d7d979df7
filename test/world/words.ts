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

/** The rendered reason; undefined for undefined. */
export function wordsOf(reason: Reason | undefined): RenderedReason | undefined {
  return reason === undefined ? undefined : renderReason(reason);
}

/** The sentence of a rendered reason; empty for undefined. */
export function sentenceOf(told: Pick<RenderedReason, "message"> | undefined): string {
  return told === undefined ? "" : printText(told.message);
}

/** The five answers, as strings. */
export function answersOf(status: Parameters<typeof tellAnswers>[0]): ReturnType<typeof printPlainAnswers> {
  return printPlainAnswers(tellAnswers(status));
}

/** A coming event, as a string. */
export function sayComing(coming: ComingEvent): string {
  return printPlainLine(lineComing(coming));
}

/** The coming events of a status, rendered from one of them. */
export function makeComing(coming: Coming): readonly ComingEvent[] {
  return [renderComing(coming)];
}

/** The two checks of a judged pull request, with their sentences as strings. */
export function readVerdict(judgement: PullRequestJudgement) {
  const { plan, approvals, ...others } = renderVerdict(judgement);
  return { ...others, plan: printCheck(plan), approvals: printCheck(approvals) };
}
