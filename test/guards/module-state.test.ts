import { describe, expect, it, test } from "vitest";

import { checkModuleState, checkModuleStateList } from "../../scripts/guards/code/module-state.ts";
import { listFiles } from "../../scripts/guards/list-files.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

const refused: readonly string[] = [
  "let count = 0;",
  "export let last: string | undefined;",
  "var old = 1;",
  "const known = new Map<string, number>();",
  "const known: Map<string, number> = new Map();",
  "const known =\n  new Map<string, number>();",
  "const known = new Set();",
  "const known = new WeakMap<object, number>();",
  "const known = new WeakMap<\n  object,\n  number\n>();",
  "const found: string[] = [];",
  "const [first, second]: readonly [number[], number[]] = [[], []];",
  "const memory = createMemory();",
  "export const bus = openBus(url);",
  "const cache = new BoundedMemory<number>(10);",
];
const accepted: readonly string[] = [
  'const words: ReadonlySet<string> = new Set(["a"]);',
  'export const codes: ReadonlyMap<string, number> = new Map([["a", 1]]);',
  "const none: readonly string[] = [];",
  "const form = new RegExp(text);",
  'const woken = new Error("woken");',
  "function f() {\n  const known = new Map();\n  let count = 0;\n  return [known, count];\n}",
  "class A {\n  readonly #known = new Map();\n}",
  "const most = 7;",
  "const f = () => new Map();",
];

describe("a module holds no state", () => {
  it.each(refused)("refuses %s", (text) => {
    expect(checkModuleState("libs/plan/x.ts", `/** A comment. */\n${text}\n`).map(({ line }) => line)).toEqual([2]);
  });
  it.each(accepted)("accepts %s", (text) => {
    expect(checkModuleState("libs/plan/x.ts", `${text}\n`)).toEqual([]);
  });
  it.each(["libs/plan/x.test.ts", "libs/bus/fake/x.ts", "sandbox/x.ts", "services/planner/main.ts"])(
    "does not look at %s",
    (path) => expect(checkModuleState(path, "let count = 0;\n")).toEqual([]),
  );
});

test("an exception for a file that does not exist is refused", () => {
  const paths = listFiles(root);
  expect(checkModuleStateList(paths)).toEqual([]);
  expect(checkModuleStateList(paths.filter((path) => path !== "libs/plan/decide.ts"))).toHaveLength(1);
});

test("each exception is needed: without it the file would be refused", () => {
  const unneeded = listFiles(root).filter((path) => {
    if (checkModuleStateList([path]).length === checkModuleStateList([]).length) return false;
    const text = readFileSync(join(root, path), "utf8");
    return checkModuleState("libs/another/file.ts", text).length === 0;
  });
  expect(unneeded).toEqual([]);
});
