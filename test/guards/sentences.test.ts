import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it, test } from "vitest";

import { checkSentences } from "../../scripts/guards/code/sentences.ts";
import { listFiles } from "../../scripts/guards/list-files.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const refused: readonly string[] = [
  'const why = "the file cannot be edited";',
  "const title = `held by ${who}: it must not be merged`;",
  'return { title: "no approval is needed" };',
  'const risks = ["1 replica: its restart may be noticed"];',
  "const text = `## What happens\n- **Now:** it needs ${count} approvals`;",
  'throw refuse("there is no such run");',
  "const what = `the rollback of ${scope}`;",
];
const accepted: readonly string[] = [
  'const reason = { code: "StageHeld", campaign };',
  'throw new Error("bug: a rollback was proposed from files that do not parse");',
  'throw new Error(\n  "bug: a rollback was proposed from files that do not parse",\n);',
  "// the file cannot be edited",
  '/** It says "no approval is needed" to people. */',
  "const key = `${run} ${kind} @${bucket}`;",
  'import { judgeCommand } from "./fork-permission.ts";',
  'const path = "meshroll-system/meshroll-stop";',
  'type State = "open" | "done" | "empty" | "gone";',
];

describe("libs/plan has no sentences", () => {
  it.each(refused)("refuses %s", (text) => {
    expect(
      checkSentences("libs/plan/x.ts", `/** A comment of some words. */\n${text}\n`).map(({ line }) => line),
    ).toEqual([2]);
  });
  it.each(accepted)("accepts %s", (text) => expect(checkSentences("libs/plan/x.ts", `${text}\n`)).toEqual([]));
  it.each(["libs/plan/x.test.ts", "libs/wording/x.ts", "services/planner/x.ts"])("does not look at %s", (path) =>
    expect(checkSentences(path, `${refused[0]}\n`)).toEqual([]),
  );
});

test("it reads real files: libs/wording, checked as if it were libs/plan, is full of sentences", () => {
  const files = listFiles(root).filter((path) => path.startsWith("libs/wording/reasons/") && path.endsWith(".ts"));
  const found = files.flatMap((path) => checkSentences("libs/plan/x.ts", readFileSync(join(root, path), "utf8")));
  expect(found.length).toBeGreaterThan(100);
});
