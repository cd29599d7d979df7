import { describe, expect, it } from "vitest";

import { createProxyImages } from "./proxy-images.ts";

/** Pods that are added and removed, as `+a` and `-a`, and the usual image afterwards. */
const cases: readonly { readonly name: string; readonly pods: string; readonly want: string | undefined }[] = [
  { name: "no pod", pods: "", want: undefined },
  { name: "one pod", pods: "+a", want: "a" },
  { name: "most have it", pods: "+a +b +b", want: "b" },
  { name: "as many of both: it stays", pods: "+a +b", want: "a" },
  { name: "the last one went", pods: "+a +b -a", want: "b" },
  { name: "all went", pods: "+a -a", want: undefined },
];

describe("the usual image of a revision's sidecars", () => {
  it.each(cases)("$name", ({ pods, want }) => {
    const images = createProxyImages(() => undefined);
    for (const step of pods.split(" ").filter(Boolean)) images.count("new", step.slice(1), step[0] === "+" ? 1 : -1);
    expect(images.usual("new")).toBe(want);
    expect(images.usual("old")).toBeUndefined();
  });

  it("does not alternate between two nearly equal ones, and reports each change once", () => {
    const told: (string | undefined)[] = [];
    const images = createProxyImages(() => told.push(images.usual("new")));
    for (let pod = 0; pod < 50; pod++) images.count("new", "a", 1);
    for (let pod = 0; pod < 52; pod++) images.count("new", "b", 1);
    for (let pod = 0; pod < 2; pod++) images.count("new", "a", -1);
    expect(told).toEqual(["a"]);
    for (let pod = 0; pod < 10; pod++) images.count("new", "b", 1);
    expect(told).toEqual(["a", "b"]);
  });
});
