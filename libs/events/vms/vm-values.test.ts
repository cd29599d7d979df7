import { describe, expect, it } from "vitest";

import { hasVmKey, isVmName, nameVmKey, printVmTag, readVmKey, readVmTag } from "./vm-values.ts";

const group = { cluster: "east", namespace: "shop", name: "web" };

describe("names of VMs and groups", () => {
  const cases = [
    { name: "web", want: true },
    { name: "ip-10-0-0-1.ec2.internal", want: true },
    { name: "i-0abc1234567890def", want: true },
    { name: "a--b", want: true },
    { name: "a".repeat(128), want: true },
    { name: "a".repeat(129), want: false },
    { name: "", want: false },
    { name: "a..b", want: false },
    { name: ".a", want: false },
    { name: "a.", want: false },
    { name: "a.-b", want: false },
    { name: "A", want: false },
    { name: "a/b", want: false },
    { name: "a*", want: false },
    { name: "a b", want: false },
    { name: "a\n", want: false },
  ];
  it.each(cases)("$name is one: $want", ({ name, want }) => {
    expect(isVmName(name)).toBe(want);
  });

  it("a name with dots is read back from its key", () => {
    const vm = { group: { ...group, name: "web.v1" }, name: "vm-1.example.com" };
    expect(readVmKey(nameVmKey("tags", vm))).toEqual(vm);
  });

  it("names that are too long together have no key", () => {
    expect(hasVmKey({ group, name: "a".repeat(128) })).toBe(true);
    expect(hasVmKey({ group: { ...group, name: "g".repeat(128) }, name: "a".repeat(128) })).toBe(false);
  });

  it("a tag whose time has a fraction is read back in whole milliseconds", () => {
    expect(readVmTag(printVmTag({ revision: "1-31", at: 1_800_000_000_000.4 }))).toEqual({
      revision: "1-31",
      at: 1_800_000_000_000,
    });
  });
});

describe("the tag of a VM", () => {
  it.each([
    { name: "whole milliseconds", at: 1_764_000_000_000, want: 1_764_000_000_000 },
    { name: "a time that was computed by a monotonic clock", at: 1_764_000_000_000.75, want: 1_764_000_000_000 },
  ])("$name: what is written is read", ({ at, want }) => {
    expect(readVmTag(printVmTag({ revision: "1-25-2", at }))).toEqual({ revision: "1-25-2", at: want });
  });
});
