import { GitRefused } from "#libs/git";
import { ScmRefused } from "#libs/scm";
import { expect, it } from "vitest";

import { findReason } from "./name-refusal.ts";

const suspended = new ScmRefused("it is suspended", "unsuspend it", { reason: "AppSuspended" });

const cases = [
  { name: "a token that GitHub refuses to issue", fault: suspended, want: "AppSuspended" },
  {
    name: "a git refusal without a login, because GitHub issued no token",
    fault: new GitRefused("it is suspended", "unsuspend it", { refusal: "login", cause: suspended }),
    want: "AppSuspended",
  },
  {
    name: "a default branch that was renamed",
    fault: new GitRefused("no such branch", "put it back", { refusal: "noBranch", branch: "main" }),
    want: "BranchGone",
  },
  {
    name: "a repository that was renamed",
    fault: new GitRefused("it answered 301", "name the new address", { refusal: "moved" }),
    want: "RepositoryMoved",
  },
  { name: "a personal token that expired", fault: new GitRefused("no", "renew", { refusal: "login" }), want: "other" },
  { name: "any other error", fault: new Error("x is undefined"), want: "other" },
];

it.each(cases)("$name has the code $want", ({ fault, want }) => {
  const reason = findReason(fault, "GitRefused");
  expect(reason.code).toBe(want === "other" ? "GitRefused" : want);
  expect(reason).toMatchObject({ why: fault.message });
});
