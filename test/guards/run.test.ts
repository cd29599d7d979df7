import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeProject } from "./temp-project.ts";

const good = 'import { expect, it } from "vitest";\nit("good", () => expect(1).toBe(1));\n';
const add = (line: string) => `${good}${line}\n`;
const settings =
  'import { defineConfig } from "vitest/config";\n' +
  'export default defineConfig({ test: { include: ["*.test.ts"], globalSetup: ["setup.ts"] } });\n';

const cases = [
  { name: "all good", files: {}, args: [], wantLine: "1 passed, 0 failed", wantCode: 0 },
  {
    name: "one test fails",
    files: { "bad.test.ts": add('it("bad", () => expect(1).toBe(2));') },
    args: [],
    wantLine: "2 passed, 1 failed",
    wantCode: 1,
  },
  {
    name: "a module cannot be loaded",
    files: { "broken.test.ts": 'throw new Error("at import");\n' },
    args: [],
    wantLine: "1 passed, 1 failed",
    wantCode: 1,
  },
  {
    name: "a module has no test",
    files: { "empty.test.ts": "export const x = 1;\n" },
    args: [],
    wantLine: "1 passed, 1 failed",
    wantCode: 1,
  },
  {
    name: "a promise fails that is not awaited",
    files: { "loose.test.ts": add('void Promise.reject(new Error("loose"));') },
    args: [],
    wantLine: "2 passed, 1 failed",
    wantCode: 1,
  },
  {
    name: "a test is skipped",
    files: { "skipped.test.ts": add('it["skip"]("later", () => {});') },
    args: [],
    wantLine: "2 passed, 1 failed",
    wantCode: 1,
  },
  {
    name: "a test is only announced",
    files: { "announced.test.ts": add('it["todo"]("later");') },
    args: [],
    wantLine: "2 passed, 1 failed",
    wantCode: 1,
  },
  {
    name: "a suite's preparation fails",
    files: {
      "prepared.test.ts":
        'import { beforeAll, it } from "vitest";\nbeforeAll(() => {\n  throw new Error("no");\n});\nit("x", () => {});\n',
    },
    args: [],
    wantLine: "1 passed, 2 failed",
    wantCode: 1,
  },
  {
    name: "no test at all",
    files: { "good.test.ts": "" },
    args: [],
    wantLine: "0 passed, 1 failed",
    wantCode: 1,
  },
  {
    name: "only the named file is asked for",
    files: { "bad.test.ts": add('it("bad", () => expect(1).toBe(2));') },
    args: ["good"],
    wantLine: "1 passed, 0 failed",
    wantCode: 0,
  },
  {
    name: "only the named test is asked for",
    files: { "bad.test.ts": add('it("bad", () => expect(1).toBe(2));') },
    args: ["-t", "^good$"],
    wantLine: "2 passed, 0 failed",
    wantCode: 0,
  },
  {
    name: "nothing has the name that is asked for",
    files: {},
    args: ["-t", "no-such-test"],
    wantLine: "0 passed, 1 failed",
    wantCode: 1,
  },
] as const;

describe("npm test closes with the plain line `N passed, N failed` and the exit code that says the same", () => {
  it.each(cases)("$name: $wantLine", ({ files, args, wantLine, wantCode }) => {
    const project = makeProject({
      "run.ts": readFileSync(new URL("../run.ts", import.meta.url), "utf8"),
      "setup.ts": "export function setup(): void {}\n",
      "good.test.ts": good,
      ...files,
      "vitest.config.ts": settings,
    });
    const done = project.run("node", "run.ts", ...args);
    project.remove();

    expect(done.stdout.trimEnd().split("\n").at(-1)).toBe(wantLine);
    expect(done.code).toBe(wantCode);
  });

  it("when what all tests need cannot be set up, it fails and says so", () => {
    const project = makeProject({
      "run.ts": readFileSync(new URL("../run.ts", import.meta.url), "utf8"),
      "setup.ts": 'export function setup(): void {\n  throw new Error("no broker anywhere");\n}\n',
      "good.test.ts": good,
      "vitest.config.ts": settings,
    });
    const done = project.run("node", "run.ts");
    project.remove();

    expect(done.code).toBe(1);
    expect(done.stdout + done.stderr).toContain("no broker anywhere");
    expect(done.stdout.trimEnd().split("\n").at(-1)).toBe("0 passed, 1 failed");
  });
});
