import fc from "fast-check";
import { describe, expect, it, test } from "vitest";

import { fillQuery } from "./fill-query.ts";

const parts = { namespaces: ["shop-b", "shop-a"], revisions: ["1.25.2"], window: 300_000 };

describe("fillQuery", () => {
  test.each([
    ['sum(up{ns=~"${namespaces}"})', 'sum(up{ns=~"shop-a|shop-b"})'],
    ['sum(up{rev=~"${revision}"})', 'sum(up{rev=~"1[.]25[.]2"})'],
    ["rate(x[${window}]) / rate(y[${window}])", "rate(x[5m]) / rate(y[5m])"],
    ["sum(up)", "sum(up)"],
    ["${other} $namespaces {namespaces}", "${other} $namespaces {namespaces}"],
  ])("%s becomes %s", (query, want) => expect(fillQuery(query, parts)).toBe(want));

  it.each([
    [1500, "2s"],
    [10, "1s"],
    [60_000, "1m"],
    [90_000, "1m30s"],
    [86_400_000, "1d"],
  ])("%d ms are the window %s", (window, want) => expect(fillQuery("${window}", { ...parts, window })).toBe(want));

  it("needs a namespace, because an empty match would be everything without the label", () => {
    expect(fillQuery('up{ns=~"${namespaces}"}', { ...parts, namespaces: [] })).toBeUndefined();
    expect(fillQuery('up{rev=~"${revision}"}', { ...parts, revisions: [] })).toBeUndefined();
    expect(fillQuery("up", { ...parts, namespaces: [], revisions: [] })).toBe("up");
  });

  test.each(['a"} or vector(0) #', "a'b", "a`b", "a\\", "a\nb", "a|.*", "a}", "${revision}", "(a)", "ä"])(
    "leaves out the name %j, which no string of PromQL may hold",
    (name) => {
      expect(fillQuery('up{ns=~"${namespaces}"}', { ...parts, namespaces: [name, "shop"] })).toBe('up{ns=~"shop"}');
      expect(fillQuery('up{ns=~"${namespaces}"}', { ...parts, namespaces: [name] })).toBeUndefined();
    },
  );

  it("any namespace's name stays within its string and matches only itself", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary-ascii", maxLength: 12 }), { maxLength: 5 }), (names) => {
        const filled = fillQuery('up{ns=~"${namespaces}"}', { ...parts, namespaces: names });
        if (filled === undefined) return;
        const [, matched = ""] = /^up\{ns=~"([\w.[\]|-]+)"\}$/.exec(filled) ?? [];
        const matches = new RegExp(`^(?:${matched})$`);
        for (const name of names) expect(matches.test(name)).toBe(/^[\w.-]+$/.test(name));
        expect(matches.test("another-one-entirely")).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});
