import { describe, expect, test } from "vitest";

import { compareVersions, parseVersion } from "./version.ts";

describe("what is read as a version", () => {
  const cases = [
    ["1.25.2", [1, 25, 2], []],
    ["v1.25.2", [1, 25, 2], []],
    ["123456789.0.0", [123_456_789, 0, 0], []],
    ["0.123456789.123456789", [0, 123_456_789, 123_456_789], []],
    ["1.26.0-alpha-x.10.B", [1, 26, 0], ["alpha-x", "10", "B"]],
    ["1.26.0+build.7-x", [1, 26, 0], []],
    ["1.26.0-rc.1+abc", [1, 26, 0], ["rc", "1"]],
    ["1.30-alpha.9f2c", [1, 30, 0], ["alpha", "9f2c"]],
    ["10.123-a.b.c", [10, 123, 0], ["a", "b", "c"]],
  ] as const;
  test.each(cases)("%s", (text, numbers, preRelease) => {
    expect(parseVersion(text)).toEqual({ numbers, preRelease });
  });

  test("only up to a maximal length", () => {
    expect(parseVersion(`1.25.2-${"a".repeat(121)}`)).toBeDefined();
    expect(parseVersion(`1.25.2-${"a".repeat(122)}`)).toBeUndefined();
  });

  const junk = ["", "1", "1.25", "1.25.2.1", "01.2.3", "1.02.3", "1.2.03", "1234567890.0.0", "0.1234567890.0"];
  const half = ["0.0.1234567890", "x1.25.2", "1.25.2x", "1.25.2-", "1.25.2-a..b", "1.25.2-ä", "1.25.2+", "1.25.2+a+b"];
  const minor = [
    "1.30-",
    "1.30-a..b",
    "1.30-a+b",
    "01.30-a",
    "1.030-a",
    "x1.30-a",
    "1.25x2",
    "1x25.2",
    "1.1234567890-a",
  ];
  test.each([...junk, ...half, ...minor])("not %j", (text) => expect(parseVersion(text)).toBeUndefined());
});

test("the order of semantic versioning, in both directions", () => {
  const ascending = [
    "0.9.9",
    "1.0.0-0",
    "1.0.0-10",
    "1.0.0-10x",
    "1.0.0-9x",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.1.0",
    "1.0.0-alpha.-x",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-rc10",
    "1.0.0-rc9",
    "1.0.0",
    "1.0.10",
    "2.0.0",
    "10.0.0",
  ];
  const versions = ascending.map((text) => {
    const version = parseVersion(text);
    if (version === undefined) throw new Error(text);
    return version;
  });
  for (const [i, a] of versions.entries()) {
    for (const [j, b] of versions.entries()) {
      expect([ascending[i], ascending[j], Math.sign(compareVersions(a, b))]).toEqual([
        ascending[i],
        ascending[j],
        Math.sign(i - j),
      ]);
    }
  }
});
