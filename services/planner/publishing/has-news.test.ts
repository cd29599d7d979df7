import type { ClusterWorld, Decision, World } from "#libs/plan";
import { makeCluster, makeLedger, makeWorkload, makeWorld, sha } from "#test/world/build";
import { expect, it } from "vitest";

import type { PlannerLook } from "../planner.ts";
import { hasNews } from "./has-news.ts";

const one = makeCluster("one", [makeWorkload("shop/web")], { ageMs: 3000 });
const waits: Decision = {
  kind: "wait",
  scope: "all",
  reason: { code: "Stopped", message: "paused", owner: "ana" },
} as Decision;

const ledger = makeLedger();
const withCluster = (cluster: ClusterWorld, change: Partial<World> = {}): World =>
  makeWorld({ ledger, clusters: new Map([["one", cluster]]), ...change });
const before: PlannerLook = { world: withCluster(one), decisions: [waits] };

/** A second later, and nothing else. */
const later = { ...one, ageMs: 4000 };
const batch = { run: "r", commit: sha("head"), state: "active", workloads: ["shop/Deployment/web"] } as const;
const main = { ...before.world.main, ageMs: 1000 };

const cases: readonly { readonly name: string; readonly look: PlannerLook; readonly want: boolean }[] = [
  {
    name: "a second has passed, in which main was read again",
    look: { world: withCluster(later, { now: before.world.now + 1000, main }), decisions: [{ ...waits }] },
    want: false,
  },
  { name: "a wait is over", look: { world: withCluster(later), decisions: [] }, want: true },
  {
    name: "the ledger has a transition more",
    look: { world: withCluster(later, { ledger: makeLedger({ sequence: 2 }) }), decisions: [waits] },
    want: true,
  },
  {
    name: "main has another head",
    look: { world: withCluster(later, { main: { ...main, head: sha("next") } }), decisions: [waits] },
    want: true,
  },
  { name: "a cluster published", look: { world: withCluster({ ...one, ageMs: 0 }), decisions: [waits] }, want: true },
  {
    name: "a cluster is not fresh any more",
    look: { world: withCluster({ ...later, fresh: false }), decisions: [waits] },
    want: true,
  },
  { name: "a batch is under way", look: { world: withCluster({ ...later, batch }), decisions: [waits] }, want: true },
  {
    name: "a cluster came",
    look: {
      world: makeWorld({ ledger, clusters: new Map([["one", later], ["two", makeCluster("two", [])]]) }), // prettier-ignore
      decisions: [waits],
    },
    want: true,
  },
  {
    name: "Redis is gone",
    look: { world: withCluster(later, { queueUp: false }), decisions: [waits] },
    want: true,
  },
];

it.each(cases)("$name: $want", ({ look, want }) => expect(hasNews(look, before)).toBe(want));

it("the first look is news", () => expect(hasNews(before, undefined)).toBe(true));
