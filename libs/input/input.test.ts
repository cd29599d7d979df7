import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { cleanLine, isInstant, isRecordId, isStopScope, lookUp, showUnprintable } from "./index.ts";

describe("7.1 a scope is read by one parser", () => {
  const cases: readonly [scope: string, want: boolean][] = [
    ["all", true],
    ["cluster/prod-use1-a", true],
    ["campaign/istio-1-25", true],
    ["namespace/payments", true],
    ["run/0ff56d2715bc", true],
    ["bucket/.*-staging", true],
    ["bucket/a|b", true],
    ["cluster/constructor", true],
    ["bogus", false],
    ["", false],
    ["all/x", false],
    ["xcluster/a", false],
    ["my cluster/a", false],
    ["cluster/", false],
    ["cluster/A", false],
    ["cluster/-a", false],
    ["cluster/a/b", false],
    ["cluster/a\n", false],
    ["campaign/../x", false],
    ["namespace/a.b", false],
    ["run/constructor", false],
    ["run/0FF56D2715BC", false],
    ["run/0ff56d2715bc0", false],
    ["bucket/a b", false],
    ["bucket/a\u001b[2J", false],
    ["bucket/é", false],
    [`bucket/${"a".repeat(257)}`, false],
    ["toString/x", false],
    ["constructor/x", false],
    ["__proto__/x", false],
  ];
  test.each(cases)("%j: %s", (scope, want) => expect(isStopScope(scope)).toBe(want));
});

describe("the id of a record is safe in a path, a key and a ref", () => {
  const cases: readonly [id: string, want: boolean][] = [
    ["pause-1a2b3c4d", true],
    ["comment-12345", true],
    ["return-0ff56d2715bc-1", true],
    ["constructor", true],
    ["../heads", false],
    ["..", false],
    ["a/b", false],
    ["a.b", false],
    ["", false],
    ["a\n", false],
    ["a".repeat(81), false],
  ];
  test.each(cases)("%j: %s", (id, want) => expect(isRecordId(id)).toBe(want));
});

describe("a time is one that every clock understands", () => {
  const cases: readonly [text: string, want: boolean][] = [
    ["2026-11-19T12:00:00Z", true],
    ["2026-11-19T12:00:00.123Z", true],
    ["2026-11-31T12:00:00Z", true],
    ["2026-13-01T12:00:00Z", false],
    ["+300000-01-01T00:00:00.000Z", false],
    ["2026-11-19T12:00:00+01:00", false],
    ["2026-11-19", false],
    ["", false],
    ["NaN", false],
  ];
  test.each(cases)("%j: %s", (text, want) => expect(isInstant(text)).toBe(want));
});

describe("text of others is one line that only shows itself", () => {
  const cases: readonly { readonly name: string; readonly text: string; readonly want: string }[] = [
    { name: "terminal sequences", text: "\u001b[31mred\u001b]0;title\u0007", want: "[31mred ]0;title" },
    { name: "controls of the upper half", text: "a\u009b2Jb", want: "a 2Jb" },
    { name: "line ends of every kind", text: "a\r\nb\u2028c\u0085d", want: "a b c d" },
    { name: "turned direction", text: "a\u202Egnp.\u2066b\u061C", want: "a gnp. b" },
    { name: "invisible marks", text: "pay\u200Bments\u00AD \u2060\uFEFFx", want: "pay ments x" },
    { name: "tags that no font shows", text: "a\u{E0041}\u{E007F}b", want: "a b" },
    { name: "half a character", text: "a\ud800b", want: "a b" },
    { name: "letters of every language", text: "Größe 数量 ελ", want: "Größe 数量 ελ" },
  ];
  test.each(cases)("$name", ({ text, want }) => expect(cleanLine(text)).toBe(want));

  test("it is never longer than was said, and cleaning it again changes nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), fc.integer({ min: 1, max: 30 }), (text, most) => {
        const line = cleanLine(text, most);
        return Array.from(line).length <= most && cleanLine(line, most) === line && line.isWellFormed();
      }),
    );
  });

  test("ten megabytes are cut before they are looked at", () => {
    expect(cleanLine("\u0007".repeat(10_000_000) + "x", 100)).toBe("");
  });
});

describe("text on a terminal only shows itself", () => {
  const cases: readonly { readonly name: string; readonly text: string; readonly want: string }[] = [
    { name: "terminal sequences", text: "\u001b[2J\u009b31m\u0007", want: "\\u001b[2J\\u009b31m\\u0007" },
    { name: "lines and tabs stay", text: "a\tb\nc", want: "a\tb\nc" },
    { name: "a line that is drawn over", text: "bad\rgood", want: "bad\\u000dgood" },
    { name: "turned direction", text: "\u202Egnp", want: "\\u202egnp" },
    { name: "tags that no font shows", text: "a\u{E0041}", want: "a\\udb40\\udc41" },
    { name: "letters of every language", text: "Größe ✔ 数", want: "Größe ✔ 数" },
  ];
  test.each(cases)("$name", ({ text, want }) => expect(showUnprintable(text)).toBe(want));

  test("JSON says the same as before", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: "binary" }), (value, text) => {
        const json = JSON.stringify([value, text]);
        expect(JSON.parse(showUnprintable(json))).toEqual(JSON.parse(json));
      }),
    );
  });
});

describe("a record is read only for what is its own", () => {
  const record = { a: 1 };
  test.each(["constructor", "__proto__", "toString", "hasOwnProperty", "b"])("%s is not there", (name) => {
    expect([lookUp(record, name), lookUp(undefined, name)]).toEqual([undefined, undefined]);
  });
  test("its own names are, whatever they are called", () => {
    const named = Object.fromEntries([["__proto__", 2]]);
    expect([lookUp(record, "a"), lookUp(named, "__proto__")]).toEqual([1, 2]);
  });
});
