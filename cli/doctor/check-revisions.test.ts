import type { ClusterFacts } from "#libs/fleet";
import { findRevisionObstacle } from "#libs/plan";
import { makeCluster } from "#test/world/build";
import { expect, test } from "vitest";

import { judgeRevisions } from "./check-revisions.ts";

const ready = { webhook: true, istiod: "ready" } as const;

const cases: readonly { readonly name: string; readonly facts: Partial<ClusterFacts>; readonly want: string }[] = [
  { name: "both revisions are there", facts: {}, want: "one: old, new can be injected" },
  {
    name: "one revision is missing",
    facts: { revisions: [{ name: "old", ...ready }] },
    want: "new has no injector webhook in one",
  },
  {
    name: "both revisions are missing",
    facts: { revisions: [] },
    want: "old has no injector webhook in one, and 1 more",
  },
  {
    name: "an istiod is not ready",
    facts: {
      revisions: [
        { name: "old", ...ready },
        { name: "new", webhook: true, istiod: "unready" },
      ],
    },
    want: "istiod of revision new is unready in one",
  },
  {
    name: "main names a tag of an existing revision",
    facts: {
      revisions: [
        { name: "old", ...ready },
        { name: "1-26", ...ready },
      ],
      tags: { new: "1-26" },
    },
    want: "one: old, new can be injected",
  },
  {
    name: "budgets may not be read",
    facts: { budgetsKnown: false },
    want: "may not read the PodDisruptionBudgets of one",
  },
];

test.each(cases)("$name", ({ facts: change, want }) => {
  const { facts } = makeCluster("one", [], { facts: change });
  const found = judgeRevisions(facts, ["old", "new"]);
  expect(found.message).toContain(want);
  // Doctor must agree with what the planner decides by.
  const isHeld = ["old", "new"].some((revision) => findRevisionObstacle(facts, revision) !== undefined);
  expect(found.state).toBe(isHeld ? "failed" : "ok");
});
