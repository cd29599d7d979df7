import { expect, test } from "vitest";

import { checkNamedTests } from "../../scripts/guards/code/named-tests.ts";

interface Case {
  readonly name: string;
  readonly path: string;
  readonly text: string;
  /** Other files of the project. */
  readonly files: readonly string[];
  readonly refused: boolean;
}

const cases: readonly Case[] = [
  {
    name: "a test that imports the file of its name",
    path: "libs/plan/moves/a.test.ts",
    text: 'import { a } from "./a.ts";',
    files: ["libs/plan/moves/a.ts"],
    refused: false,
  },
  {
    name: "one that imports it through the door of the lib alone",
    path: "libs/plan/moves/a.test.ts",
    text: 'import { a } from "#libs/plan";',
    files: ["libs/plan/moves/a.ts"],
    refused: true,
  },
  {
    name: "one that imports its neighbour",
    path: "libs/plan/moves/a.test.ts",
    text: 'import { b } from "./b.ts";',
    files: ["libs/plan/moves/a.ts", "libs/plan/moves/b.ts"],
    refused: true,
  },
  {
    name: "one that imports a file of that name elsewhere",
    path: "libs/plan/moves/a.test.ts",
    text: 'import { a } from "../a.ts";',
    files: ["libs/plan/moves/a.ts", "libs/plan/a.ts"],
    refused: true,
  },
  {
    name: "one that is named after its subject",
    path: "libs/plan/moves/next-batches.test.ts",
    text: 'import { decide } from "#libs/plan";',
    files: ["libs/plan/moves/choose-batch.ts"],
    refused: false,
  },
  {
    name: "one that starts the file as a process",
    path: "services/api/main.test.ts",
    text: 'spawn(process.execPath, [fileURLToPath(new URL("main.ts", import.meta.url))]);',
    files: ["services/api/main.ts"],
    refused: false,
  },
  {
    name: "a command that is run as a person types it",
    path: "cli/commands/validate.test.ts",
    text: 'import { runCli } from "#test/run-cli";',
    files: ["cli/commands/validate.ts"],
    refused: false,
  },
  {
    name: "anything else of the CLI that is",
    path: "cli/text/table.test.ts",
    text: 'import { runCli } from "#test/run-cli";',
    files: ["cli/text/table.ts"],
    refused: true,
  },
  {
    name: "the fake of another lib",
    path: "libs/bus/fake.test.ts",
    text: 'import { createVirtualClock } from "#fakes/runtime";',
    files: ["libs/bus/fake.ts"],
    refused: true,
  },
];

test.each(cases)("$name: refused $refused", ({ path, text, files, refused }) => {
  const texts = new Map([...files.map((file) => [file, ""] as const), [path, text] as const]);
  expect(checkNamedTests(texts).map((each) => each.path)).toEqual(refused ? [path] : []);
});
