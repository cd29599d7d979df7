import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it, test } from "vitest";

import { listFiles } from "../../scripts/guards/list-files.ts";
import { checkPrivateWords, exceptions } from "../../scripts/guards/code/private-words.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const refused = [
  { name: "a type", path: "libs/plan/a.ts", text: "interface Standing {}" },
  { name: "a part of a name", path: "libs/plan/a.ts", text: "const isAnybody = beginAnew;" },
  { name: "a field", path: "services/planner/a.ts", text: "{ readonly beside: string }" },
  { name: "a part of a constant", path: "libs/kube/a.ts", text: "const MAX_SURVEYS = 3;" },
  { name: "a string after a line break", path: "libs/chat/a.ts", text: String.raw`"Waiting\nnobody"` },
  { name: "a comment", path: "cli/a.ts", text: "/** Nobody reads it. */" },
  { name: "a page", path: "docs/a.md", text: "Whoever writes it, and so on" },
  { name: "a title", path: "a/b.test.ts", text: 'it("moves somebody", run)' },
  { name: "a script of the shell", path: "actions/a.sh", text: "# Reads the file beside it." },
  { name: "a verb that was ours", path: "docs/a.md", text: "to mend it" },
  { name: "an SCM by its old name", path: "libs/scm/a.ts", text: "interface Forge {}" },
  { name: "an exception of another file", path: "test/flow/walks/a.ts", text: "draw(`beside ${seed}`)" },
];
const accepted = [
  { name: "a word that only holds one", path: "a.md", text: "amend, careful, besides, understanding, leaflet, forget" },
  { name: "a forged job in a test", path: "test/flow/a.ts", text: "await forgeJob(flow)" },
  { name: "the script of a real SCM", path: "docs/a.md", text: "`npm run test:forge`" },
  { name: "the variables of a real SCM", path: "docs/a.md", text: "`MESHROLL_FORGE_GITEA=PROGRAM`" },
  { name: "the file of an old decision", path: "docs/a.md", text: "[ADR 7](adr/0007-mainline.md)" },
  { name: "other people's text", path: "test/fixtures/a.yml", text: "nobody" },
];

describe("given-up words are refused", () => {
  it.each(refused)("$name", ({ path, text }) => {
    expect(checkPrivateWords(path, `ok\n${text}\n`).map(({ line }) => line)).toContain(2);
  });
  it.each(accepted)("not $name", ({ path, text }) => expect(checkPrivateWords(path, text)).toEqual([]));

  it("a file's name is checked, too, and the complaint says what to write", () => {
    expect(checkPrivateWords("libs/kube/survey/read.ts", "")).toEqual([
      {
        path: "libs/kube/survey/read.ts",
        message: 'the file\'s name: "survey" is an old word of ours: write usage, or snapshot (docs/glossary.md)',
      },
    ]);
  });
});

test("each exception is needed: without its words a file that it names would be refused", () => {
  const files = listFiles(root).filter((path) => !path.startsWith("test/fixtures/"));
  const idle = exceptions.filter(({ words, paths }) => {
    const texts = files.filter((path) => paths.test(path)).map((path) => readFileSync(join(root, path), "utf8"));
    return !texts.some((text) =>
      checkPrivateWords("libs/plan/a.ts", text).some((each) =>
        words.some((old) => each.message.startsWith(`"${old}"`)),
      ),
    );
  });
  expect(idle.map(({ why }) => why)).toEqual([]);
});
