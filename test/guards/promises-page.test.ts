import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(join(root, "docs/reference/promises.md"), "utf8");

/** A file of tests, and the titles that a row names of it. */
interface Named {
  readonly file: string;
  readonly title: string;
}

/** `a.test.ts`: `one`, `two`; `b.test.ts`: `three`. */
function listNamed(text: string): readonly Named[] {
  let file = "";
  return [...text.matchAll(/`([^`]+)`/gu)].flatMap(([, name = ""]) => {
    if (name.endsWith(".test.ts")) file = name;
    return name === file ? [] : [{ file, title: name }];
  });
}

function findUnproven(named: readonly Named[]): readonly Named[] {
  return named.filter(({ file, title }) => {
    const path = join(root, file);
    return file === "" || !existsSync(path) || !readFileSync(path, "utf8").includes(title);
  });
}

describe("docs/reference/promises.md", () => {
  const rows = page
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) => line.split("|").map((cell) => cell.trim()));

  it.each(rows.map(([, no = "", promise = "", shown = ""]) => ({ no, promise, named: listNamed(shown) })))(
    "$no $promise",
    ({ named }) => {
      expect(named).not.toEqual([]);
      expect(findUnproven(named)).toEqual([]);
    },
  );

  it("a title that no such test has is found", () => {
    expect(
      findUnproven(listNamed("`cli/flags.test.ts`: `no such title`, `each flag of each command is read`")),
    ).toEqual([{ file: "cli/flags.test.ts", title: "no such title" }]);
  });
});
