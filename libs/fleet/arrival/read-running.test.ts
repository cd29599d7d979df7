import { describe, expect, it } from "vitest";

import type { PodGroup } from "../facts.ts";
import { makeWorkload } from "../fake.ts";
import { countRunning, readRunning, type Running } from "./read-running.ts";

const cases: Record<string, { readonly pods: readonly PodGroup[]; readonly want: Running }> = {
  "no pods": { pods: [], want: { kind: "empty" } },
  "a group that counts no pod": { pods: [{ revision: "a", count: 0, ready: 0 }], want: { kind: "empty" } },
  "pods without a sidecar": { pods: [{ count: 2, ready: 2 }], want: { kind: "none" } },
  "all pods on one revision": { pods: [{ revision: "a", count: 2, ready: 0 }], want: { kind: "all", revision: "a" } },
  "two groups of one revision": {
    pods: [
      { revision: "a", count: 2, ready: 2 },
      { revision: "a", count: 1, ready: 0 },
    ],
    want: { kind: "all", revision: "a" },
  },
  "two revisions": {
    pods: [
      { revision: "a", count: 2, ready: 2 },
      { revision: "b", count: 1, ready: 0 },
    ],
    want: { kind: "mixed", revisions: { a: 2, b: 1 }, bare: 0 },
  },
  "one revision and a pod without a sidecar": {
    pods: [
      { revision: "a", count: 2, ready: 2 },
      { count: 1, ready: 1 },
    ],
    want: { kind: "mixed", revisions: { a: 2 }, bare: 1 },
  },
};

describe("readRunning", () => {
  it.each(Object.entries(cases))("%s", (_, { pods, want }) => {
    expect(readRunning(makeWorkload({ pods }))).toEqual(want);
  });

  it("counts the pods of one revision over all groups", () => {
    const pods = [
      { revision: "a", count: 2, ready: 2 },
      { revision: "a", count: 1, ready: 0 },
      { count: 5, ready: 5 },
    ];
    expect(countRunning(makeWorkload({ pods }), "a")).toBe(3);
  });
});
