import { describe, expect, it } from "vitest";

import { ScmUnavailable } from "../../port/errors.ts";
import { toPullRequest, toReviews } from "./pull-request.ts";

const open = {
  number: 7,
  title: "T",
  state: "open",
  html_url: "https://scm.example/pull/7",
  user: { login: "bot" },
  head: { ref: "b", sha: "a1" },
  base: { ref: "main" },
  merged_at: null,
  merge_commit_sha: "f0",
  labels: [{ name: "meshroll" }],
  created_at: "2026-11-20T09:00:00Z",
};

describe("a pull request of GitHub", () => {
  const cases: readonly { readonly name: string; readonly change: object; readonly want: object }[] = [
    {
      name: "that is open has no merge commit, whatever trial merge it shows",
      change: {},
      want: { state: "open", mergeSha: undefined },
    },
    {
      name: "that is closed was not merged",
      change: { state: "closed" },
      want: { state: "closed", mergeSha: undefined },
    },
    {
      name: "that was merged names who and where",
      change: { state: "closed", merged_at: "2026-11-20T10:00:00Z", merged_by: { login: "ada" } },
      want: { state: "merged", mergedBy: "ada", mergeSha: "f0" },
    },
    {
      name: "that a deleted account merged has no `mergedBy`",
      change: { state: "closed", merged_at: "2026-11-20T10:00:00Z", merged_by: null },
      want: { state: "merged", mergedBy: undefined },
    },
    {
      name: "of a fork is marked so, although its branch has one of our names",
      change: {
        head: { ref: "meshroll/rollback/x", sha: "a1", repo: { full_name: "mallory/rollouts" } },
        base: { ref: "main", repo: { full_name: "acme/rollouts" } },
      },
      want: { fork: true },
    },
    {
      name: "of a deleted fork is still marked so",
      change: {
        head: { ref: "b", sha: "a1", repo: null },
        base: { ref: "main", repo: { full_name: "acme/rollouts" } },
      },
      want: { fork: true },
    },
    { name: "of a deleted account has the author `ghost`", change: { user: null }, want: { author: "ghost" } },
  ];
  for (const { name, change, want } of cases) {
    it(name, () =>
      expect({
        mergedBy: undefined,
        mergeSha: undefined,
        ...toPullRequest({ ...open, ...change }, "reading"),
      }).toMatchObject(want),
    );
  }

  it("without its head is not an answer of the API", () => {
    expect(() => toPullRequest({ ...open, head: undefined }, "reading")).toThrow(ScmUnavailable);
    expect(() => toPullRequest("<html>", "reading")).toThrow(ScmUnavailable);
  });
});

describe("reviews of GitHub", () => {
  it("are in our form, without pending ones", () => {
    const states = ["APPROVED", "CHANGES_REQUESTED", "COMMENTED", "DISMISSED", "PENDING"];
    const reviews = toReviews(
      states.map((state) => ({ user: { login: "ada" }, state, commit_id: "a1" })),
      "reading",
    );
    expect(reviews.map(({ state }) => state)).toEqual(["approved", "changesRequested", "commented", "dismissed"]);
    const bot = {
      user: { login: "x[bot]", type: "Bot" },
      state: "APPROVED",
      commit_id: "a1",
      submitted_at: "2026-11-19T12:00:00Z",
    };
    const gone = { user: null, state: "APPROVED", commit_id: null };
    expect(toReviews([bot, gone], "reading")).toEqual([
      { author: "x[bot]", bot: true, state: "approved", commit: "a1", at: Date.parse("2026-11-19T12:00:00Z") },
      { author: "ghost", state: "approved", commit: "", at: 0 },
    ]);
  });
});
