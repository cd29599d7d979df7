import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, describe, expect, it } from "vitest";

import { openBareRemote } from "../fake/bare-remote.ts";
import { GitOverLimit, GitTooLarge } from "../errors.ts";
import type { ProcessLimits } from "../process/process-limits.ts";
import { openRepository } from "./simple-git.ts";

const root = mkdtempSync(join(tmpdir(), "meshroll-hostile-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let count = 0;

const mebibyte = 1024 * 1024;

/** Bytes that do not compress; the same for the same seed. */
function makeNoise(bytes: number, seed = 0): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes; at += 32) parts.push(createHash("sha256").update(`${seed} ${at}`).digest());
  return Buffer.concat(parts);
}

function measureFolder(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** A remote whose `main` has a file, a clone of it, and a way to push any objects, as a stranger could. */
async function openContext(limits: Partial<ProcessLimits> = {}) {
  count += 1;
  const path = join(root, `${count}.git`);
  const remote = openBareRemote(path);
  const main = remote.commitToMain({ files: { "rollouts.yml": "one\n", "docs/a.md": "a\n", "docs/b.md": "b\n" } });
  const write = (args: readonly string[], input: string | Buffer = ""): string =>
    execFileSync("git", args, { cwd: path, input, env: { PATH: process.env["PATH"] ?? "" } })
      .toString()
      .trim();
  const repository = await openRepository({ url: `file://${path}`, folder: join(root, `${count}.clone`), limits });
  await repository.fetch();
  /** Pushes a branch with this root tree (lines of `git mktree`) on top of main. */
  const push = (branch: string, entries: readonly string[], without: readonly string[] = []): string => {
    const base = write(["ls-tree", main]).split("\n");
    const names = [...entries.map((entry) => entry.split("\t")[1]), ...without];
    const kept = base.filter((entry) => !names.includes(entry.split("\t")[1]));
    const tree = write(["mktree"], [...kept, ...entries].map((entry) => `${entry}\n`).join(""));
    const author = ["-c", "user.name=eve", "-c", "user.email=eve@example.org"];
    const head = write([...author, "commit-tree", tree, "-p", main, "-m", "hello"]);
    remote.force(branch, head);
    return head;
  };
  const blob = (text: string | Buffer): string => write(["hash-object", "-w", "--stdin"], text);
  /** Sixteen objects that make 10 to the 16th paths. */
  const bomb = (): string => {
    let entry = `100644 blob ${blob("x\n")}`;
    for (let level = 0; level < 16; level += 1) {
      const lines = Array.from({ length: 10 }, (_, index) => `${entry}\tf${index}\n`);
      entry = `040000 tree ${write(["mktree"], lines.join(""))}`;
    }
    return entry;
  };
  return { remote, main, repository, push, blob, bomb, write };
}

describe("a stranger's commit cannot take more than git's limits", () => {
  it("a git bomb next to our files is listed as one folder and not read", async () => {
    const { main, repository, push, bomb, blob } = await openContext();
    const head = push("bomb", [`${bomb()}\tdocs`, `100644 blob ${blob("two\n")}\trollouts.yml`]);
    await repository.fetchPullRequest(1, head);
    const trial = await repository.tryMerge(main, head, ["campaigns"]);
    expect(trial).toEqual({ kind: "clean", changed: ["docs", "rollouts.yml"] });
    expect(await repository.readMerged(main, head, "rollouts.yml")).toBe("two\n");
  });

  it("a git bomb in campaigns/ is listed by its direct entries", async () => {
    const { main, repository, push, bomb, write, blob } = await openContext();
    const campaigns = write(["mktree"], `100644 blob ${blob("c\n")}\ta.yml\n${bomb()}\tdeep\n`);
    const head = push("bomb", [`040000 tree ${campaigns}\tcampaigns`]);
    const trial = await repository.tryMerge(main, head, ["campaigns"]);
    expect(trial).toEqual({ kind: "clean", changed: ["campaigns/a.yml", "campaigns/deep"] });
    expect(await repository.listMerged(main, head, "campaigns")).toEqual(["campaigns/a.yml"]);
  });

  it("a git bomb that a rename search expands ends at a limit, and the clone stays usable", async () => {
    const { repository, push, bomb, remote } = await openContext({ cpuSeconds: 2, memoryBytes: 256 * mebibyte });
    const head = push("bomb", [`${bomb()}\tcampaigns`], ["docs"]);
    // Main changed a file that the branch deletes: git searches all files that the branch adds for the renamed one.
    const main = remote.commitToMain({ files: { "docs/a.md": "a\na\n" } });
    await expect(repository.tryMerge(main, head, ["campaigns"])).rejects.toThrow(GitOverLimit);
    const good = remote.commitTo("good", { files: { "rollouts.yml": "two\n" } });
    expect(await repository.tryMerge(main, good)).toEqual({ kind: "clean", changed: ["rollouts.yml"] });
  });

  it("a pull request whose fetch is too large ends at a limit, and leaves the clone unchanged", async () => {
    const { main, repository, push, blob, remote } = await openContext({ fileBytes: mebibyte });
    const head = push("big", [`100644 blob ${blob(makeNoise(4 * mebibyte))}\tbig.bin`]);
    await expect(repository.fetchPullRequest(1, head)).rejects.toThrow(GitOverLimit);
    const good = remote.commitTo("good", { files: { "rollouts.yml": "two\n" } });
    expect(await repository.tryMerge(main, good)).toEqual({ kind: "clean", changed: ["rollouts.yml"] });
  });

  it("many small fetches do not fill the disk: the clone is replaced", async () => {
    const { repository, push, blob, main } = await openContext({ folderBytes: mebibyte });
    for (let round = 0; round < 5; round += 1) {
      const head = push(`big-${round}`, [`100644 blob ${blob(makeNoise(mebibyte / 2, round))}\tbig.bin`]);
      await repository.fetchPullRequest(round, head);
      expect(await repository.tryMerge(main, head)).toEqual({ kind: "clean", changed: ["big.bin"] });
    }
    expect(measureFolder(join(root, `${count}.clone`))).toBeLessThan(2.2 * mebibyte);
  });

  it("a folder with too many names ends at a limit", async () => {
    const { main, repository, push, blob, write } = await openContext({ outputBytes: 64 * 1024 });
    const file = `100644 blob ${blob("c\n")}`;
    const names = Array.from({ length: 20_000 }, (_, index) => `${file}\tc${index}.yml\n`);
    const head = push("many", [`040000 tree ${write(["mktree"], names.join(""))}\tcampaigns`]);
    await expect(repository.tryMerge(main, head, ["campaigns"])).rejects.toThrow(GitOverLimit);
    await expect(repository.listMerged(main, head, "campaigns")).rejects.toThrow(GitTooLarge);
    await expect(repository.list(head, "campaigns")).rejects.toThrow(GitTooLarge);
  });

  it("a file of ours that is too large is refused before it is read", async () => {
    const { main, repository, push, blob } = await openContext();
    const head = push("large", [`100644 blob ${blob("# x\n".repeat(mebibyte))}\trollouts.yml`]);
    await expect(repository.readMerged(main, head, "rollouts.yml")).rejects.toThrow(GitTooLarge);
  });

  it("a symlink or submodule in place of our files counts as no file", async () => {
    const { main, repository, push, blob } = await openContext();
    const head = push("link", [
      `120000 blob ${blob("/etc/passwd")}\trollouts.yml`,
      `160000 commit ${"1".repeat(40)}\tcampaigns`,
    ]);
    expect(await repository.readMerged(main, head, "rollouts.yml")).toBeUndefined();
    expect(await repository.listMerged(main, head, "campaigns")).toEqual([]);
    const trial = await repository.tryMerge(main, head, ["campaigns"]);
    expect(trial).toEqual({ kind: "clean", changed: ["campaigns", "rollouts.yml"] });
  });

  it("a file of which only the mode changes is listed, and reads as before", async () => {
    const { main, repository, push, blob } = await openContext();
    const head = push("mode", [`100755 blob ${blob("one\n")}\trollouts.yml`]);
    expect(await repository.tryMerge(main, head)).toEqual({ kind: "clean", changed: ["rollouts.yml"] });
    expect(await repository.readMerged(main, head, "rollouts.yml")).toBe("one\n");
  });

  it("names with line ends and control characters do not break a list", async () => {
    const { main, repository, push, blob, write } = await openContext();
    const entry = `100644 blob ${blob("c\n")}`;
    const tree = write(["mktree", "-z"], `${entry}\ta\n.yml\0${entry}\tb\u001b[2J.yml\0${entry}\tc.yml\0`);
    const head = push("odd", [`040000 tree ${tree}\tcampaigns`]);
    const trial = await repository.tryMerge(main, head, ["campaigns"]);
    const changed = trial.kind === "clean" ? trial.changed : [];
    expect(changed).toEqual(["campaigns/a\n.yml", "campaigns/b\u001b[2J.yml", "campaigns/c.yml"]);
  });
});
