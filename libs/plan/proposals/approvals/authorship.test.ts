import { filesOf, headSha, more, request } from "#test/world/pull-request";
import { describe, expect, it } from "vitest";

import type { CommitFacts } from "../judging/pull-request-facts.ts";
import { findContributors } from "./authorship.ts";

const bob: CommitFacts = { sha: headSha, author: "Bob", committer: "bob" };

interface Case {
  readonly name: string;
  readonly commits: readonly CommitFacts[];
  readonly own?: "stage";
  readonly want: readonly string[];
  readonly wantGap?: string;
}

const cases: readonly Case[] = [
  { name: "are its author and the authors of its commits", commits: [bob], want: ["ana", "bob"] },
  { name: "include committers", commits: [{ ...bob, committer: "cleo" }], want: ["ana", "bob", "cleo"] },
  {
    name: "include the authors of commits below the head",
    commits: [{ sha: "below", author: "dan", committer: "dan" }, bob],
    want: ["ana", "bob", "dan"],
  },
  {
    name: "are incomplete if a commit's address belongs to no account",
    commits: [{ sha: "below", author: "bob" }, bob],
    want: ["ana", "bob"],
    wantGap: "CommitUnknown",
  },
  {
    name: "are incomplete if the list of commits does not reach the head",
    commits: [{ ...bob, sha: "below" }],
    want: ["ana", "bob"],
    wantGap: "CommitsUnread",
  },
  {
    name: "are only the author for a head that meshroll made",
    commits: [{ sha: headSha }],
    own: "stage",
    want: ["ana"],
  },
];

describe("10.1 who took part in a pull request", () => {
  it.each(cases)("$name", ({ commits, own, want, wantGap }) => {
    const question = request(filesOf(more), own === undefined ? {} : { own });
    const found = findContributors({ ...question, commits });
    expect([[...found.logins].toSorted(), found.gap?.code]).toEqual([want.toSorted(), wantGap]);
  });
});
