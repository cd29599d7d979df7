import type { MergeOutcome, Scm } from "#libs/scm";
import { execFileSync } from "node:child_process";
import { afterEach, describe, expect, it } from "vitest";

import type { BranchRule, MergeMethod } from "./state/options.ts";
import { oneFile, startTestEnvironment, type TestEnvironment } from "./test-world.ts";

let environment: TestEnvironment;
afterEach(async () => environment.close());

async function propose(scm: Scm): Promise<{ readonly number: number; readonly head: string }> {
  const head = environment.remote.commitTo("b", { files: { "rollouts.yml": "two\n" } });
  const { number } = await scm.openPullRequest({ branch: "b", base: "main", title: "Two", body: "" });
  return { number, head };
}

function countParents(sha: string): number {
  if (sha === "") return 0;
  const line = execFileSync("git", ["--git-dir", environment.github.repoPath, "rev-list", "--parents", "-1", sha]);
  return String(line).trim().split(" ").length - 1;
}

/** A rule that allows these merge methods, as GitHub shows it. */
function allow(...methods: readonly MergeMethod[]): BranchRule {
  const off = {
    dismiss_stale_reviews_on_push: false,
    require_code_owner_review: false,
    require_last_push_approval: false,
    required_approving_review_count: 0,
    required_review_thread_resolution: false,
  };
  return { type: "pull_request", parameters: { ...off, allowed_merge_methods: methods } };
}

describe("a merge uses what the repository and the branch allow", () => {
  const linear: BranchRule = { type: "required_linear_history" };
  const cases: readonly {
    readonly name: string;
    readonly mergeMethods: readonly MergeMethod[];
    readonly rules: readonly BranchRule[];
    readonly want: MergeMethod | "refused";
  }[] = [
    { name: "all: a merge commit", mergeMethods: ["merge", "squash", "rebase"], rules: [], want: "merge" },
    { name: "squashing alone", mergeMethods: ["squash"], rules: [], want: "squash" },
    { name: "rebasing alone", mergeMethods: ["rebase"], rules: [], want: "rebase" },
    { name: "a linear history", mergeMethods: ["merge", "squash", "rebase"], rules: [linear], want: "squash" },
    {
      name: "rebasing by a rule",
      mergeMethods: ["merge", "squash", "rebase"],
      rules: [allow("rebase")],
      want: "rebase",
    },
    { name: "merge commits, and a linear history", mergeMethods: ["merge"], rules: [linear], want: "refused" },
  ];
  it.each(cases)("$name", async ({ mergeMethods, rules, want }) => {
    const protection = { requiredChecks: [], requiredReviews: 0, rules };
    environment = await startTestEnvironment({ ...oneFile, mergeMethods, protection });
    const scm = environment.as("bot");
    const { number, head } = await propose(scm);
    const outcome = await scm.merge(number, head);
    const asked = environment.github.requests.filter(({ method, path }) => method === "PUT" && path.endsWith("/merge"));
    expect([outcome.kind, asked.length]).toEqual(want === "refused" ? ["refused", 0] : ["merged", 1]);
    const sha = outcome.kind === "merged" ? outcome.sha : "";
    expect(countParents(sha)).toBe({ merge: 2, squash: 1, rebase: 1, refused: 0 }[want]);
    const found = sha === "" ? undefined : await scm.findByMergeCommit(sha);
    expect(found?.number).toBe(want === "refused" ? undefined : number);
  });
});

describe("a merge that loses a race for main", () => {
  const race = {
    on: { method: "PUT", path: /\/merge$/u },
    effect: {
      kind: "status" as const,
      status: 405,
      body: JSON.stringify({ message: "Base branch was modified. Review and try the merge again." }),
      headers: { "content-type": "application/json" },
    },
  };

  async function mergeAfter(times: number, change: (scm: Scm) => Promise<void>): Promise<MergeOutcome> {
    environment = await startTestEnvironment();
    const scm = environment.as("bot");
    const { number, head } = await propose(scm);
    await change(scm);
    environment.github.addFault({ ...race, times });
    return scm.merge(number, head);
  }

  it("is tried again at once, with the head that was judged", async () => {
    expect(await mergeAfter(2, async () => undefined)).toMatchObject({ kind: "merged" });
  });

  it("never merges another head than the one that was judged", async () => {
    const outcome = await mergeAfter(1, async () => {
      environment.remote.commitTo("b", { files: { "rollouts.yml": "three\n" } });
      await environment.github.notice();
    });
    expect(outcome).toEqual({ kind: "refused", why: expect.stringContaining("Head branch was modified") });
  });

  it("is refused with GitHub's words when others always merge first", async () => {
    const outcome = await mergeAfter(50, async () => undefined);
    expect(outcome).toEqual({ kind: "refused", why: expect.stringContaining("Base branch was modified") });
  });
});
