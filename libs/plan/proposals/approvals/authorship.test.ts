import { printGap } from "#libs/wording";
import { describe, expect, it } from "vitest";

import { type Authorship, type CommitFacts, findContributors, type PushFacts } from "./authorship.ts";

const bob: CommitFacts = {
  sha: "head",
  parents: ["main"],
  author: "Bob",
  committer: "bob",
  coAuthors: [],
  unknownCoAuthors: 0,
};
const made: PushFacts = { after: "head", by: "bob", kind: "push" };
const own: CommitFacts = { sha: "head", parents: ["main"], coAuthors: [], unknownCoAuthors: 0 };

interface Case {
  readonly name: string;
  readonly authorship: Partial<Authorship> | undefined;
  readonly want: readonly string[];
  readonly wantUnknown?: readonly string[];
}

const cases: readonly Case[] = [
  { name: "are its author and who wrote and pushed its commits", authorship: {}, want: ["ana", "bob"] },
  {
    name: "are not known at all while nothing was read",
    authorship: undefined,
    want: ["ana"],
    wantUnknown: ["who wrote and pushed its commits"],
  },
  {
    name: "include a committer and a co-author",
    authorship: { commits: [{ ...bob, committer: "cleo", coAuthors: ["dan"] }] },
    want: ["ana", "bob", "cleo", "dan"],
  },
  {
    name: "include who pushed what carries another name",
    authorship: { pushes: [{ ...made, by: "mallory" }] },
    want: ["ana", "bob", "mallory"],
  },
  {
    name: "do not include GitHub itself, which commits what is written on its pages",
    authorship: { commits: [{ ...bob, committer: "web-flow" }] },
    want: ["ana", "bob"],
  },
  {
    name: "are not known where a commit's address belongs to no account, or a co-author's",
    authorship: { commits: [{ ...own, unknownCoAuthors: 1 }] },
    want: ["ana", "bob"],
    wantUnknown: ["the author of head", "the committer of head", "a co-author of head"],
  },
  {
    name: "need no account behind the address of what our own push made",
    authorship: {
      commits: [own],
      pushes: [{ after: "head", by: "meshroll[bot]", kind: "push" }],
      self: "meshroll[bot]",
    },
    want: ["ana", "meshroll[bot]"],
  },
  {
    name: "need one behind what a personal token pushed: it may be another's work under an address without account",
    authorship: { commits: [own], pushes: [{ after: "head", by: "meshroll", kind: "push" }], self: "meshroll" },
    want: ["ana", "meshroll"],
    wantUnknown: ["the author of head", "the committer of head"],
  },
  {
    name: "include the person whose token meshroll has: their own push looks like one of ours",
    authorship: {
      commits: [
        { ...bob, sha: "first" },
        { ...bob, parents: ["first"], author: "mallory", committer: "mallory" },
      ],
      pushes: [
        { before: "first", after: "head", by: "Mallory", kind: "push" },
        { after: "first", by: "bob", kind: "push" },
      ],
      self: "Mallory",
    },
    want: ["ana", "bob", "mallory"],
  },
  {
    name: "are not known where our push brought more than one commit",
    authorship: {
      commits: [
        { ...own, sha: "below" },
        { ...own, parents: ["below"] },
      ],
      pushes: [{ after: "head", by: "meshroll", kind: "push" }],
    },
    want: ["ana", "meshroll"],
    wantUnknown: ["the author of below", "the committer of below", "the author of head", "the committer of head"],
  },
  {
    name: "are not known where GitHub does not report pushes",
    authorship: { pushes: undefined as never },
    want: ["ana", "bob"],
    wantUnknown: ["who pushed to its branch"],
  },
  {
    name: "are not known where the pushes do not reach back to the making of the branch",
    authorship: { pushes: [{ ...made, before: "older" }] },
    want: ["ana", "bob"],
    wantUnknown: ["who pushed to its branch since it was made"],
  },
  {
    name: "are not known where GitHub's pushes are older than the head",
    authorship: { pushes: [{ ...made, after: "older", by: "cleo" }] },
    want: ["ana", "bob"],
    wantUnknown: ["who pushed to its branch since it was made"],
  },
  {
    name: "include one whose push was overwritten since",
    authorship: {
      pushes: [
        { ...made, before: "theirs" },
        { after: "theirs", before: "first", by: "mallory", kind: "push" },
        { after: "first", by: "cleo", kind: "push" },
      ],
    },
    want: ["ana", "bob", "mallory", "cleo"],
  },
  {
    name: "include one who pushed a commit before its branch was deleted and made again",
    authorship: {
      pushes: [made, { before: "head", by: "bob", kind: "push" }, { after: "head", by: "mallory", kind: "push" }],
    },
    want: ["ana", "bob", "mallory"],
  },
  {
    name: "are not known where a pushing account is gone",
    authorship: { pushes: [{ after: "head", kind: "push" }] },
    want: ["ana", "bob"],
    wantUnknown: ["an account that pushed to its branch"],
  },
  {
    name: "are not known where another pull request was merged into its branch",
    authorship: { pushes: [{ ...made, kind: "merge" }] },
    want: ["ana", "bob"],
    wantUnknown: ["who pushed what was merged into its branch"],
  },
  {
    name: "are not known where another branch was merged into it by hand",
    authorship: {
      commits: [
        { ...bob, sha: "side" },
        { ...bob, parents: ["main", "side"] },
      ],
    },
    want: ["ana", "bob"],
    wantUnknown: ["who pushed the other branch that was merged into its own"],
  },
  {
    name: "are known where main was merged into it",
    authorship: { commits: [{ ...bob, parents: ["main", "newer-main"] }] },
    want: ["ana", "bob"],
  },
  {
    name: "are not known where there are more commits than GitHub lists",
    authorship: { isWhole: false },
    want: ["ana", "bob"],
    wantUnknown: ["all of its commits"],
  },
];

describe("10.1 who took part in a pull request", () => {
  it.each(cases)("$name", ({ authorship, want, wantUnknown = [] }) => {
    const whole: Authorship = { commits: [bob], isWhole: true, pushes: [made], self: "meshroll", ...authorship };
    const found = findContributors("Ana", "head", authorship === undefined ? undefined : whole);
    expect([[...found.logins].toSorted(), found.unknown.map(printGap)]).toEqual([want.toSorted(), wantUnknown]);
  });
});
