import { describe, expect, it } from "vitest";

import { listReasonCodes } from "../reasons/reason.ts";
import { printText } from "../text.ts";
import { nameLook, wordWaitEnding } from "./wait-ends.ts";

describe("what ends a wait without a time", () => {
  it("is said for every code, in words that follow `until`", () => {
    const texts = listReasonCodes().map((code) => printText(wordWaitEnding(code).text));
    expect(texts.filter((text) => !/^(?:when|with) /u.test(text) || text.endsWith("."))).toEqual([]);
    expect(texts).not.toContain("when what the sentence names has changed");
  });

  const unknown = "when what the sentence names has changed";
  const cases = [
    {
      title: "a stop ends with its command, and reminds at its time",
      code: "Stopped",
      want: { by: "person", text: "when its command was run", isReminder: true },
    },
    {
      title: "a wave opens by itself",
      code: "WaveClosed",
      want: { by: "itself", text: "when the wave before is over" },
    },
    { title: "a code of a newer planner", code: "New", want: { by: "person", text: unknown } },
    { title: "a name that every object has", code: "constructor", want: { by: "person", text: unknown } },
  ];
  it.each(cases)("$title", ({ code, want }) => expect(wordWaitEnding(code)).toEqual(want));
});

describe("the command that looks at what waits", () => {
  const cases = [
    { title: "a run", scope: "run/6d6572676500", want: "meshroll describe run/6d6572676500" },
    { title: "a run in a cluster", scope: "run/6d65@prod-euw1-a", want: "meshroll describe run/6d65" },
    { title: "a campaign", scope: "campaign/istio-1-25", want: "meshroll describe campaign/istio-1-25" },
    { title: "a cluster", scope: "cluster/prod-euw1-a", want: "meshroll describe cluster/prod-euw1-a" },
    { title: "a namespace", scope: "namespace/shop", want: "meshroll describe namespace/shop" },
    { title: "a pull request", scope: "pull/119", want: "gh pr view 119" },
    { title: "everything", scope: "all", want: "meshroll status" },
    { title: "a pull request with more than a number", scope: "pull/1;ls", want: "meshroll status" },
    { title: "a bucket", scope: "bucket/production", want: "meshroll status" },
  ];
  it.each(cases)("$title", ({ scope, want }) => expect(nameLook(scope)).toBe(want));
});
