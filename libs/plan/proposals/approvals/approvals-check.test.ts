import { judgePullRequest, type MergedFiles, type PullRequestQuestion, type ReviewFacts, type Spec } from "#libs/plan";
import { readVerdict } from "#test/world/words";
import { sha } from "#test/world/build";
import { approve, request, before, filesOf, half, headSha, mainSha, more, specOf } from "#test/world/pull-request";
import { describe, expect, it } from "vitest";

describe("10.1 meshroll/approvals", () => {
  const two = specOf(mainSha, half, "defaults:\n  approvals: 2\n");
  const cases: readonly {
    readonly name: string;
    readonly reviews?: readonly ReviewFacts[];
    readonly main?: Spec;
    readonly files?: MergedFiles;
    readonly own?: "rollback" | "stage";
    readonly commits?: PullRequestQuestion["commits"];
    readonly want: readonly [string, string];
  }[] = [
    { name: "waits for one by default", want: ["pending", "0 of 1 approvals"] },
    { name: "is green with one approval", reviews: [approve("ben")], want: ["success", "1 of 1 approvals"] },
    { name: "does not count the author's approval", reviews: [approve("Ana")], want: ["pending", "0 of 1 approvals"] },
    {
      name: "does not count machines",
      reviews: [approve("x", { bot: true }), approve("renovate[bot]")],
      want: ["pending", "0 of 1 approvals"],
    },
    {
      name: "does not count accounts with read access only, or deleted accounts",
      reviews: [approve("reader"), approve("ghost")],
      want: ["pending", "0 of 1 approvals"],
    },
    {
      name: "does not count accounts whose permission cannot be read",
      reviews: [approve("hidden"), approve("never-asked")],
      want: ["pending", "0 of 1 approvals"],
    },
    {
      name: "ignores requested changes of an account with read access only",
      reviews: [approve("ben"), approve("reader", { state: "changesRequested" })],
      want: ["success", "1 of 1 approvals"],
    },
    {
      name: "counts requested changes of an account whose permission cannot be read",
      reviews: [approve("ben"), approve("hidden", { state: "changesRequested" })],
      want: ["failure", "changes requested by hidden"],
    },
    {
      name: "does not count an approval of an earlier head",
      reviews: [approve("ben", { commit: sha("old") })],
      want: ["pending", "0 of 1 approvals"],
    },
    {
      name: "counts a person once",
      reviews: [approve("ben"), approve("ben")],
      main: two,
      want: ["pending", "1 of 2 approvals"],
    },
    {
      name: "takes main's rule, not the one that the pull request brings",
      reviews: [approve("ben")],
      main: two,
      files: filesOf(more, "defaults:\n  approvals: 0\n"),
      want: ["pending", "1 of 2 approvals"],
    },
    {
      name: "is red while one person requests changes, whatever others say later",
      reviews: [approve("ben", { state: "changesRequested", commit: sha("old") }), approve("cleo")],
      want: ["failure", "changes requested by ben"],
    },
    {
      name: "takes the newest review of a person",
      reviews: [approve("ben", { state: "changesRequested" }), approve("ben")],
      want: ["success", "1 of 1 approvals"],
    },
    {
      name: "does not take a comment for a review",
      reviews: [approve("ben"), approve("ben", { state: "commented" })],
      want: ["success", "1 of 1 approvals"],
    },
    {
      name: "does not count a dismissed review",
      reviews: [approve("ben", { state: "dismissed" })],
      want: ["pending", "0 of 1 approvals"],
    },
    {
      name: "is neutral on files that meshroll does not read, whatever the reviews say",
      files: { kind: "untouched" },
      reviews: [approve("ben"), approve("cleo", { state: "changesRequested" })],
      want: ["neutral", "not judged: it changes nothing that meshroll reads"],
    },
    {
      name: "needs no approval for a rollback whose head is meshroll's own",
      files: filesOf(before),
      own: "rollback",
      want: ["success", "none needed: meshroll opened it for a rollback that was requested"],
    },
    {
      name: "needs an approval for a rollback in a stage of its own, if the campaign asks for it",
      files: filesOf(before),
      own: "stage",
      want: ["pending", "0 of 1 approvals"],
    },
    {
      name: "needs an approval for a rollback by a person",
      files: filesOf(before),
      want: ["pending", "0 of 1 approvals"],
    },
    {
      name: "asks for one more approval if an author is unknown",
      reviews: [approve("ben")],
      commits: [{ sha: headSha }],
      want: ["pending", "1 of 1 approvals; 1 of 2 in all, because not all of its authors are known"],
    },
    {
      name: "is green with one more approval if an author is unknown",
      reviews: [approve("ben"), approve("cleo")],
      commits: [{ sha: headSha }],
      want: ["success", "2 of 1 approvals; 2 of 2 in all, because not all of its authors are known"],
    },
    {
      name: "needs an approval for a forward change, even if meshroll made the head",
      own: "rollback",
      want: ["pending", "0 of 1 approvals"],
    },
    {
      name: "needs an approval for a rollback with a workflow file",
      files: filesOf(before, undefined, [], [".github/workflows/release.yml"]),
      want: ["pending", "0 of 1 approvals"],
    },
    {
      name: "needs an approval for a comment in rollouts.yml",
      files: filesOf(`# a comment\n${half}`),
      want: ["pending", "0 of 1 approvals"],
    },
    {
      name: "needs an approval for a comment in rollouts.yml with a workflow file",
      files: filesOf(`# a comment\n${half}`, undefined, [], [".github"]),
      want: ["pending", "0 of 1 approvals"],
    },
    {
      name: "needs an approval for settings alone",
      files: filesOf(half, "defaults:\n  approvals: 0\n"),
      want: ["pending", "0 of 1 approvals"],
    },
    {
      name: "needs an approval for campaigns alone",
      files: filesOf(half, undefined, ["campaigns/a.yml"]),
      want: ["pending", "0 of 1 approvals"],
    },
    {
      name: "needs an approval for a conflict, whose result is unknown",
      files: { kind: "conflict", paths: ["rollouts.yml"] },
      want: ["pending", "0 of 1 approvals"],
    },
  ];
  for (const { name, reviews = [], main, files = filesOf(more), own, commits, want } of cases) {
    it(name, () => {
      const change = { reviews, ...(own === undefined ? {} : { own }), ...(main === undefined ? {} : { main }) };
      const question = { ...request(files, change), ...(commits === undefined ? {} : { commits }) };
      const { approvals } = readVerdict(judgePullRequest(question));
      expect([approvals.state, approvals.title]).toEqual(want);
    });
  }
});

describe("10.1 an author whose own approval the rule counts", () => {
  const rule = "defaults:\n  approvals: { required: 1, from: ['user:ana'], allowAuthor: true }\n";
  const judge = (change: Partial<PullRequestQuestion>): string => {
    const question = request(filesOf(more), { main: specOf(mainSha, half, rule) });
    return readVerdict(judgePullRequest({ ...question, ...change })).approvals.state;
  };

  it("counts where all of it is theirs", () => expect(judge({})).toBe("success"));

  it("does not where another account committed a part of it", () => {
    expect(judge({ commits: [{ sha: headSha, author: "ana", committer: "mallory" }] })).toBe("pending");
  });

  it("does not where they may not write now", () => {
    expect(judge({ permissions: new Map([["ana", "read"]]) })).toBe("pending");
  });
});
