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
    { name: "is green with one", reviews: [approve("ben")], want: ["success", "1 of 1 approvals"] },
    { name: "does not count the author's", reviews: [approve("Ana")], want: ["pending", "0 of 1 approvals"] },
    {
      name: "does not count machines",
      reviews: [approve("x", { bot: true }), approve("renovate[bot]")],
      want: ["pending", "0 of 1 approvals"],
    },
    {
      name: "does not count who may only read, nor an account that is gone",
      reviews: [approve("reader"), approve("ghost")],
      want: ["pending", "0 of 1 approvals"],
    },
    {
      name: "does not count one whose right to write cannot be asked for",
      reviews: [approve("hidden"), approve("never-asked")],
      want: ["pending", "0 of 1 approvals"],
    },
    {
      name: "hears no objection of one who may only read",
      reviews: [approve("ben"), approve("reader", { state: "changesRequested" })],
      want: ["success", "1 of 1 approvals"],
    },
    {
      name: "hears the objection of one whose rights cannot be asked for",
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
      name: "is red while one person wants changes, whatever others said later",
      reviews: [approve("ben", { state: "changesRequested", commit: sha("old") }), approve("cleo")],
      want: ["failure", "changes requested by ben"],
    },
    {
      name: "takes the last word of a person",
      reviews: [approve("ben", { state: "changesRequested" }), approve("ben")],
      want: ["success", "1 of 1 approvals"],
    },
    {
      name: "takes a comment for no word",
      reviews: [approve("ben"), approve("ben", { state: "commented" })],
      want: ["success", "1 of 1 approvals"],
    },
    {
      name: "forgets a review that was dismissed",
      reviews: [approve("ben", { state: "dismissed" })],
      want: ["pending", "0 of 1 approvals"],
    },
    {
      name: "says nothing, neither green nor red, of what meshroll does not read",
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
      name: "needs people for the same in a stage of its own, whose campaign asks for them",
      files: filesOf(before),
      own: "stage",
      want: ["pending", "0 of 1 approvals"],
    },
    {
      name: "needs people for the same by a person",
      files: filesOf(before),
      want: ["pending", "0 of 1 approvals"],
    },
    {
      name: "asks for one more where an author is not known",
      reviews: [approve("ben")],
      commits: [{ sha: headSha }],
      want: ["pending", "1 of 1 approvals; 1 of 2 in all, because not all of its authors are known"],
    },
    {
      name: "is green with that one more",
      reviews: [approve("ben"), approve("cleo")],
      commits: [{ sha: headSha }],
      want: ["success", "2 of 1 approvals; 2 of 2 in all, because not all of its authors are known"],
    },
    {
      name: "needs people for what goes forward, also from meshroll's own head",
      own: "rollback",
      want: ["pending", "0 of 1 approvals"],
    },
    {
      name: "needs people for a rollback that brings a workflow file with it",
      files: filesOf(before, undefined, [], [".github/workflows/release.yml"]),
      want: ["pending", "0 of 1 approvals"],
    },
    {
      name: "needs people for a comment in rollouts.yml alone",
      files: filesOf(`# a comment\n${half}`),
      want: ["pending", "0 of 1 approvals"],
    },
    {
      name: "needs people for a comment in rollouts.yml that brings a workflow file with it",
      files: filesOf(`# a comment\n${half}`, undefined, [], [".github"]),
      want: ["pending", "0 of 1 approvals"],
    },
    {
      name: "needs people for settings alone",
      files: filesOf(half, "defaults:\n  approvals: 0\n"),
      want: ["pending", "0 of 1 approvals"],
    },
    {
      name: "needs people for campaigns alone",
      files: filesOf(half, undefined, ["campaigns/a.yml"]),
      want: ["pending", "0 of 1 approvals"],
    },
    {
      name: "needs people for a conflict, whose outcome is unknown",
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
