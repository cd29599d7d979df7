import { beforeAll, describe, expect, it } from "vitest";
import { makeProject, type ToolRun } from "./temp-project.ts";

const cases = [
  { name: "an enum, which Node cannot run", file: "enum", text: "export enum Kind {\n  A,\n}\n", wantCode: "TS1294" },
  {
    name: "a parameter property, which Node cannot run",
    file: "parameter",
    text: "export class A {\n  constructor(readonly b: string) {}\n}\n",
    wantCode: "TS1294",
  },
  {
    name: "an import without its ending, which Node cannot find",
    file: "ending",
    text: 'export { x } from "./good";\n',
    wantCode: "TS2835",
  },
  {
    name: "a deep import past a lib's door",
    file: "deep",
    text: 'export { y } from "#libs/rollouts/index.ts";\n',
    wantCode: "TS2307",
  },
  {
    name: "an element that may be absent",
    file: "index",
    text: "export const first = (names: readonly string[]): string => names[0];\n",
    wantCode: "TS2322",
  },
  {
    name: "a key of an index signature as if it were known",
    file: "signature",
    text: "export const home = (env: Record<string, string>): unknown => env.HOME;\n",
    wantCode: "TS4111",
  },
  {
    name: "undefined where a field is merely optional",
    file: "optional",
    text: "export const a: { readonly b?: string } = { b: undefined };\n",
    wantCode: "TS2375",
  },
  {
    name: "a type imported as a value",
    file: "verbatim",
    text: 'import { Y } from "./good.ts";\nexport type Z = Y;\n',
    wantCode: "TS1484",
  },
  {
    name: "an import for its side effect that does not exist",
    file: "side-effect",
    text: 'import "./nowhere.ts";\nexport const x = 1;\n',
    wantCode: "TS2882",
  },
  {
    name: "a way through without an answer",
    file: "return",
    text: "export function read(a: boolean) {\n  if (a) return 1;\n}\n",
    wantCode: "TS7030",
  },
] as const;

describe("the compiler refuses code that would fail later", () => {
  let done: ToolRun;
  beforeAll(() => {
    const bad = Object.fromEntries(cases.map(({ file, text }) => [`libs/git/${file}.ts`, text]));
    const good = {
      "libs/git/good.ts": 'export const x = 1;\nexport type Y = "a";\nexport { y } from "#libs/rollouts";\n',
      "libs/rollouts/index.ts": "export const y = 2;\n",
    };
    const project = makeProject({ ...bad, ...good });
    done = project.run("tsc", "--pretty", "false");
    project.remove();
  });

  it("ends with an exit code that stops CI", () => expect(done.code).not.toBe(0));

  it.each(cases)("$name", ({ file, wantCode }) => {
    expect(done.stdout).toMatch(new RegExp(`^libs/git/${file}\\.ts\\(.*${wantCode}`, "m"));
  });

  it("refuses nothing else", () => {
    expect(done.stdout).not.toContain("good.ts(");
    expect(done.stdout).not.toContain("libs/rollouts/index.ts(");
  });
});
