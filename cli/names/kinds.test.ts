import { expect, it } from "vitest";

import { findKindNamed } from "./kinds.ts";

it.each([
  { words: ["campaigns", "campaign", "camp"], want: "campaigns" },
  { words: ["runs", "run"], want: "runs" },
  { words: ["namespaces", "namespace", "ns"], want: "namespaces" },
  { words: ["workloads", "workload", "wl", "deploy"], want: "workloads" },
  { words: ["holds", "hold", "pause", "stop"], want: "holds" },
  { words: ["drift", "drifts"], want: "drift" },
  { words: ["failures", "failure", "fail"], want: "failures" },
  { words: ["revisions", "revision", "rev"], want: "revisions" },
  { words: ["clusters", "cluster"], want: "clusters" },
  { words: ["pods", "constructor", "Runs", ""], want: undefined },
])("$words name $want", ({ words, want }) => {
  expect(words.map(findKindNamed)).toEqual(words.map(() => want));
});
