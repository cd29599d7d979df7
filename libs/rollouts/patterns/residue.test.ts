import { describe, expect, it } from "vitest";
import { listBranches } from "./pattern-branches.ts";
import { findGuard, passesGuard, WholeNameRegex } from "./residue.ts";

const cases = [
  { pattern: "pay-[0-9]+-prod", want: { prefix: "pay-", inner: [], suffix: "-prod", isProof: false } },
  { pattern: "pay-.*-prod", want: { prefix: "pay-", inner: [], suffix: "-prod", isProof: true } },
  { pattern: ".*-api-.*-web-.*", want: { prefix: "", inner: ["-api-", "-web-"], suffix: "", isProof: true } },
  { pattern: "[a-z]+", want: { prefix: "", inner: [], suffix: "", isProof: false } },
  { pattern: "[a-z]+-x-[a-z]+", want: { prefix: "", inner: ["-x-"], suffix: "", isProof: false } },
];

describe("findGuard", () => {
  it.each(cases)("of $pattern is the text that every matching name has", ({ pattern, want }) => {
    expect(listBranches(pattern).map(findGuard)).toEqual([want]);
  });
});

describe("passesGuard", () => {
  const guard = { prefix: "a-", inner: ["-b-", "-c-"], suffix: "-d", isProof: true };

  it.each([
    { name: "a--b--c--d", want: true },
    { name: "a-x-b-x-c-x-d", want: true },
    { name: "a-x-b-c-x-d", want: false },
    { name: "a-x-c-x-b-x-d", want: false },
    { name: "a-x-b-x-c-d", want: false },
    { name: "x-b--c--d", want: false },
    { name: "a--b--c-", want: false },
  ])("for $name is $want", ({ name, want }) => {
    expect(passesGuard(guard, name)).toBe(want);
  });
});

describe("WholeNameRegex", () => {
  it("matches whole names only", () => {
    const regex = new WholeNameRegex("a|b-[0-9]");

    expect(["a", "b-1", "xa", "ax", "b-12", "xb-1"].filter((name) => regex.matches(name))).toEqual(["a", "b-1"]);
  });

  it("compiles the expression only when it is first used", () => {
    const regex = new WholeNameRegex("(");

    expect(() => regex.matches("a")).toThrow(/missing closing/u);
  });
});
