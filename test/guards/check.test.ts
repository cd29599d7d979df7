import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeProject, type ToolRun } from "./temp-project.ts";

const scripts = new URL("../../scripts/", import.meta.url);
const guards = readdirSync(new URL("guards/", scripts), { recursive: true, encoding: "utf8" });
const paths = ["check.ts", ...guards.filter((name) => name.endsWith(".ts")).map((name) => `guards/${name}`)];
const check = Object.fromEntries(
  paths.map((path) => [`scripts/${path}`, readFileSync(new URL(path, scripts), "utf8")]),
);

/** Runs `scripts/check.ts` in a project with that script, a valid lock and these files. */
function runCheck(files: Readonly<Record<string, string>>, ...args: readonly string[]): ToolRun {
  const project = makeProject({
    ...check,
    "package-lock.json": '{ "packages": {} }\n',
    ".gitignore": "node_modules\n",
    ...files,
  });
  try {
    execFileSync("git", ["init", "--quiet"], { cwd: project.root });
    return project.run("node", "scripts/check.ts", ...args);
  } finally {
    project.remove();
  }
}

describe("npm run check fails when one of its steps fails, and says which", () => {
  it("guards on a good tree", () => {
    const done = runCheck({}, "guards");
    expect(done.stdout).toMatch(/^ok {4}guards .* files read$/m);
    expect(done.stdout.trimEnd().split("\n").at(-1)).toBe("all 1 checks passed");
    expect(done.code).toBe(0);
  });

  const badTrees = [
    { name: "a name that says nothing", files: { "libs/plan/utils.ts": "" }, wantText: "libs/plan/utils.ts  the file" },
    { name: "a wide line", files: { "libs/plan/a.ts": "x".repeat(141) }, wantText: "libs/plan/a.ts:1  the line has" },
    {
      name: "a broken lock",
      files: { "package-lock.json": '{ "packages": { "node_modules/a": {} } }' },
      wantText: "package-lock.json  node_modules/a has no checksum",
    },
    {
      name: "a fake without a suite",
      files: { "libs/bus/port.ts": "", "libs/bus/fake.ts": "" },
      wantText: "libs/bus/port.ts  a port needs",
    },
    {
      name: "a module with state",
      files: { "libs/plan/a.ts": "const known = new Map<string, number>();\n" },
      wantText: "libs/plan/a.ts:1  a Map or Set that is not Readonly of a module",
    },
    {
      name: "a test with the name of another file",
      files: { "libs/plan/a.ts": "", "libs/plan/a.test.ts": 'it("x", () => {});\n' },
      wantText: "libs/plan/a.test.ts  it has the name of a.ts",
    },
    {
      name: "a path out of a lib",
      files: { "libs/plan/a.ts": 'import "../git/port.ts";\n' },
      wantText: "libs/plan/a.ts:1  a path leads out of libs/plan/",
    },
    {
      name: "a room that imports one above it",
      files: { "libs/git/process/a.ts": 'import "../push/b.ts";\n' },
      wantText: "libs/git/process/a.ts:1  process lies below push",
    },
    {
      name: "a folder with too many files",
      files: Object.fromEntries(Array.from({ length: 13 }, (_, index) => [`cli/file-${index}.ts`, ""])),
      wantText: "cli  13 files lie flat here",
    },
    {
      name: "a room without a place",
      files: { "libs/git/attic/a.ts": "" },
      wantText: "libs/git/attic  a room without a place",
    },
  ];

  it.each(badTrees)("guards find $name", ({ files, wantText }) => {
    const done = runCheck(files, "guards");
    expect(done.stdout).toContain(wantText);
    expect(done.stdout.trimEnd().split("\n").at(-1)).toBe("failed: guards");
    expect(done.code).toBe(1);
  });

  it("a tool's complaint is shown with the command that fixes it, and the other steps still run", () => {
    const done = runCheck({ "libs/plan/a.ts": "export const x = {a:1}\n" }, "format", "guards");
    expect(done.stdout).toMatch(/^FAIL {2}format /m);
    expect(done.stdout).toContain("libs/plan/a.ts");
    expect(done.stdout).toContain("fix with: npm run format");
    expect(done.stdout).toMatch(/^ok {4}guards /m);
    expect(done.code).toBe(1);
  });

  it("an unknown check is a wrong command line", () => {
    const done = runCheck({}, "nothing");
    expect(done.stderr).toContain("no such check: nothing; there are lint, types, types-page, format");
    expect(done.code).toBe(64);
  });
});
