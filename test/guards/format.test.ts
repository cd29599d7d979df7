import { beforeAll, describe, expect, it } from "vitest";
import { makeProject, type ToolRun } from "./temp-project.ts";

describe("the formatter refuses unformatted files", () => {
  let done: ToolRun;
  beforeAll(() => {
    const project = makeProject({
      "libs/git/bad.ts": "export const x = {a:1 ,b : 'c'}\n",
      "libs/git/good.ts": 'export const x = { a: 1, b: "c" };\n',
      "docs/bad.md": "* a\n* b\n\n\n\nc\n",
      "test/fixtures/theirs.ts": "export const x = {a:1 ,b : 'c'}\n",
    });
    done = project.run("oxfmt", "--check");
    project.remove();
  });

  it("ends with an exit code that stops CI", () => expect(done.code).toBe(1));

  it.each(["libs/git/bad.ts", "docs/bad.md"])("%s is named", (path) => expect(done.stdout).toContain(path));

  it.each(["libs/git/good.ts", "test/fixtures/theirs.ts"])("%s is not", (path) => {
    expect(done.stdout).not.toContain(path);
  });
});
