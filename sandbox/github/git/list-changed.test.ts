import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { openBareRepository } from "./bare-repository.ts";
import { createDiffs } from "./diff.ts";
import { listChanged } from "./list-changed.ts";

const root = mkdtempSync(join(tmpdir(), "meshroll-changed-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const repository = await openBareRepository(root, "acme", "rollouts");
const eve = { name: "eve", email: "eve@example.com", seconds: 1_700_000_000 };
const blob = async (text: string) => repository.writeBlob(Buffer.from(text));
const mktree = async (entries: readonly string[]) =>
  repository.git(["mktree"], { input: entries.map((each) => `${each}\n`).join("") });
const commit = async (entries: readonly string[], parents: readonly string[] = []) =>
  repository.writeCommit({ tree: await mktree(entries), parents, message: "x", author: eve, committer: eve });

const [one, two] = [await blob("one\n"), await blob("two\n")];
const docs = await mktree([`100644 blob ${one}\ta.md`, `100644 blob ${one}\tb.md`]);
const main = await commit([`100644 blob ${one}\trollouts.yml`, `040000 tree ${docs}\tdocs`]);

test("files are listed through folders, as added, modified and removed", async () => {
  const changed = await mktree([`100644 blob ${two}\ta.md`, `100644 blob ${one}\tc.md`]);
  const head = await commit([`100644 blob ${one}\trollouts.yml`, `040000 tree ${changed}\tdocs`], [main]);
  const files = await listChanged(repository, main, head);
  expect(files.map(({ path, letter }) => `${letter} ${path}`)).toEqual(["M docs/a.md", "D docs/b.md", "A docs/c.md"]);
  const diff = await createDiffs(repository)(main, head);
  expect(diff.files.map(({ path, additions, deletions }) => [path, additions, deletions])).toEqual([
    ["docs/a.md", 1, 1],
    ["docs/b.md", 0, 1],
    ["docs/c.md", 1, 0],
  ]);
});

test("a folder in place of a file is that file removed, and its files added", async () => {
  const head = await commit([`040000 tree ${docs}\trollouts.yml`, `040000 tree ${docs}\tdocs`], [main]);
  const files = await listChanged(repository, main, head);
  expect(files.map(({ path, letter }) => `${letter} ${path}`).toSorted()).toEqual([
    "A rollouts.yml/a.md",
    "A rollouts.yml/b.md",
    "D rollouts.yml",
  ]);
});

test("a tree of sixteen objects with 10^16 paths is a list of 3,000 files", async () => {
  let entry = `100644 blob ${one}`;
  for (let level = 0; level < 16; level += 1)
    entry = `040000 tree ${await mktree(Array.from({ length: 10 }, (_, at) => `${entry}\tf${at}`))}`;
  const head = await commit([`100644 blob ${one}\trollouts.yml`, `${entry}\tdocs`], [main]);
  const { files } = await createDiffs(repository)(main, head);
  expect([files.length, files.filter(({ patch }) => patch !== "").length]).toEqual([3000, 300]);
});
