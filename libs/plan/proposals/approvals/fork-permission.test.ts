import { approve, headSha } from "#test/world/pull-request";
import { sha } from "#test/world/build";
import { describe, expect, it } from "vitest";

import type { PermissionFact, ReviewFacts } from "../judging/pull-request-facts.ts";
import { mayJudge } from "./fork-permission.ts";

const asked: Partial<ReviewFacts> = { state: "commented", line: "/meshroll judge" };

const cases: readonly {
  readonly name: string;
  readonly review?: ReviewFacts;
  readonly permission?: PermissionFact;
  readonly want: boolean;
}[] = [
  { name: "without a review: no", want: false },
  { name: "approval of a writer: yes", review: approve("ben"), want: true },
  { name: "`/meshroll judge` of a writer: yes", review: approve("ben", asked), want: true },
  {
    name: "`/meshroll judge` of a writer who requests changes: yes",
    review: approve("ben", { ...asked, state: "changesRequested" }),
    want: true,
  },
  {
    name: "another comment: no",
    review: approve("ben", { ...asked, line: "please /meshroll judge" }),
    want: false,
  },
  {
    name: "`/meshroll judge` for an earlier head: no",
    review: approve("ben", { ...asked, commit: sha("old") }),
    want: false,
  },
  {
    name: "`/meshroll judge` in a dismissed review: no",
    review: approve("ben", { ...asked, state: "dismissed" }),
    want: false,
  },
  { name: "`/meshroll judge` of a bot: no", review: approve("ben", { ...asked, bot: true }), want: false },
  {
    name: "`/meshroll judge` of an account with read access only: no",
    review: approve("ben", asked),
    permission: "read",
    want: false,
  },
  {
    name: "`/meshroll judge` of an account whose permission is unknown: no",
    review: approve("ben", asked),
    permission: "unknown",
    want: false,
  },
];

describe("10.1 a fork's head is judged", () => {
  it.each(cases)("$name", ({ review, permission = "write", want }) => {
    const reviews = review === undefined ? [] : [review];
    expect(mayJudge({ fork: true, headSha }, reviews, new Map([["ben", permission]]))).toBe(want);
    expect(mayJudge({ headSha }, reviews, new Map())).toBe(true);
  });
});
