import type { MergeDemand } from "#libs/wording";
import { afterEach, describe, expect, it } from "vitest";

import type { BranchRule, Protection } from "./state/options.ts";
import { demandReviews } from "./state/review-rules.ts";
import { oneFile, startTestEnvironment, type TestEnvironment } from "./test-world.ts";

let environment: TestEnvironment;
afterEach(async () => environment.close());

const off = {
  dismiss_stale_reviews_on_push: false,
  require_code_owner_review: false,
  require_last_push_approval: false,
  required_approving_review_count: 0,
  required_review_thread_resolution: false,
};

function demand(parameters: Readonly<Record<string, unknown>>): Partial<Protection> {
  return { rules: [{ type: "pull_request", parameters: { ...off, ...parameters } }] };
}

function requireCheck(integration?: number): BranchRule {
  const check = { context: "meshroll/plan", ...(integration === undefined ? {} : { integration_id: integration }) };
  const parameters = { required_status_checks: [check], strict_required_status_checks_policy: false };
  return { type: "required_status_checks", parameters };
}

interface Case {
  readonly name: string;
  readonly protection: Partial<Protection>;
  /** Approvals before the merge is tried. */
  readonly approvedBy?: readonly string[];
  /** Main changes after the branch was made. */
  readonly moveMain?: true;
  readonly as?: "root";
  readonly want: readonly MergeDemand[];
}

const cases: readonly Case[] = [
  {
    name: "approvals that a ruleset counts",
    protection: demand({ required_approving_review_count: 2 }),
    approvedBy: ["ada"],
    want: [{ code: "ReviewsMissing", required: 2, given: 1 }],
  },
  {
    name: "approvals of classic protection, which only administrators may read",
    protection: { requiredReviews: 1 },
    as: "root",
    want: [{ code: "ReviewsMissing", required: 1, given: 0 }],
  },
  {
    name: "code owners, with enough approvals",
    protection: {
      ...demand({ required_approving_review_count: 1, require_code_owner_review: true }),
      codeOwners: ["bob"],
    },
    approvedBy: ["ada"],
    want: [{ code: "CodeOwnersMissing" }],
  },
  {
    name: "conversations",
    protection: { ...demand({ required_review_thread_resolution: true }), openThreads: 2 },
    want: [{ code: "ThreadsOpen", open: 2 }],
  },
  {
    name: "signatures",
    protection: { rules: [{ type: "required_signatures" }] },
    want: [{ code: "CommitsUnsigned", unsigned: 1 }],
  },
  {
    name: "a check that was not posted",
    protection: { rules: [requireCheck()] },
    want: [{ code: "CheckNotGreen", name: "meshroll/plan", state: "missing" }],
  },
  {
    name: "a check of one app",
    protection: { rules: [requireCheck(7)] },
    want: [{ code: "CheckNotGreen", name: "meshroll/plan", state: "missing", source: 7 }],
  },
  {
    name: "a lock that this account may not read, by GitHub's words",
    protection: { locked: true },
    want: [{ code: "BranchLocked" }],
  },
  {
    name: "a lock that this account may read",
    protection: { locked: true },
    as: "root",
    want: [{ code: "BranchLocked" }],
  },
  {
    name: "a branch that is up to date, by a ruleset",
    protection: {
      rules: [
        {
          type: "required_status_checks",
          parameters: { required_status_checks: [], strict_required_status_checks_policy: true },
        },
      ],
    },
    moveMain: true,
    want: [{ code: "BranchBehind", base: "main" }],
  },
  {
    name: "a branch that is up to date, by classic protection that this account may not read",
    protection: { strict: true },
    moveMain: true,
    want: [{ code: "BranchBehind", base: "main" }],
  },
];

describe("a refused merge names what the branch demands", () => {
  it.each(cases)("$name", async ({ protection, approvedBy = [], moveMain, as = "bot", want }) => {
    const whole = { requiredChecks: [], requiredReviews: 0, ...protection };
    environment = await startTestEnvironment({ ...oneFile, protection: whole });
    const head = environment.remote.commitTo("b", { files: { "rollouts.yml": "two\n" } });
    if (moveMain === true) environment.remote.commitTo("main", { files: { other: "new\n" } });
    const { number } = await environment
      .as("bot")
      .openPullRequest({ branch: "b", base: "main", title: "Two", body: "" });
    for (const login of approvedBy) await environment.approve(login, number);
    const outcome = await environment.as(as).merge(number, head);
    expect(outcome).toEqual({ kind: "refused", why: expect.any(String), demands: want });
  });

  it("gives only GitHub's words where they are unknown", async () => {
    environment = await startTestEnvironment({ ...oneFile });
    const head = environment.remote.commitTo("b", { files: { "rollouts.yml": "two\n" } });
    const scm = environment.as("bot");
    const { number } = await scm.openPullRequest({ branch: "b", base: "main", title: "Two", body: "" });
    environment.remote.commitTo("b", { files: { "rollouts.yml": "three\n" } });
    await environment.github.notice();
    expect(await scm.merge(number, head)).toEqual({
      kind: "refused",
      why: expect.stringContaining("Head branch was modified"),
    });
  });
});

const approvals = [
  { name: "none", rules: {}, missing: ["lastPush", "staleDismissed", "codeOwners"], merged: "merged" },
  { name: "all, for meshroll too", rules: demandReviews([]), missing: [], merged: "refused" },
  { name: "all, and meshroll may bypass them", rules: demandReviews(["bot"]), missing: [], merged: "merged" },
];

describe("rules about approvals", () => {
  it.each(approvals)("$name", async ({ rules, missing, merged }) => {
    environment = await startTestEnvironment({
      ...oneFile,
      protection: { requiredChecks: [], requiredReviews: 0, ...rules },
    });
    const head = environment.remote.commitTo("b", { files: { "rollouts.yml": "two\n" } });
    const scm = environment.as("bot");
    const { number } = await scm.openPullRequest({ branch: "b", base: "main", title: "Two", body: "" });
    expect(await scm.missingRules("main")).toEqual(missing);
    expect(await scm.merge(number, head)).toMatchObject({ kind: merged });
  });
});
