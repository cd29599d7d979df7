import { beforeAll, describe, expect, it } from "vitest";
import { lintAll, type LintCase } from "./lint-project.ts";

/** A function with this many branches. */
function makeBranches(count: number): string {
  const branches = Array.from({ length: count }, (_, i) => `  if (n > ${i}) return ${i};\n`).join("");
  return `export function countUp(n: number): number {\n${branches}  return n;\n}\n`;
}

const makeLines = (count: number) =>
  Array.from({ length: count }, (_, i) => `export const line${i} = ${i};\n`).join("");
const impure = "eslint(no-restricted-globals)";

const inPureLib: readonly (readonly [name: string, text: string])[] = [
  ["the clock", "export const now = Date.now();\n"],
  ["a new Date", 'export const day = new Date("2026-01-01");\n'],
  ["the environment", "export const home: unknown = process.env;\n"],
  ["a timer", "export const timer: unknown = setTimeout(() => {}, 1);\n"],
  ["the network", 'export const page: unknown = fetch("http://127.0.0.1");\n'],
  ["the console", 'export function tell(): void {\n  console.log("x");\n}\n'],
  ["random identifiers", "export const id: string = crypto.randomUUID();\n"],
  ["the way around by globalThis", "export const now: unknown = globalThis.Date;\n"],
  ["a RegExp from text", "export const match = (text: string): unknown => new RegExp(text);\n"],
  ["a RegExp from text, without new", "export const match = (text: string): unknown => RegExp(text);\n"],
];

const cases: readonly LintCase[] = [
  ...["rollouts", "campaign", "fleet", "injection", "plan"].flatMap((lib) =>
    inPureLib.map(([name, text], i): LintCase => {
      return { name: `libs/${lib} must not use ${name}`, path: `libs/${lib}/impure-${i}.ts`, text, wantRule: impure };
    }),
  ),
  {
    name: "a pure lib must not roll dice",
    path: "libs/plan/dice.ts",
    text: "export const dice = Math.random();\n",
    wantRule: "eslint(no-restricted-properties)",
  },
  {
    name: "a pure lib must not roll dice by destructuring",
    path: "libs/plan/dice-taken.ts",
    text: "const { random } = Math;\nexport const dice = random();\n",
    wantRule: "eslint(no-restricted-properties)",
  },
  {
    name: "a pure lib may name the type Date, use a RegExp literal, and compute",
    path: "libs/plan/pure.ts",
    text: "export const isWord = (text: string): boolean => /^\\w+$/.test(text);\nexport type When = Date;\n",
  },
  {
    name: "a test of a pure lib may use the clock",
    path: "libs/plan/clock.test.ts",
    text: "export const now = Date.now();\n",
  },
  {
    name: "a service must not print past its logger",
    path: "services/planner/print.ts",
    text: 'console.log("x");\n',
    wantRule: "eslint(no-console)",
  },
  {
    name: "a promise must not float",
    path: "libs/git/float.ts",
    text: "async function push(): Promise<void> {}\nexport function start(): void {\n  push();\n}\n",
    wantRule: "typescript(no-floating-promises)",
  },
  {
    name: "a promise must not be taken for a condition",
    path: "libs/git/misuse.ts",
    text: "export function start(isOpen: () => Promise<boolean>): number {\n  if (isOpen()) return 1;\n  return 0;\n}\n",
    wantRule: "typescript(no-misused-promises)",
  },
  {
    name: "a promise must not be a callback that returns nothing",
    path: "libs/git/misuse-callback.ts",
    text: "export function start(names: readonly string[]): void {\n  names.forEach(async () => {});\n}\n",
    wantRule: "typescript(no-misused-promises)",
  },
  {
    name: "a promise returned inside try must be awaited",
    path: "libs/git/return.ts",
    text:
      "export async function read(load: () => Promise<string>): Promise<string> {\n" +
      "  try {\n    return load();\n  } finally {\n    void 0;\n  }\n}\n",
    wantRule: "typescript(return-await)",
  },
  {
    name: "a switch must name every case",
    path: "libs/git/switch.ts",
    text: 'export function name(kind: "a" | "b"): string {\n  switch (kind) {\n    case "a":\n      return "A";\n  }\n  return "";\n}\n',
    wantRule: "typescript(switch-exhaustiveness-check)",
  },
  {
    name: "an object must not end up in a text",
    path: "libs/git/template.ts",
    text: "export const say = (what: object): string => `${what}`;\n",
    wantRule: "typescript(restrict-template-expressions)",
  },
  {
    name: "a type must be imported as a type",
    path: "libs/git/type-import.ts",
    text: 'import { Stats } from "node:fs";\nexport type Size = Stats;\n',
    wantRule: "typescript(consistent-type-imports)",
  },
  {
    name: "there is no any",
    path: "libs/git/any.ts",
    text: "export const x = (y: any): unknown => y;\n",
    wantRule: "typescript(no-explicit-any)",
  },
  {
    name: "there is no non-null assertion",
    path: "libs/git/non-null.ts",
    text: "export const first = (names: readonly string[]): string => names[0]!;\n",
    wantRule: "typescript(no-non-null-assertion)",
  },
  {
    name: "the compiler is not switched off",
    path: "libs/git/ignore.ts",
    text: "// @ts-ignore\nexport const x: number = 1;\n",
    wantRule: "typescript(ban-ts-comment)",
  },
  {
    name: "there is no default export",
    path: "libs/git/default.ts",
    text: "export default 1;\n",
    wantRule: "import(no-default-export)",
  },
  {
    name: "an error is not swallowed",
    path: "libs/git/swallow.ts",
    text: "export function run(act: () => void): void {\n  try {\n    act();\n  } catch {}\n}\n",
    wantRule: "eslint(no-empty)",
  },
  {
    name: "a file has at most 300 lines",
    path: "libs/git/long.ts",
    text: makeLines(301),
    wantRule: "eslint(max-lines)",
  },
  {
    name: "a test file has at most 300 lines",
    path: "test/flow/long.test.ts",
    text: makeLines(301),
    wantRule: "eslint(max-lines)",
  },
  { name: "a file may have 300 lines", path: "libs/git/just.ts", text: makeLines(300) },
  {
    name: "a function has at most 10 ways through",
    path: "libs/git/complex.ts",
    text: makeBranches(10),
    wantRule: "eslint(complexity)",
  },
  { name: "a function may have 10 ways through", path: "libs/git/ten.ts", text: makeBranches(9) },
  {
    name: "files do not import each other in a circle",
    path: "libs/git/circle-a.ts",
    text: 'import { b } from "./circle-b.ts";\nexport const a: unknown = () => b;\n',
    wantRule: "import(no-cycle)",
  },
  {
    name: "nor the other way round",
    path: "libs/git/circle-b.ts",
    text: 'import { a } from "./circle-a.ts";\nexport const b: unknown = () => a;\n',
    wantRule: "import(no-cycle)",
  },
  {
    name: "types do not go in a circle either",
    path: "libs/git/type-circle-a.ts",
    text: 'import type { B } from "./type-circle-b.ts";\nexport type A = B | 1;\n',
    wantRule: "import(no-cycle)",
  },
  {
    name: "nor the other way round, as types",
    path: "libs/git/type-circle-b.ts",
    text: 'import type { A } from "./type-circle-a.ts";\nexport interface B {\n  readonly a: A;\n}\n',
    wantRule: "import(no-cycle)",
  },
  {
    name: "a test is not skipped",
    path: "libs/git/skipped.test.ts",
    text: 'import { expect, it } from "vitest";\nit.skip("x", () => expect(1).toBe(1));\n',
    wantRule: "vitest(no-disabled-tests)",
  },
  {
    name: "a test is not run alone",
    path: "libs/git/alone.test.ts",
    text: 'import { expect, it } from "vitest";\nit.only("x", () => expect(1).toBe(1));\n',
    wantRule: "vitest(no-focused-tests)",
  },
];

describe("lint refuses code that breaks a rule", () => {
  let done: ReturnType<typeof lintAll>;
  beforeAll(() => {
    done = lintAll(cases);
  });

  it("ends with an exit code that stops CI", () => expect(done.code).toBe(1));

  it.each(cases.filter(({ wantRule }) => wantRule !== undefined))("$name", ({ path, wantRule }) => {
    expect(done.rules.get(path) ?? []).toContain(wantRule);
  });

  it.each(cases.filter(({ wantRule }) => wantRule === undefined))("$name", ({ path }) => {
    expect(done.rules.get(path) ?? []).toEqual([]);
  });
});
