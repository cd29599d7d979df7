import { inventoryLimitBytes } from "#libs/events";
import type { ClusterFacts } from "#libs/fleet";
import { makeCluster } from "#test/world/build";
import { describe, expect, it } from "vitest";

import { fitFacts } from "./fit-facts.ts";

const { facts } = makeCluster("one", []);
const stops = { kubectl: true, recorded: { a: JSON.stringify({ scope: "all", why: "x".repeat(2000) }) } };
const many = (count: number, text: string): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${at} ${text}`);
const revision = (at: number) => ({ name: `${at}-${"r".repeat(200)}`, webhook: true, istiod: "ready" as const });
const revisions = Array.from({ length: 5000 }, (_, at) => revision(at));
const recorded = Object.fromEntries(many(300, "k").map((key) => [key, "y".repeat(4000)]));

describe("facts that are too large for the bus say so, and lose their stops last", () => {
  const cases = [
    { name: "small facts are complete", change: { stops }, want: { stops, problems: [] } },
    {
      name: "many long texts are cut, and stops are kept",
      change: { stops, problems: many(900, "ü".repeat(500)) },
      want: { stops, revisions: facts.revisions },
      wantTold: /^InventoryTooLarge: .*long texts are cut, 880 problems among it$/,
    },
    {
      name: "thousands of revisions are dropped, and stops are kept",
      change: { stops, revisions },
      want: { stops, revisions: [], tags: {} },
      wantTold: /revisions and tags are left out: nothing moves here/,
    },
    {
      name: "stops that are too large by themselves are dropped, and the cluster is not fresh",
      change: { stops: { kubectl: true, recorded } },
      want: { stops: { kubectl: true, recorded: {} }, count: -1 },
      wantTold: /its stops, revisions and tags are left out/,
    },
  ];
  it.each(cases)("$name", ({ change, want, wantTold = /^$/ }) => {
    const text = fitFacts({ ...facts, ...change });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(inventoryLimitBytes);
    const published = JSON.parse(text) as ClusterFacts;
    expect(published).toMatchObject(want);
    expect(published.problems[0] ?? "").toMatch(wantTold);
  });
});
