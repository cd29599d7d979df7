import type { RollbackEditRefusal } from "#libs/wording";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";

import { isRolledBack, isWholeFile, proposeRollback } from "./propose-rollback.ts";

const airbnb = `production:
  1-24-5: 75  # most
  1-25-2: 25

# staging goes first
.*-staging:
  1-24-5: 50
  1-25-2: 50
`;

describe("2.2 a rollback edits the buckets of its run, and no other byte", () => {
  const cases: readonly {
    readonly name: string;
    readonly old: string;
    readonly head: string;
    readonly buckets: readonly string[];
    readonly want: string;
  }[] = [
    {
      name: "changes only digits",
      old: airbnb.replace("75", "95").replace("25\n", "5\n"),
      head: airbnb,
      buckets: ["production"],
      want: airbnb.replace("75", "95").replace("1-25-2: 25", "1-25-2: 5"),
    },
    {
      name: "leaves another bucket that moved on",
      old: airbnb.replace("1-24-5: 50\n  1-25-2: 50", "1-24-5: 100").replace("75", "95").replace("2: 25", "2: 5"),
      head: airbnb,
      buckets: ["production"],
      want: airbnb.replace("75", "95").replace("2: 25", "2: 5"),
    },
    {
      name: "a new revision stays, with 0",
      old: "production:\n  old: 100\n",
      head: "production:\n  old: 95\n  new: 5\n",
      buckets: ["production"],
      want: "production:\n  old: 100\n  new: 0\n",
    },
    {
      name: "a removed revision gets a line again",
      old: "production:\n  old: 50\n  new: 50\n",
      head: "production:\n  new: 100 # done\n",
      buckets: ["production"],
      want: "production:\n  new: 50 # done\n  old: 50\n",
    },
    {
      name: "removes a bucket with its comment and its blank line",
      old: airbnb,
      head: `${airbnb}\n# the pilot\npilot-.*:\n  1-25-2: 100\n`,
      buckets: ["pilot-.*"],
      want: airbnb,
    },
    {
      name: "removes a bucket between others",
      old: airbnb,
      head: airbnb.replace("# staging", "pilot-.*:\n  1-25-2: 100\n\n# staging"),
      buckets: ["pilot-.*"],
      want: airbnb,
    },
    {
      name: "removes a bucket of one line",
      old: "production:\n  a: 100\n# y\ny: { a: 100 }\n",
      head: "production:\n  a: 100\nx-.*: { b: 100 }\n# y\ny: { a: 100 }\n",
      buckets: ["x-.*"],
      want: "production:\n  a: 100\n# y\ny: { a: 100 }\n",
    },
    {
      name: "removes a bucket, but not an older comment above it",
      old: "production:\n  a: 100\n# pilots follow\n",
      head: "production:\n  a: 100\n# pilots follow\n# the first\nx-.*:\n  b: 100\n",
      buckets: ["x-.*"],
      want: "production:\n  a: 100\n# pilots follow\n",
    },
    {
      name: "removes a bucket, but not the blank line between its neighbours",
      old: "production:\n  a: 100\n\ny:\n  a: 100\n",
      head: "production:\n  a: 100\n\nx-.*:\n  b: 100\ny:\n  a: 100\n",
      buckets: ["x-.*"],
      want: "production:\n  a: 100\n\ny:\n  a: 100\n",
    },
    {
      name: "removes a bucket, but not the line of blanks behind it",
      old: "production:\n  a: 100\n   \n# the end\n",
      head: "production:\n  a: 100\nx-.*:\n  b: 100\n   \n# the end\n",
      buckets: ["x-.*"],
      want: "production:\n  a: 100\n   \n# the end\n",
    },
    {
      name: "adds no line for a revision that had 0",
      old: "production:\n  a: 100\n  c: 0\n",
      head: "production:\n  a: 50\n  b: 50\n",
      buckets: ["production"],
      want: "production:\n  a: 100\n  b: 0\n",
    },
    {
      name: "adds a bucket behind a longer one that has no line end",
      old: "production:\n  a: 50\n  b: 50\nx-.*:\n  b: 100",
      head: "production:\n  a: 50\n  b: 50",
      buckets: ["x-.*"],
      want: "production:\n  a: 50\n  b: 50\nx-.*:\n  b: 100\n",
    },
    {
      name: "adds a bucket with the line ends of today's file",
      old: "production:\r\n  a: 100\r\nx-.*:\r\n  b: 100\r\n",
      head: "production:\n  a: 100\n",
      buckets: ["x-.*"],
      want: "production:\n  a: 100\nx-.*:\n  b: 100\n",
    },
    {
      name: "adds a bucket where it was",
      old: "production:\n  a: 100\nx-.*:\n  b: 100 # pinned\n\ny-.*: {a: 50, b: 50}\n",
      head: "production:\n  a: 90\n  b: 10\n\ny-.*: {a: 50, b: 50}\n",
      buckets: ["x-.*"],
      want: "production:\n  a: 90\n  b: 10\nx-.*:\n  b: 100 # pinned\n\ny-.*: {a: 50, b: 50}\n",
    },
    {
      name: "adds a bucket that was the first",
      old: "x-.*:\n  b: 100\nproduction:\n  a: 100\n",
      head: "# head\nproduction:\n  a: 100\n",
      buckets: ["x-.*"],
      want: "# head\nx-.*:\n  b: 100\nproduction:\n  a: 100\n",
    },
    {
      name: "adds a bucket behind a last line that has no line end",
      old: "production:\n  a: 100\nx-.*:\n  b: 100",
      head: "production:\n  a: 100",
      buckets: ["x-.*"],
      want: "production:\n  a: 100\nx-.*:\n  b: 100\n",
    },
    {
      name: "keeps the file's CRLF line ends",
      old: "production:\n  a: 100\nx-.*:\n  b: 100\n",
      head: "production:\r\n  a: 50\r\n  b: 50\r\n",
      buckets: ["production", "x-.*"],
      want: "production:\r\n  a: 100\r\n  b: 0\r\nx-.*:\r\n  b: 100\r\n",
    },
    {
      name: "changes, adds and removes buckets together",
      old: "production:\n  a: 100\nx-.*:\n  a: 100\n",
      head: "production:\n  a: 50\n  b: 50\ny-.*:\n  b: 100\n",
      buckets: ["production", "x-.*", "y-.*"],
      want: "production:\n  a: 100\n  b: 0\nx-.*:\n  a: 100\n",
    },
  ];
  for (const { name, old, head, buckets, want } of cases) {
    it(name, () => {
      expect(proposeRollback(buckets, head, old)).toEqual({ kind: "edit", text: want });
      expect(isRolledBack(buckets, want, old)).toBe(true);
      expect(proposeRollback(buckets, want, old)).toEqual({ kind: "said" });
    });
  }
});

describe("2.2 isRolledBack and isWholeFile", () => {
  const own = ["production", "x-.*"];
  const file = (production: string, x: string) => `production: { ${production}: 100 }\nx-.*: { ${x}: 100 }\n`;
  const cases: readonly {
    readonly name: string;
    readonly head: string | undefined;
    readonly old: string | undefined;
    /** Whether the run's own buckets are the same, and whether all others are. */
    readonly want: readonly [own: boolean, others: boolean];
  }[] = [
    { name: "all buckets match", head: file("a", "b"), old: file("a", "b"), want: [true, true] },
    { name: "one bucket of two matches", head: file("a", "b"), old: file("a", "c"), want: [false, true] },
    {
      name: "the run's buckets match, and another bucket differs",
      head: `${file("a", "b")}y: { a: 100 }\n`,
      old: `${file("a", "b")}y: { b: 100 }\n`,
      want: [true, false],
    },
    { name: "main does not parse", head: "production: {}", old: file("a", "b"), want: [false, false] },
  ];
  for (const { name, head, old, want } of cases) {
    it(name, () => {
      expect([isRolledBack(own, head ?? "", old ?? ""), isWholeFile(own, head, old)]).toEqual(want);
    });
  }
});

describe("2.2 a rollback that cannot be written says why", () => {
  const cases: readonly {
    readonly name: string;
    readonly head?: string;
    readonly old?: string;
    readonly want: RollbackEditRefusal;
  }[] = [
    {
      name: "main does not parse",
      head: "production:\n  a: 10\n",
      old: "production: { a: 100 }\n",
      want: { code: "MainUnread" },
    },
    { name: "main has no file", old: "production: { a: 100 }\n", want: { code: "NoFileOnMain" } },
    {
      name: "there was no file before",
      head: "production: { a: 100 }\n",
      want: { code: "NoFileBefore" },
    },
    {
      name: "the file of before does not parse",
      head: "production: { a: 100 }\n",
      old: "production: { a: 10 }\n",
      want: { code: "BeforeUnread" },
    },
    {
      name: "the file is one line of JSON and needs another bucket",
      head: '{"production":{"a":100}}',
      old: "x-.*:\n  b: 100\nproduction:\n  a: 100\n",
      want: { code: "NeedsReformat", bucket: "x-.*" },
    },
    {
      name: "the file of before was one line of JSON and main needs its bucket",
      head: "production:\n  a: 100\n",
      old: '{"x-.*":{"b":100},"production":{"a":100}}',
      want: { code: "NeedsReformat", bucket: "x-.*" },
    },
    {
      name: "the file is one line of JSON and has to lose a bucket",
      head: '{"production":{"a":100},"x-.*":{"b":100}}',
      old: '{"production":{"a":100}}',
      want: { code: "NeedsReformat", bucket: "x-.*" },
    },
  ];
  for (const { name, head, old, want } of cases) {
    it(name, () => expect(proposeRollback(["x-.*"], head, old)).toEqual({ kind: "impossible", why: want }));
  }
});

test("2.2 the edit reverts exactly what a run changed, for any change", () => {
  const shares = fc.constantFrom("a: 100", "a: 50\n  b: 50", "b: 100", "a: 75\n  b: 0\n  c: 25", "c: 100 # x");
  const buckets = fc.dictionary(fc.constantFrom("x-.*", "y-.*", "z.+"), shares, { noNullPrototype: true });
  const file = fc.record({ production: shares, others: buckets }).map(({ production, others }) => {
    const entries = [...Object.entries(others), ["production", production]];
    return entries.map(([pattern, text]) => `${pattern}:\n  ${text}\n`).join("\n");
  });
  fc.assert(
    fc.property(file, file, fc.subarray(["x-.*", "y-.*", "z.+", "production"]), (old, head, patterns) => {
      const proposal = proposeRollback(patterns, head, old);
      expect(proposal.kind).not.toBe("impossible");
      expect(isRolledBack(patterns, proposal.kind === "edit" ? proposal.text : head, old)).toBe(true);
    }),
  );
});
