import type { MergeDemand } from "#libs/wording";
import { describe, expect, it } from "vitest";

import type { BranchDemands } from "./branch-rules.ts";
import { listUnmet } from "./list-unmet.ts";
import type { PullFacts } from "./pull-facts.ts";

const nothing: BranchDemands = {
  reviews: 0,
  codeOwners: false,
  lastPush: false,
  staleDismissed: false,
  conversations: false,
  signatures: false,
  locked: false,
  strict: false,
  checks: [],
  environments: [],
};
/** A pull request with every fault, under rules that demand nothing. */
const bare: PullFacts = {
  headSha: "a".repeat(40),
  isDraft: false,
  isBehind: false,
  conflicts: false,
  approvals: 0,
  changesRequested: true,
  reviewRequired: true,
  openThreads: 2,
  unsigned: 3,
  checks: [],
};
const good: PullFacts = {
  ...bare,
  approvals: 2,
  changesRequested: false,
  reviewRequired: false,
  openThreads: 0,
  unsigned: 0,
};

interface Case {
  readonly name: string;
  readonly rules?: Partial<BranchDemands>;
  readonly pull?: Partial<PullFacts>;
  readonly behindBy?: number;
  readonly why?: string;
  readonly want: readonly MergeDemand[];
}

const cases: readonly Case[] = [
  { name: "lists nothing that no rule demands", pull: bare, behindBy: 4, want: [] },
  {
    name: "lists nothing that is met",
    rules: { reviews: 2, strict: true, conversations: true, signatures: true },
    want: [],
  },
  {
    name: "counts approvals",
    rules: { reviews: 2 },
    pull: { approvals: 1, reviewRequired: true },
    want: [{ code: "ReviewsMissing", required: 2, given: 1 }],
  },
  {
    name: "names requested changes",
    rules: { reviews: 1 },
    pull: { changesRequested: true },
    want: [{ code: "ChangesRequested" }],
  },
  {
    name: "names code owners where enough others approved",
    rules: { reviews: 1, codeOwners: true },
    pull: { reviewRequired: true },
    want: [{ code: "CodeOwnersMissing" }],
  },
  {
    name: "names the approval of the last push",
    rules: { reviews: 1, lastPush: true },
    pull: { reviewRequired: true },
    want: [{ code: "LastPushUnapproved" }],
  },
  {
    name: "counts conversations",
    rules: { conversations: true },
    pull: { openThreads: 2 },
    want: [{ code: "ThreadsOpen", open: 2 }],
  },
  {
    name: "counts unsigned commits",
    rules: { signatures: true },
    pull: { unsigned: 1 },
    want: [{ code: "CommitsUnsigned", unsigned: 1 }],
  },
  {
    name: "demands an update of an old branch",
    rules: { strict: true },
    behindBy: 1,
    want: [{ code: "BranchBehind", base: "main" }],
  },
  {
    name: "takes that from GitHub's state where the setting cannot be read",
    pull: { isBehind: true },
    want: [{ code: "BranchBehind", base: "main" }],
  },
  {
    name: "names the lock",
    rules: { locked: true },
    want: [{ code: "BranchLocked" }],
  },
  {
    name: "names environments",
    rules: { environments: ["prod"] },
    want: [{ code: "DeploymentsMissing", environments: ["prod"] }],
  },
  {
    name: "names a conflict and a draft",
    pull: { conflicts: true, isDraft: true },
    want: [{ code: "Draft" }, { code: "Conflict" }],
  },
  {
    name: "takes a lock from GitHub's message where the setting cannot be read",
    why: "Cannot change this locked branch",
    want: [{ code: "BranchLocked" }],
  },
  {
    name: "lists no demand twice",
    why: "Repository rule violations found\n\nChanges must be made through the merge queue",
    want: [{ code: "QueueDemanded" }],
  },
  {
    name: "takes a linear history from GitHub's message",
    why: "This branch must not contain merge commits.",
    want: [{ code: "HistoryNotLinear" }],
  },
  { name: "ignores a message that names no demand", why: "Pull Request is not mergeable", want: [] },
];

describe("what a pull request does not meet", () => {
  it.each(cases)("$name", ({ rules, pull, why = "no", behindBy = 0, want }) => {
    const facts = { rules: { ...nothing, ...rules }, pull: { ...good, ...pull }, base: "main", behindBy };
    const found = listUnmet(facts, why);
    expect(found).toEqual(want);
  });

  const [name, source] = ["meshroll/plan", 7100];
  const checks: readonly (Omit<Case, "want"> & { readonly want: string | undefined })[] = [
    { name: "not posted", want: "missing" },
    { name: "pending", pull: { checks: [{ name, state: "pending", source }] }, want: "pending" },
    { name: "failed", pull: { checks: [{ name, state: "failed", source }] }, want: "failed" },
    { name: "green", pull: { checks: [{ name, state: "green", source }] }, want: undefined },
    { name: "green by another app", pull: { checks: [{ name, state: "green", source: 1 }] }, want: "otherSource" },
    {
      name: "green as a status that any writer posts",
      pull: { checks: [{ name, state: "green" }] },
      want: "otherSource",
    },
    {
      name: "green once and red once",
      pull: {
        checks: [
          { name, state: "green", source },
          { name, state: "failed", source },
        ],
      },
      want: "failed",
    },
  ];
  it.each(checks)("is a required check that is $name: $want", ({ pull, want }) => {
    const rules = { ...nothing, checks: [{ name, source }] };
    const unmet = want === undefined ? [] : [{ code: "CheckNotGreen", name, state: want, source }];
    expect(listUnmet({ rules, pull: { ...good, ...pull }, base: "main", behindBy: 0 }, "no")).toEqual(unmet);
  });
});
