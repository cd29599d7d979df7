import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import type { FileChange, MergeResult, RemoteChange, RemoteMerge } from "./fake-remote.ts";

/** For tests: what other clients do to a real bare repository on this disk, with the verbs of the fake remote. */
export interface BareRemote {
  commitTo(branch: string, change: RemoteChange): string;
  commitToMain(change: RemoteChange): string;
  mergeToMain(merge: RemoteMerge): MergeResult;
  force(branch: string, sha: string): void;
  removeBranch(branch: string): void;
  head(branch: string): string | undefined;
}

function printChange(path: string, content: FileChange): string {
  if (content === null) return `D "${path}"\n`;
  if (typeof content === "string") return `M 100644 inline "${path}"\ndata ${Buffer.byteLength(content)}\n${content}\n`;
  if ("submodule" in content) return `M 160000 ${content.submodule} "${path}"\n`;
  return `M 120000 inline "${path}"\ndata ${Buffer.byteLength(content.symlink)}\n${content.symlink}\n`;
}

/** Opens the bare repository at this path, making it where there is none. */
export function openBareRemote(path: string): BareRemote {
  let second = 1_700_000_000;
  const env = { PATH: process.env["PATH"] ?? "", GIT_DIR: path, LC_ALL: "C" };
  const git = (args: readonly string[], input = "", extra: Record<string, string> = {}): string =>
    execFileSync("git", args, {
      input,
      env: { ...env, ...extra },
      encoding: "utf8",
      stdio: ["pipe", "pipe", "pipe"],
    }).trim();
  if (!existsSync(join(path, "HEAD"))) {
    mkdirSync(path, { recursive: true });
    // Without the sample hooks, because every test makes a repository.
    git(["init", "--quiet", "--bare", "--template=", "-b", "main", path]);
    // As on GitHub: commits that no branch reaches any more can still be fetched by id.
    appendFileSync(join(path, "config"), "[uploadpack]\n\tallowAnySHA1InWant = true\n");
  }

  /** Reads the ref's file, which git replaces as a whole: this is called most often, and a process takes 10 ms. */
  function head(branch: string): string | undefined {
    const ref = `refs/heads/${branch}`;
    if (statSync(join(path, ref), { throwIfNoEntry: false })?.isFile() === true)
      return readFileSync(join(path, ref), "utf8").trim();
    const packed = join(path, "packed-refs");
    const lines = existsSync(packed) ? readFileSync(packed, "utf8").split("\n") : [];
    return lines.find((line) => line.endsWith(` ${ref}`))?.split(" ")[0];
  }

  function date(change: { readonly at?: number }): number {
    second += 1;
    return change.at === undefined ? second : Math.floor(change.at / 1000);
  }

  function commitTo(branch: string, change: RemoteChange): string {
    const name = change.author ?? "another";
    const when = `${date(change)} +0000`;
    const [author, committer] = [name, change.committer ?? name].map((each) => {
      return `${each} <${each.replaceAll(" ", ".")}@users.noreply.github.com> ${when}`;
    });
    const message = `${change.message ?? "A change"}\n`;
    const parent = head(branch) ?? head("main");
    const stream = [
      `commit refs/heads/${branch}\nmark :1\nauthor ${author}\ncommitter ${committer}\n`,
      `data ${Buffer.byteLength(message)}\n${message}`,
      parent === undefined ? "" : `from ${parent}\n`,
      ...Object.entries(change.files).map(([file, content]) => printChange(file, content)),
      "\nget-mark :1\ndone\n",
    ];
    return git(["fast-import", "--quiet", "--done", "--force"], stream.join(""));
  }

  function mergeToMain(merge: RemoteMerge): MergeResult {
    const [base, tip] = [head("main") ?? "", head(merge.branch) ?? ""];
    let tree: string;
    try {
      tree = git(["merge-tree", "--write-tree", "--no-messages", base, tip]).split("\n")[0] ?? "";
    } catch (error) {
      return { kind: "conflict", why: String(error) };
    }
    const parents = merge.method === "squash" ? ["-p", base] : ["-p", base, "-p", tip];
    const name = merge.author ?? "another";
    const when = `${date(merge)} +0000`;
    const sha = git(["commit-tree", tree, ...parents, "-m", merge.message ?? `Merge ${merge.branch}`], "", {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: "a@example.org",
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: "a@example.org",
      GIT_AUTHOR_DATE: when,
      GIT_COMMITTER_DATE: when,
    });
    git(["update-ref", "refs/heads/main", sha, base]);
    return { kind: "merged", sha };
  }

  return {
    commitTo,
    commitToMain: (change) => commitTo("main", change),
    mergeToMain,
    force: (branch, sha) => void git(["update-ref", `refs/heads/${branch}`, sha]),
    removeBranch: (branch) => void git(["update-ref", "-d", `refs/heads/${branch}`]),
    head,
  };
}
