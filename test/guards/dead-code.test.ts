import { beforeAll, describe, expect, it } from "vitest";
import { makeProject, type ToolRun } from "./temp-project.ts";

interface Issue {
  readonly file: string;
  readonly exports?: readonly { readonly name: string }[];
  readonly types?: readonly { readonly name: string }[];
  readonly files?: readonly unknown[];
  readonly dependencies?: readonly { readonly name: string }[];
  readonly devDependencies?: readonly { readonly name: string }[];
  readonly unlisted?: readonly { readonly name: string }[];
}

/** Each complaint of a knip run as one line: `<what> <file> <name>`. */
function listIssues(run: ToolRun): readonly string[] {
  const { issues } = JSON.parse(run.stdout) as { readonly issues: readonly Issue[] };
  const kinds = ["exports", "types", "dependencies", "devDependencies", "unlisted"] as const;
  return issues.flatMap((issue) => [
    ...((issue.files ?? []).length > 0 ? [`files ${issue.file}`] : []),
    ...kinds.flatMap((kind) => (issue[kind] ?? []).map(({ name }) => `${kind} ${issue.file} ${name}`)),
  ]);
}

const files = {
  "services/planner/main.ts":
    'import { used } from "#libs/plan";\n' +
    'import { unlisted } from "left-pad";\nexport const start = (): unknown => [used, unlisted];\n',
  "libs/plan/index.ts":
    'export { used } from "./used.ts";\nexport type { Shape } from "./used.ts";\n' +
    'export { unused } from "./unused.ts";\nexport { onlyTested } from "./only-tested.ts";\n',
  "libs/plan/used.ts":
    "export interface Shape {\n  readonly a: 1;\n}\nexport const used: Shape = { a: 1 };\n" +
    "export interface Forgotten {\n  readonly a: 1;\n}\n",
  "libs/plan/unused.ts": "export const unused = 1;\n",
  "libs/plan/only-tested.ts": "export const onlyTested = 1;\n",
  "libs/plan/unimported.ts": "export const x = 1;\n",
  "libs/plan/fake.ts": "export const makePlan = (): number => 1;\n",
  "libs/plan/plan.test.ts":
    'import { onlyTested } from "#libs/plan";\nimport { makePlan } from "#fakes/plan";\n' +
    'import { expect, it } from "vitest";\nit("x", () => expect(onlyTested).toBe(makePlan()));\n',
};

describe("knip refuses unused code", () => {
  let all: ToolRun;
  let production: ToolRun;
  beforeAll(() => {
    const project = makeProject(files);
    all = project.run("knip", "--reporter", "json");
    production = project.run("knip", "--production", "--reporter", "json");
    project.remove();
  });

  it("ends with an exit code that stops CI", () => {
    expect(all.code).toBe(1);
    expect(production.code).toBe(1);
  });

  it.each([
    "exports libs/plan/index.ts unused",
    "types libs/plan/used.ts Forgotten",
    "files libs/plan/unimported.ts",
    "dependencies package.json bullmq",
    "devDependencies package.json ajv",
    "unlisted services/planner/main.ts left-pad",
  ])("%s", (line) => expect(listIssues(all)).toContain(line));

  it("code that only tests use is used, except in production", () => {
    const line = "exports libs/plan/index.ts onlyTested";
    expect(listIssues(all)).not.toContain(line);
    expect(listIssues(production)).toContain(line);
  });

  it("a lib's door may name the types of its own functions", () => {
    expect(listIssues(all)).not.toContainEqual(expect.stringContaining("Shape"));
  });

  it("a fake is not dead code", () => {
    expect(listIssues(all)).not.toContainEqual(expect.stringContaining("fake.ts"));
    expect(listIssues(production)).not.toContainEqual(expect.stringContaining("fake.ts"));
  });

  it("used code is not named", () => {
    expect([...listIssues(all), ...listIssues(production)]).not.toContainEqual(expect.stringMatching(/ used$/));
  });
});
