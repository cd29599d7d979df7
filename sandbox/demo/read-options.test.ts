import { expect, test } from "vitest";

import { helpText, readOptions } from "./read-options.ts";

const cases: Record<string, { line: string; want: ReturnType<typeof readOptions> }> = {
  "nothing: play, and wait for people": {
    line: "",
    want: { verb: "play", yes: false, wipe: false, gitea: false, json: false },
  },
  "--yes --wipe": { line: "--yes --wipe", want: { verb: "play", yes: true, wipe: true, gitea: false, json: false } },
  "--gitea": { line: "--gitea", want: { verb: "play", yes: false, wipe: false, gitea: true, json: false } },
  "-o json": { line: "-o json", want: { verb: "play", yes: false, wipe: false, gitea: false, json: true } },
  merge: { line: "merge", want: { verb: "merge", yes: false, wipe: false, gitea: false, json: false } },
  fix: { line: "fix", want: { verb: "fix", yes: false, wipe: false, gitea: false, json: false } },
  "help wins": { line: "merge -h", want: { verb: "help", yes: false, wipe: false, gitea: false, json: false } },
};

for (const [name, { line, want }] of Object.entries(cases))
  test(`options: ${name}`, () => {
    expect(readOptions(line.split(" ").filter((word) => word !== ""))).toEqual(want);
  });

test("arguments that are not in the help text are refused with a message", () => {
  expect(() => readOptions(["burn"])).toThrow("burn: unknown; see  npm run demo -- --help");
  expect(() => readOptions(["merge", "twice"])).toThrow("unknown");
  expect(() => readOptions(["-o", "yaml"])).toThrow("-o yaml: unknown, there is json");
  expect(() => readOptions(["--force"])).toThrow("--force");
});

test("the help text fits a terminal", () => {
  for (const line of helpText.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
});
