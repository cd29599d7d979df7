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
  { name: "not by itself", want: false },
  { name: "by a writer's approval", review: approve("ben"), want: true },
  { name: "by a writer's word", review: approve("ben", asked), want: true },
  {
    name: "by a writer's word who wants changes",
    review: approve("ben", { ...asked, state: "changesRequested" }),
    want: true,
  },
  {
    name: "not by any other comment",
    review: approve("ben", { ...asked, line: "please /meshroll judge" }),
    want: false,
  },
  { name: "not by a word for an earlier head", review: approve("ben", { ...asked, commit: sha("old") }), want: false },
  { name: "not by a word that was dismissed", review: approve("ben", { ...asked, state: "dismissed" }), want: false },
  { name: "not by a machine's", review: approve("ben", { ...asked, bot: true }), want: false },
  { name: "not by one who may only read", review: approve("ben", asked), permission: "read", want: false },
  { name: "not by one whose rights are not known", review: approve("ben", asked), permission: "unknown", want: false },
];

describe("10.1 a fork's head is judged", () => {
  it.each(cases)("$name", ({ review, permission = "write", want }) => {
    const reviews = review === undefined ? [] : [review];
    expect(mayJudge({ fork: true, headSha }, reviews, new Map([["ben", permission]]))).toBe(want);
    expect(mayJudge({ headSha }, reviews, new Map())).toBe(true);
  });
});
