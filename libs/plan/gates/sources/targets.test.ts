import { compileSpec, type RunRecord, type Spec } from "#libs/plan";
import { makeRun, makeSnapshot, sha } from "#test/world/build";
import { makeCampaign } from "#test/world/campaigns/campaign";
import { describe, expect, test } from "vitest";

import { findTargets } from "./targets.ts";

function specOf(commit: string, text: string): Spec {
  const compiled = compileSpec(sha(commit), text, undefined);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  return compiled.spec;
}

/** The revisions that a person's run brings and replaces, from one file to another in these buckets. */
function find(before: string, after: string, patterns: readonly string[], change: Partial<RunRecord> = {}) {
  const [base, head] = [specOf("base", before), specOf("head", after)];
  const changes = patterns.map((pattern) => ({ pattern, from: "", to: "", direction: "forward" as const }));
  const run = makeRun(head.commit, base.commit, { changes, ...change });
  return findTargets(makeSnapshot({ specs: new Map([base, head].map((spec) => [spec.commit, spec])) }), head, run);
}

const production = "production: { a: 90, b: 10 }\n";

describe("the new and the replaced revisions of a person's run", () => {
  test.each([
    {
      name: "the revision with a larger share, and the one with a smaller share",
      after: "production: { a: 50, b: 50 }\n",
      of: ["production"],
      want: ["b", "a"],
    },
    {
      name: "a new revision, a removed one, and one with the same share",
      after: "production: { b: 10, c: 90 }\n",
      of: ["production"],
      want: ["c", "a"],
    },
    {
      name: "a bucket of the run that is unchanged: none",
      after: `${production}x: { c: 100 }\n`,
      of: ["production"],
      want: ["", ""],
    },
    {
      name: "a new bucket replaces the revisions of production, which had its namespaces",
      after: `${production}x: { c: 100 }\n`,
      of: ["x"],
      want: ["c", "a,b"],
    },
    {
      name: "several buckets together",
      after: "production: { a: 0, b: 100 }\nx: { c: 100 }\n",
      of: ["x", "production"],
      want: ["b,c", "a,b"],
    },
  ])("$name", ({ after, of, want }) => {
    const targets = find(production, after, of);
    expect([targets?.brought.join(), targets?.replaced.join()]).toEqual(want);
  });

  test("are unknown if the files were not read", () => {
    expect(find(production, production, ["production"], { before: sha("unread") })).toBeUndefined();
    expect(find(production, production, ["production"], { commit: sha("unread") })).toBeUndefined();
  });
});

test("of a campaign's run are those that the campaign names, without files", () => {
  const head = {
    ...specOf("head", production),
    campaigns: new Map([["up", makeCampaign({ target: "c", replaces: ["a"] })]]),
  };
  const run = makeRun(sha("unread"), sha("base"), { campaign: "up" });
  expect(findTargets(makeSnapshot(), head, run)).toEqual({ brought: ["c"], replaced: ["a"] });
});
