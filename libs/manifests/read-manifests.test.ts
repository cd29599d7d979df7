import { describe, expect, it } from "vitest";

import { readManifests } from "./read-manifests.ts";

describe("readManifests refuses a whole text, with the place", () => {
  const malformed: Record<string, { readonly text: string; readonly at: number; readonly want: RegExp }> = {
    "a map inside of a value": { text: "a: b\n  c: d\n", at: 3, want: /nested mappings/ },
    "a tab as indentation": { text: "a:\n\tb: c\n", at: 3, want: /tab/i },
    "a quote that does not end": { text: 'a: "b\n', at: 6, want: /missing closing/i },
    "the second of two documents": { text: "a: b\n---\na: [\n", at: 14, want: /flow/i },
    "an alias of nothing": { text: "kind: *x\n", at: 6, want: /alias of an anchor/ },
    "JSON without a comma": { text: '{"a": 1 "b": 2}', at: 8, want: /`,` or `}` is missing/ },
    "JSON that is cut off": { text: '{"a": [1, 2', at: 11, want: /is missing/ },
    "JSON deeper than anything real": { text: "[".repeat(5000), at: 500, want: /nested too deeply/ },
  };

  it.each(Object.entries(malformed))("%s", (_, { text, at, want }) => {
    const read = readManifests(text);
    expect(read.ok ? undefined : read.malformed).toEqual({ at, message: expect.stringMatching(want) as string });
  });

  it("refuses 5,000 nested lists of YAML, too", () => {
    expect(readManifests(`a: ${"[".repeat(5000)}`).ok).toBe(false);
  });
});
