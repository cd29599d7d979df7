import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { appendBucket, removeBucket, removeZeroShares } from "./edit-lines.ts";
import { parseRollouts } from "../parse.ts";

const file = `# ours
production: # all the rest
  1-24-5: 0   # leaves soon
  1-25-2: 100
".*-staging": { 1-24-5: 0, 1-25-2: 100 }
istio-e2e:
  1-25-2: 100

# the end
`;

function textOf(edited: ReturnType<typeof removeBucket>): string {
  if (!edited.ok) throw new Error(edited.findings.map(({ message }) => message).join());
  return edited.text;
}

describe("removing shares of weight 0", () => {
  it("removes their lines or their part of braces, and nothing else", () => {
    const zeros = [
      { pattern: "production", revision: "1-24-5" },
      { pattern: ".*-staging", revision: "1-24-5" },
      { pattern: "istio-e2e", revision: "1-24-5" },
    ];
    const want = file.replace("  1-24-5: 0   # leaves soon\n", "").replace("{ 1-24-5: 0, 1-25-2", "{ 1-25-2");
    expect(textOf(removeZeroShares(file, zeros))).toBe(want);
    expect(textOf(removeZeroShares(want, zeros))).toBe(want);
  });

  it("removes the last one in braces, and the last line of a file without a final line break", () => {
    const text = "production: {a: 100, b: 0}\nx:\n  a: 100\n  b: 0";
    const zeros = ["production", "x"].map((pattern) => ({ pattern, revision: "b" }));
    expect(textOf(removeZeroShares(text, zeros))).toBe("production: {a: 100}\nx:\n  a: 100");
  });

  it("refuses one with a weight above 0, at its place", () => {
    const edited = removeZeroShares(file, [{ pattern: "production", revision: "1-25-2" }]);
    expect(edited).toMatchObject({ ok: false, findings: [{ code: "MR1019", line: 4, column: 3 }] });
  });
});

describe("removing a bucket", () => {
  it("removes only its lines", () => {
    expect(textOf(removeBucket(file, "istio-e2e"))).toBe(file.replace("istio-e2e:\n  1-25-2: 100\n", ""));
    expect(textOf(removeBucket(file, ".*-staging"))).toBe(file.replace(/^".*\n/mu, ""));
  });

  it("refuses an unknown bucket, and the required one", () => {
    expect(removeBucket(file, "a")).toMatchObject({ ok: false, findings: [{ code: "MR1019" }] });
    expect(removeBucket(file, "production")).toMatchObject({ ok: false, findings: [{ code: "MR1003" }] });
  });
});

describe("adding a bucket", () => {
  const cases: readonly { readonly name: string; readonly text: string; readonly want: string }[] = [
    { name: "behind the last line", text: file, want: `${file}shop: # why\n  1-24-5: 100\n` },
    {
      name: "with four blanks",
      text: "production:\n    a: 100\n",
      want: "production:\n    a: 100\nshop: # why\n    1-24-5: 100\n",
    },
    {
      name: "with CRLF",
      text: "production:\r\n  a: 100",
      want: "production:\r\n  a: 100\r\nshop: # why\r\n  1-24-5: 100\r\n",
    },
  ];
  it.each(cases)("$name", ({ text, want }) => {
    expect(textOf(appendBucket(text, { pattern: "shop", revision: "1-24-5", comment: "why" }))).toBe(want);
  });

  it("quotes a name that another reader would not take for text", () => {
    for (const [pattern, revision] of [
      ["no", "1-24-5"],
      ["123", "007"],
      ["^a$", "1e3"],
    ] as const) {
      const text = textOf(appendBucket(file, { pattern, revision }));
      const parsed = parseRollouts(text, "f");
      expect(parsed.ok && parsed.value.buckets.at(-1)).toMatchObject({ pattern, shares: [{ revision, weight: 100 }] });
    }
  });

  it("an existing bucket, or a file in braces, is refused", () => {
    expect(appendBucket(file, { pattern: "istio-e2e", revision: "a" })).toMatchObject({ ok: false });
    expect(appendBucket("{production: {a: 100}}\n", { pattern: "x", revision: "a" })).toMatchObject({ ok: false });
    expect(appendBucket(file, { pattern: "x", revision: "a b" })).toMatchObject({ findings: [{ code: "MR1016" }] });
  });

  it("removed again, the file is as before", () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}[a-z0-9]$/u).filter((each) => each !== "production");
    fc.assert(
      fc.property(name, fc.constantFrom("\n", "\r\n"), (pattern, ending) => {
        const text = file.replace("istio-e2e", "e2e-of-ours").replaceAll("\n", ending);
        const added = textOf(appendBucket(text, { pattern, revision: "1-24-5", comment: "x" }));
        expect(textOf(removeBucket(added, pattern))).toBe(text);
      }),
    );
  });
});
