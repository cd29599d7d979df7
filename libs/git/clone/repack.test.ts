import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

import { openBareRemote } from "../fake/bare-remote.ts";
import { repackClone } from "./repack.ts";
import { openRepository } from "../repository/simple-git.ts";

const root = mkdtempSync(join(tmpdir(), "meshroll-repack-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const author = { name: "meshroll planner", email: "planner@example.org" };

/** All readable objects of the clone. */
function listObjects(folder: string): readonly string[] {
  const args = ["--git-dir", folder, "cat-file", "--batch-all-objects", "--batch-check"];
  return execFileSync("git", args).toString().trim().split("\n").toSorted();
}

test("8.1 packing leaves few files in the clone and keeps every object, reachable or not", async () => {
  const [path, folder] = [join(root, "remote"), join(root, "clone")];
  const remote = openBareRemote(path);
  remote.commitToMain({ files: { "rollouts.yml": "one\n" } });
  const repository = await openRepository({ url: `file://${path}`, folder });
  await repository.fetch();
  // Overtaken at once, so that no branch has it.
  remote.commitTo("meshroll/ledger", { files: { heads: "0" } });
  const lost = await repository.commitAndPush({
    branch: "meshroll/ledger",
    files: { heads: "x" },
    message: "x",
    author,
  });
  await repository.fetch();
  let onto = remote.head("meshroll/ledger") ?? "";
  for (let at = 1; at <= 12; at += 1) {
    const files = { heads: String(at), [`runs/${at}.json`]: `{"id":"${at}"}` };
    const made = await repository.commitAndPush({ branch: "meshroll/ledger", onto, files, message: "t", author });
    onto = made.kind === "pushed" ? made.sha : onto;
  }
  const before = listObjects(folder);
  const git = async (args: readonly string[]) => execFileSync("git", ["--git-dir", folder, ...args]).toString();

  const left = await repackClone(git, { loose: 1000, packs: 20 });
  const packed = await repackClone(git, { loose: 10, packs: 20 });
  const after = await repackClone(git, { loose: 10, packs: 20 });

  expect([lost.kind, left.kind, packed.kind, after.kind]).toEqual(["rejected", "small", "repacked", "small"]);
  expect(left.loose).toBeGreaterThan(40);
  expect([after.loose, after.packs]).toEqual([0, 1]);
  expect(listObjects(folder)).toEqual(before);
  expect(await repository.read(onto, "heads")).toBe("12");
  expect(await repository.repack()).toMatchObject({ kind: "small" });
});
