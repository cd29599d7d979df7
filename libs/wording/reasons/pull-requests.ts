import { listSome, us, type Wordings } from "./wording.ts";

/** An open pull request whose checks meshroll posts. */
interface PullWords {
  readonly number: number;
  readonly author: string;
}

function rejudge(branch: string): string {
  return `git commit --allow-empty -m "Judge again" && git push origin ${branch}`;
}

function wordRefused(reason: PullWords & { readonly branch: string; readonly why: string }) {
  return {
    message: `pull request ${reason.number} cannot be judged: ${reason.why}; it is retried automatically, and with each push`,
    owner: reason.author,
    command: rejudge(reason.branch),
  };
}

const planner = "the operator of the planner";

type KeptLimit =
  | { readonly kind: "rest"; readonly left: number; readonly limit: number }
  | { readonly kind: "headStart" };

function wordKept(kept: KeptLimit): string {
  if (kept.kind === "headStart") return "GitHub takes requests again after a ban";
  return `of the ${kept.limit} requests that GitHub takes in an hour ${kept.left} are left`;
}

/** Why the checks of pull requests are missing or wrong. */
export const pullRequestReasons = {
  ChecksSpent: (reason: PullWords & { readonly branch: string }) => ({
    message: `the verdict on pull request ${reason.number} changed too often: its checks stay as they were posted last`,
    owner: reason.author,
    command: rejudge(reason.branch),
  }),
  /** `remaining`: logins whose check could not be replaced. */
  CheckForeign: (reason: {
    readonly number: number;
    readonly intruders: readonly string[];
    readonly remaining: readonly string[];
  }) => {
    const who = reason.intruders.join(", ");
    const outcome =
      reason.remaining.length === 0
        ? "and is replaced"
        : `and that of ${reason.remaining.join(", ")} stands: a personal token cannot replace a check run, ` +
          "and GitHub counts it by its name";
    return {
      message:
        `a check of meshroll on pull request ${reason.number} was posted or changed by ${who}, ${outcome}: ` +
        "require both checks from meshroll's app alone",
      owner: who,
      command: "meshroll doctor --only github",
    };
  },
  PullRequestUnread: (reason: PullWords & { readonly why: string }) => ({
    message: `pull request ${reason.number} has no checks yet: ${reason.why}`,
    owner: reason.author,
  }),
  ChecksQueued: ({ count }: { readonly count: number }) => ({
    message: `${count} pull requests wait for their turn to be judged; a round judges as many as it has time for`,
    owner: us,
  }),
  GitOverLimit: wordRefused,
  JudgeTimeLimit: wordRefused,
  JudgeMemoryLimit: wordRefused,
  JudgeFault: wordRefused,
  JudgeUnavailable: ({ why }: { readonly why: string }) => ({
    message: `pull requests are not judged: ${why}`,
    owner: planner,
  }),
  PullRequestsFailed: ({ why }: { readonly why: string }) => ({
    message: `pull requests are not followed: ${why}`,
    owner: planner,
  }),
  /** `rollback`: the one that has no pull request meanwhile; absent: it concerns all checks. */
  GitHubUnavailable: (reason: {
    readonly why: string;
    readonly rollback?: { readonly run: string; readonly who: string };
  }) =>
    reason.rollback === undefined
      ? { message: `checks of pull requests are not renewed: ${reason.why}`, owner: planner }
      : {
          message: `the rollback of run ${reason.rollback.run} waits to have its pull request opened and merged: ${reason.why}`,
          owner: reason.rollback.who,
        },
  /** `kept`: how many requests of the hour are left, or that a ban has just ended. */
  GitHubLimitKept: ({ kept }: { readonly kept: KeptLimit }) => ({
    message: `${wordKept(kept)}: rollbacks go on, and checks, stages, comments and the dashboard wait`,
    owner: us,
  }),
  StageOver: (reason: { readonly number: number; readonly why: string; readonly owner: string }) => ({
    message: `pull request ${reason.number} is obsolete: ${reason.why}; close it`,
    owner: reason.owner,
    command: `gh pr close ${reason.number}`,
  }),
  ForkUnasked: ({ numbers, request }: { readonly numbers: readonly number[]; readonly request: string }) => ({
    message: `pull requests from forks are judged once a person with write access asks for it: ${listSome(numbers.map(String), 5)}`,
    owner: "persons with write access",
    command: `gh pr review ${numbers[0]} --comment --body "${request}"`,
  }),
} satisfies Wordings;
