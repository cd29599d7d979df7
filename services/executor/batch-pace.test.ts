import { describe, expect, it } from "vitest";

import { createPaceMemory } from "./batch-pace.ts";

const nothingYet = { namespaces: new Map(), facts: {} };

describe("3.3 when a workload was last seen to roll", () => {
  const cases = [
    { name: "one that rolls: now", looks: [["a"], ["a"]], want: 1000 },
    // It came to rest somewhere between the two looks: the delay must not begin before it did.
    { name: "one that came to rest since the last look: now", looks: [["a"], []], want: 1000 },
    { name: "one that rests since earlier: when it was first seen at rest", looks: [["a"], [], []], want: 1000 },
    { name: "one that rolls again: now", looks: [["a"], [], ["a"], []], want: 3000 },
    { name: "another one, not at all", looks: [["b"], []], want: undefined },
  ];
  it.each(cases)("$name", ({ looks, want }) => {
    const memory = createPaceMemory();
    const seen = looks.map((rolling, at) => memory.look(rolling, nothingYet, at * 1000));
    expect(seen.at(-1)?.rolledAt.get("a")).toBe(want);
  });
});
