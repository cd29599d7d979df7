import { execFileSync } from "node:child_process";
import { join } from "node:path";

import { makeFolder, runCli } from "#test/run-cli";
import { describe, expect, it } from "vitest";

const rollouts = "production:\n  1-24-5: 100\n";

/** A repository in a path with a blank, as on macOS, and a working folder with other files. */
function makePlace() {
  const folder = makeFolder({
    "my work/rollouts/rollouts.yml": rollouts,
    "rollouts.yml": "production:\n  other: 100\n",
  });
  const repo = join(folder, "my work", "rollouts");
  const git = (...args: readonly string[]) => execFileSync("git", ["-C", repo, ...args], { stdio: "pipe" });
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "-m", "main");
  return { cwd: folder, repo, env: { XDG_CACHE_HOME: folder } };
}

describe("--repo of commands that read the files of this folder", () => {
  it("reads that repository's main, from an absolute or relative path with a blank", async () => {
    const { cwd, repo, env } = makePlace();
    for (const path of [repo, "my work/rollouts", "./my work/rollouts"]) {
      const { code, stdout, stderr } = await runCli(["assign", "a", "--repo", path], { cwd, env });
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "a\tproduction\t1-24-5\n", stderr: "" });
    }
    expect((await runCli(["assign", "a"], { cwd, env })).stdout).toContain("other");
  });

  it("validate checks every file of that repository", async () => {
    const { cwd, repo, env } = makePlace();
    const { code, stdout } = await runCli(["validate", "--repo", repo], { cwd, env });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "✔ rollouts.yml: 1 bucket, no findings\n" });
    expect((await runCli(["validate", "-f", "nope.yml", "--repo", repo], { cwd, env })).stdout).toContain(
      "main has no such file",
    );
  });
});
