import { afterEach, beforeEach } from "vitest";

import type { ScmRules, ScmEnvironment } from "./environment.ts";
import type { Scm, PullRequestDraft, PullRequest } from "../port/port.ts";

/** A fresh repository with one open pull request. */
export interface PullSetup {
  readonly environment: ScmEnvironment;
  /** As `bot` sees it. */
  readonly scm: Scm;
  readonly pull: PullRequest;
}

type Author = Parameters<ScmEnvironment["as"]>[0];

/** Makes a repository before each test of the suite and closes it afterwards. Its branch requires nothing of a merge. */
export function usePull(
  make: (rules: ScmRules) => Promise<ScmEnvironment>,
  draft: Omit<PullRequestDraft, "base">,
  author: Author = "bot",
): () => PullSetup {
  let context: PullSetup | undefined;
  beforeEach(async () => {
    const environment = await make({ requiredReviews: 0, requiredChecks: [] });
    await environment.remote.commitTo(draft.branch, { files: { "rollouts.yml": "two\n" } });
    const pull = await environment.as(author).openPullRequest({ ...draft, base: "main" });
    context = { environment, scm: environment.as("bot"), pull };
  });
  afterEach(async () => context?.environment.close());
  return () => {
    if (context === undefined) throw new Error("the repository is there only inside of a test");
    return context;
  };
}
