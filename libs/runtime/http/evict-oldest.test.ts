import { describe, expect, it } from "vitest";

import { createEvictingSet } from "./evict-oldest.ts";

type Step = readonly ["add" | "grow", string, number] | readonly ["delete", string];

describe("a set that always accepts the newest", () => {
  const cases: readonly { readonly name: string; readonly steps: readonly Step[]; readonly want: string }[] = [
    {
      name: "evicts nothing while there is room",
      steps: [
        ["add", "a", 1],
        ["add", "b", 1],
        ["add", "c", 1],
      ],
      want: "",
    },
    {
      name: "evicts the oldest of too many",
      steps: [
        ["add", "a", 0],
        ["add", "b", 0],
        ["add", "c", 0],
        ["add", "d", 0],
      ],
      want: "a",
    },
    {
      name: "counts no member that left",
      steps: [
        ["add", "a", 0],
        ["add", "b", 0],
        ["delete", "a"],
        ["add", "c", 0],
        ["add", "d", 0],
      ],
      want: "",
    },
    {
      name: "evicts the oldest of too heavy ones",
      steps: [
        ["add", "a", 6],
        ["add", "b", 3],
        ["add", "c", 2],
      ],
      want: "a",
    },
    {
      name: "evicts as many as it takes",
      steps: [
        ["add", "a", 1],
        ["add", "b", 1],
        ["add", "c", 10],
      ],
      want: "a b",
    },
    {
      name: "evicts others for one that grows",
      steps: [
        ["add", "a", 5],
        ["add", "b", 5],
        ["grow", "b", 1],
      ],
      want: "a",
    },
    {
      name: "evicts others for the oldest that grows",
      steps: [
        ["add", "a", 5],
        ["add", "b", 5],
        ["grow", "a", 1],
      ],
      want: "b",
    },
    { name: "keeps one that is too heavy by itself: its owner bounds it", steps: [["add", "a", 11]], want: "" },
    {
      name: "forgets the weight of who left",
      steps: [
        ["add", "a", 9],
        ["delete", "a"],
        ["add", "b", 9],
        ["grow", "a", 9],
      ],
      want: "",
    },
    {
      name: "takes one that comes again for a new one",
      steps: [
        ["add", "a", 0],
        ["add", "b", 0],
        ["add", "a", 0],
        ["add", "c", 0],
        ["add", "d", 0],
      ],
      want: "b",
    },
  ];

  it.each(cases)("$name", ({ steps, want }) => {
    const evicted: string[] = [];
    const set = createEvictingSet<string>({ mostMembers: 3, mostWeight: 10 }, (member) => evicted.push(member));
    for (const [verb, member, weight = 0] of steps) {
      if (verb === "delete") set.delete(member);
      else set[verb](member, weight);
    }
    expect(evicted.join(" ")).toBe(want);
  });
});
