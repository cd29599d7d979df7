import { createAnswerer } from "../../../services/planner/pull-requests/judging/answer-question.ts";
import type { PullRequestJudge } from "../../../services/planner/pull-requests/judging/port.ts";

/** Judges in this process and without limits, because a test's files are trusted. */
export function createInProcessJudge(): PullRequestJudge {
  const answer = createAnswerer();
  return {
    judge: async (snapshot, question) => ({ kind: "judged", verdict: answer(snapshot, question) }),
    close: async () => undefined,
  };
}
