import { expect, test } from "vitest";

import { GitRefused } from "../errors.ts";
import { readTree } from "./read-tree.ts";

/** A clone that answers from memory and counts its processes. Its listing may claim any sizes, before anything is read. */
function makeClone(sizes: readonly number[]) {
  const names = sizes.map((size, index) => ({
    id: index.toString(16).padStart(40, "0"),
    size,
    path: `runs/${index}.json`,
  }));
  const calls: string[] = [];
  const git = async ([command = ""]: readonly string[]) => {
    calls.push(command);
    return names.map(({ id, size, path }) => `100644 blob ${id} ${size}\t${path}`).join("\0");
  };
  const catFile = async (_: readonly string[], { input }: { readonly input?: Buffer }) => {
    calls.push("cat-file");
    const ids = input?.toString().trimEnd().split("\n") ?? [];
    return Buffer.from(ids.map((id) => `${id} blob 2\n{}\n`).join(""));
  };
  return { calls, read: async () => readTree(git, catFile, "c".repeat(40), ["runs"], () => false) };
}

test("a tree of 5,000 files is read by two processes", async () => {
  const { calls, read } = makeClone(Array.from({ length: 5000 }, () => 2));

  const files = await read();

  expect([files.length, files.every(({ text }) => text === "{}"), calls]).toEqual([
    5000,
    true,
    ["ls-tree", "cat-file"],
  ]);
});

const mebibyte = 1024 * 1024;
const tooLarge: readonly { readonly name: string; readonly sizes: readonly number[]; readonly want: RegExp }[] = [
  {
    name: "a file of 17 MiB",
    sizes: [2, 17 * mebibyte],
    want: /runs\/1\.json at c{12} is 17 MiB, more than meshroll reads/,
  },
  {
    name: "many files that are 150 MiB together",
    sizes: Array.from({ length: 10 }, () => 15 * mebibyte),
    want: /10 files at c{12} are 150 MiB, more than meshroll reads/,
  },
];

test.each(tooLarge)("a tree with $name is refused before any of it is read", async ({ sizes, want }) => {
  const { calls, read } = makeClone(sizes);

  await expect(read()).rejects.toThrow(want);
  await expect(read()).rejects.toThrow(GitRefused);
  expect(calls).toEqual(["ls-tree", "ls-tree"]);
});
