import { makeRun, sha } from "#test/world/build";
import { describe, expect, test } from "vitest";

import { findCameBy } from "./came-by.ts";

/** The revision that main gives the namespace at each of its commits, oldest first. */
type Line = Readonly<Record<string, string | undefined>>;

const subject = { pattern: "production", revision: "1-25-2" };

function makeRuns(line: Line, gone: readonly string[] = []) {
  const names = Object.keys(line);
  return names.slice(1).map((name, index) => ({
    ...makeRun(sha(name), sha(names[index] ?? ""), { subject: `raise ${name}` }),
    buckets: ["production"],
    order: index,
    state: gone.includes(name) ? ("gone" as const) : ("done" as const),
  }));
}

function readLine(line: Line): (commit: string) => Promise<string | undefined> {
  const answers = new Map(Object.entries(line).map(([name, revision]) => [sha(name), revision]));
  return async (commit) => answers.get(commit);
}

describe("the run that moved a namespace to its revision", () => {
  const cases: readonly { readonly name: string; readonly line: Line; readonly want?: string }[] = [
    {
      name: "is the newest one, if that one moved it",
      line: { a: "1-24-5", b: "1-24-5", c: "1-25-2" },
      want: "raise c",
    },
    {
      name: "is an older one, if later ones left it",
      line: { a: "1-24-5", b: "1-25-2", c: "1-25-2" },
      want: "raise b",
    },
    { name: "is unknown if no run moved it", line: { a: "1-25-2", b: "1-25-2" } },
    { name: "is unknown if a commit cannot be read", line: { a: undefined, b: "1-25-2" } },
    { name: "is unknown if main has moved on", line: { a: "1-24-5", b: "1-25-2", c: "1-24-5" } },
  ];
  test.each(cases)("$name", async ({ line, want }) => {
    const found = await findCameBy(makeRuns(line), subject, readLine(line));
    expect([found?.subject, found?.from]).toEqual([want, want === undefined ? undefined : "1-24-5"]);
  });

  test("says whether it was a rollback", async () => {
    const line = { a: "1-25-2", b: "1-24-5" };
    const [run] = makeRuns(line);
    const changes = [{ pattern: "production", from: "", to: "", direction: "rollback" as const }];
    const runs = run === undefined ? [] : [{ ...run, changes }];
    const found = await findCameBy(runs, { ...subject, revision: "1-24-5" }, readLine(line));
    expect(found).toMatchObject({ from: "1-25-2", direction: "rollback" });
  });

  test("is not a run of another bucket, or one whose commit vanished from main", async () => {
    const line = { a: "1-24-5", b: "1-25-2" };
    expect(await findCameBy(makeRuns(line), { ...subject, pattern: "other" }, readLine(line))).toBeUndefined();
    expect(await findCameBy(makeRuns(line, ["b"]), subject, readLine(line))).toBeUndefined();
  });
});
