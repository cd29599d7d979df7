import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { makeFolder, runCli } from "#test/run-cli";
import { describe, expect, it } from "vitest";

import { askCheckout } from "./ask-checkout.ts";
import { readAuthor } from "../../files/git-author.ts";

const spec = "production:\n  1-24-5: 100\n";
const pod = "kind: Pod\napiVersion: v1\nmetadata:\n  name: a\n  namespace: shop\n";

/** A checkout with a committed folder `specs` that git takes for a bare repository. */
function clone(): { readonly folder: string; readonly ran: string } {
  const folder = makeFolder({ "specs/HEAD": "ref: refs/heads/main\n", "specs/rollouts.yml": spec, "pod.yaml": pod });
  const ran = join(folder, "ran");
  const run = `touch '${ran}'; false`;
  const settings = `[core]
	repositoryformatversion = 0
	bare = false
	worktree = ..
	fsmonitor = "${run}"
	sshCommand = "${run}"
[remote "origin"]
	url = https://other.example.com/rollouts.git
[user]
	name = ada
	email = ada@example.com
`;
  for (const name of ["objects", "refs"]) mkdirSync(join(folder, "specs", name));
  writeFileSync(join(folder, "specs/config"), settings);
  execFileSync("git", ["-C", folder, "init", "-q", "-b", "main"]);
  return { folder, ran };
}

describe("a checkout with a folder that git takes for a repository", () => {
  it("mutate runs no program named in the folder's settings", async () => {
    const { folder, ran } = clone();
    const outcome = await runCli(["mutate", "--file", "specs/rollouts.yml", "pod.yaml"], { cwd: folder });
    expect(outcome).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(ran)).toBe(false);
  });

  it("no command uses the address or the user name in that folder's settings", async () => {
    const { folder, ran } = clone();
    const cwd = join(folder, "specs");
    expect(await askCheckout(cwd, ["config", "--get", "remote.origin.url"])).toBeUndefined();
    const outcome = await runCli(["history"], { cwd, env: { MESHROLL_GIT_TOKEN: "a-token" } });
    expect(outcome.stderr).toContain("no rollouts repository is configured");
    const author = await readAuthor({ cwd, env: { USER: "ben" } } as unknown as Parameters<typeof readAuthor>[0]);
    expect(author.name).not.toBe("ada");
    expect(existsSync(ran)).toBe(false);
  });

  it("the checkout around an ordinary folder is used", async () => {
    const { folder } = clone();
    execFileSync("git", ["-C", folder, "config", "remote.origin.url", "https://git.example.com/ours.git"]);
    mkdirSync(join(folder, "deep/er"), { recursive: true });
    for (const at of [folder, join(folder, "deep/er")])
      expect(await askCheckout(at, ["config", "--get", "remote.origin.url"])).toBe("https://git.example.com/ours.git");
  });
});
