import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { editShares, type ShareChange } from "./edit.ts";

function change(pattern: string, shares: Readonly<Record<string, number>>): ShareChange {
  return { pattern, shares: Object.entries(shares).map(([revision, weight]) => ({ revision, weight })) };
}

describe("editShares changes only digits", () => {
  it("in Airbnb's file", () => {
    const text = readFileSync(new URL("../../../test/fixtures/rollouts/airbnb.yml", import.meta.url), "utf8");

    const edited = editShares(text, [change(".*-staging", { "1-24-5": 0, "1-25-2": 100 })]);

    expect(edited).toEqual({
      ok: true,
      text: text.replace("1-24-5: 75  \n  1-25-2: 25", "1-24-5: 0  \n  1-25-2: 100"),
    });
  });

  it.each([
    [
      "values behind odd blanks and comments",
      "production:\n  a:   75   # hold\n  b :\t25\n",
      "production:\n  a:   25   # hold\n  b :\t75\n",
    ],
    ["braces", "production: {a: 75, b: 25}  # x\n", "production: {a: 25, b: 75}  # x\n"],
    ["JSON", '{"production":{"a":75,"b":25}}', '{"production":{"a":25,"b":75}}'],
    ["a value on its own line", "production:\n  a:\n    75\n  b: 25", "production:\n  a:\n    25\n  b: 75"],
    [
      "CRLF and a byte order mark",
      "\uFEFFproduction:\r\n  a: 75\r\n  b: 25\r\n",
      "\uFEFFproduction:\r\n  a: 25\r\n  b: 75\r\n",
    ],
    ["a sum that was wrong before", "production: {a: 5, b: 5}\n", "production: {a: 25, b: 75}\n"],
  ])("%s", (_name, text, want) => {
    expect(editShares(text, [change("production", { a: 25, b: 75 })])).toEqual({ ok: true, text: want });
  });

  it("shares that are not named keep their values", () => {
    const text = "production: {a: 50, b: 30, c: 20}\n";

    expect(editShares(text, [change("production", { a: 40, b: 40 })])).toEqual({
      ok: true,
      text: "production: {a: 40, b: 40, c: 20}\n",
    });
  });

  it("several buckets at once, in any order", () => {
    const text = "production: {a: 100, b: 0}\nx-.*: {a: 100, b: 0}\n";
    const changes = [change("x-.*", { a: 0, b: 100 }), change("production", { a: 95, b: 5 })];

    expect(editShares(text, changes)).toEqual({ ok: true, text: "production: {a: 95, b: 5}\nx-.*: {a: 0, b: 100}\n" });
  });

  it("nothing when the file has these shares already", () => {
    const text = "production: {a: 100}\n";

    expect(editShares(text, [change("production", { a: 100 })])).toEqual({ ok: true, text });
  });
});

describe("editShares adds a revision in its neighbours' style", () => {
  it.each([
    ["as one more line", "production:\n  a: 100\nx: {a: 100}\n", "production:\n  a: 75\n  c: 25\nx: {a: 100}\n"],
    [
      "behind the comment and the blanks of the last line",
      "production:\n  a: 100  # x  \n\n# y\n",
      "production:\n  a: 75  # x  \n  c: 25\n\n# y\n",
    ],
    ["with the neighbours' indentation", "production:\n      a: 100\n", "production:\n      a: 75\n      c: 25\n"],
    ["with the neighbours' double quotes", 'production:\n  "a": 100\n', 'production:\n  "a": 75\n  "c": 25\n'],
    ["with the neighbours' single quotes", "production:\n  'a' :  100\n", "production:\n  'a' :  75\n  'c' :  25\n"],
    ["without a final line break where there was none", "production:\n  a: 100", "production:\n  a: 75\n  c: 25"],
    ["with CRLF", "production:\r\n  a: 100\r\n", "production:\r\n  a: 75\r\n  c: 25\r\n"],
    [
      "with CRLF at the end of a file without a final line break",
      "production:\r\n  a: 100",
      "production:\r\n  a: 75\r\n  c: 25",
    ],
    ["behind a value on its own line", "production:\n  a:\n    100\n", "production:\n  a:\n    75\n  c: 25\n"],
    ["inside braces", "production: {a: 100}\n", "production: {a: 75, c: 25}\n"],
    ["inside braces with blanks", "production: { a: 100 } # x\n", "production: { a: 75, c: 25 } # x\n"],
    ["inside braces with a last comma", "production: {a: 100,}\n", "production: {a: 75, c: 25,}\n"],
    ["inside braces of JSON", '{"production":{"a":100}}', '{"production":{"a":75, "c":25}}'],
    ["inside braces without blanks", '{"production":{"a":100,"b":0}}', '{"production":{"a":75,"b":0,"c":25}}'],
    [
      "inside braces over lines",
      "production: {\n  a: 100,\n  b: 0\n}\n",
      "production: {\n  a: 75,\n  b: 0,\n  c: 25\n}\n",
    ],
    [
      "inside braces with comments",
      "production: {\n  a: 100, # x\n  b: 0 # y\n}\n",
      "production: {\n  a: 75, # x\n  b: 0, c: 25 # y\n}\n",
    ],
  ])("%s", (_name, text, want) => {
    expect(editShares(text, [change("production", { a: 75, c: 25 })])).toEqual({ ok: true, text: want });
  });

  it("in quotes when other readers would read its name as a number", () => {
    const text = "production:\n  v1: 100\n";

    expect(editShares(text, [change("production", { v1: 90, "1.20": 10 })])).toEqual({
      ok: true,
      text: 'production:\n  v1: 90\n  "1.20": 10\n',
    });
  });

  it("two at once, in the order asked", () => {
    const edited = editShares("production:\n  a: 100\n", [change("production", { a: 50, c: 30, b: 20 })]);

    expect(edited).toEqual({ ok: true, text: "production:\n  a: 50\n  c: 30\n  b: 20\n" });
  });
});

describe("editShares refuses", () => {
  it.each<[name: string, text: string, changes: readonly ShareChange[], want: readonly string[]]>([
    ["an anchor", "production: &x {a: 100}\n", [change("production", { a: 100 })], ["MR1013 1:13"]],
    ["a file that is not YAML", "production:\n\ta: 100\n", [change("production", { a: 100 })], ["MR1001 2:1"]],
    [
      "a duplicate bucket",
      "production: {a: 100}\nproduction: {a: 100}\n",
      [change("production", { a: 100 })],
      ["MR1002 2:1"],
    ],
    ["an invalid percentage", "production: {a: 1e2}\n", [change("production", { a: 100 })], ["MR1005 1:17"]],
    ["a bucket that is not there", "production: {a: 100}\n", [change("x", { a: 100 })], ["MR1019 1:1"]],
    [
      "a bucket named twice",
      "production: {a: 100}\n",
      [change("production", { a: 100 }), change("production", { a: 100 })],
      ["MR1019 1:1"],
    ],
    ["a sum other than 100", "production: {a: 100, b: 0}\n", [change("production", { a: 90 })], ["MR1004 1:24"]],
    ["a fraction", "production: {a: 100}\n", [change("production", { a: 99.5, b: 0.5 })], ["MR1005 1:1", "MR1005 1:1"]],
    [
      "a negative share",
      "production: {a: 100}\n",
      [change("production", { a: 101, b: -1 })],
      ["MR1005 1:1", "MR1005 1:1"],
    ],
    [
      "a revision that is not a label value",
      "production: {a: 100}\n",
      [change("production", { "b: 1\nx": 0 })],
      ["MR1016 1:1"],
    ],
    ["a bucket without revisions", "production: {a: 100}\nx:\n", [change("x", { a: 100 })], ["MR1018 2:1"]],
    [
      "a result with an error elsewhere",
      "production: {a: 100, b: 0}\nx: {a: 1}\n",
      [change("production", { a: 0, b: 100 })],
      ["MR1004 2:8"],
    ],
  ])("%s", (_name, text, changes, want) => {
    const edited = editShares(text, changes);

    expect(edited.ok ? [] : edited.findings.map(({ code, line, column }) => `${code} ${line}:${column}`)).toEqual(want);
    expect(edited.ok ? [] : edited.findings.filter(({ help }) => help === undefined)).toEqual([]);
  });

  it("a revision asked for twice", () => {
    const shares = [
      { revision: "a", weight: 50 },
      { revision: "a", weight: 50 },
    ];

    expect(editShares("production: {a: 100}\n", [{ pattern: "production", shares }])).toMatchObject({
      ok: false,
      findings: [{ code: "MR1019" }],
    });
  });
});
