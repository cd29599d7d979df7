import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { makeFolder, runCli } from "#test/run-cli";
import { describe, expect, it } from "vitest";

const config = `# My fleets.
apiVersion: meshroll.dev/v1
kind: Config
current: dev # the small one
contexts:
  dev:
    repository: REPO
  prod:
    repository: https://rollouts.invalid/acme.git
    clusters: { prod-a: ctx-a, prod-b: ctx-b }
    tokens:
      git: { command: [print-token] }
`;

/** A home folder with a file of contexts, in which `dev` is a local repository. */
function makeHome() {
  const folder = makeFolder({
    "repo/rollouts.yml": "production:\n  1-24-5: 100\n",
    "home/.config/meshroll/config.yml": "",
  });
  const repo = join(folder, "repo");
  const path = join(folder, "home", ".config", "meshroll", "config.yml");
  execFileSync("git", ["init", "-q", "-b", "main", repo]);
  execFileSync("git", ["-C", repo, "add", "."]);
  execFileSync("git", ["-C", repo, "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "-m", "main"]);
  const write = (text: string) =>
    execFileSync("tee", [path], { input: text.replace("REPO", repo), stdio: ["pipe", "ignore", "pipe"] });
  write(config);
  chmodSync(path, 0o600);
  const env = { HOME: join(folder, "home"), XDG_CACHE_HOME: folder };
  const meshroll = async (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    runCli(args, { cwd: folder, env: { ...env, ...more } });
  return { path, repo, write, meshroll };
}

describe("which fleet a command is about", () => {
  it("is the current context's; a variable overrides it, and a flag overrides both", async () => {
    const { meshroll, repo } = makeHome();
    const init = ["init", "--dry-run"];
    expect((await meshroll(init)).stdout).toContain(`of ${repo}; nothing was pushed`);
    const other = await meshroll(init, { MESHROLL_CONTEXT: "prod", MESHROLL_GIT_TOKEN: "t" });
    expect(other.stderr).toContain("rollouts.invalid");
    expect((await meshroll([...init, "--context", "dev"], { MESHROLL_CONTEXT: "prod" })).stdout).toContain(repo);
    expect(
      (await meshroll(init, { MESHROLL_CONTEXT: "prod", MESHROLL_GIT_TOKEN: "t", MESHROLL_REPO_URL: repo })).stdout,
    ).toContain(repo);
    expect(
      (await meshroll([...init, "--repo", repo], { MESHROLL_CONTEXT: "prod", MESHROLL_GIT_TOKEN: "t" })).stdout,
    ).toContain(repo);
  });

  it("an unknown one is refused like other names, from a flag, a variable and context use", async () => {
    const { meshroll } = makeHome();
    for (const args of [
      ["status", "--context", "prid"],
      ["context", "use", "prid"],
      ["context", "show", "prid"],
    ]) {
      const { code, stdout, stderr } = await meshroll(args);
      expect({ code, stdout }).toEqual({ code: 65, stdout: "" });
      expect(stderr).toContain("there is no context prid\n  did you mean prod?\n  known: dev, prod");
    }
    expect((await meshroll(["status"], { MESHROLL_CONTEXT: "x" })).code).toBe(65);
  });

  it("a file with errors is refused with their places; help, version and completion still work", async () => {
    const { meshroll, write, path } = makeHome();
    write(config.replace("tokens:", "token:"));
    const { code, stderr } = await meshroll(["validate"]);
    expect(code).toBe(78);
    expect(stderr.replaceAll(/\s+/gu, " ")).toContain(`${path}:11:5 contexts.prod.token: there is no such field`);
    for (const args of [["version"], ["help", "status"], ["completion", "bash"]])
      expect((await meshroll(args)).code).toBe(0);
  });

  it("without a file nothing changes", async () => {
    const { meshroll } = makeHome();
    const { code, stderr } = await meshroll(["status"], { MESHROLL_CONFIG: "nowhere.yml" });
    expect({ code, stderr: stderr.split("\n")[0] }).toEqual({ code: 78, stderr: "meshroll: NATS is not configured" });
  });
});

describe("-v", () => {
  it("prints the context and each request on stderr, and nothing more on stdout", async () => {
    const { meshroll, repo } = makeHome();
    const quiet = await meshroll(["init", "--dry-run"]);
    const { stdout, stderr } = await meshroll(["init", "--dry-run", "-v"]);
    expect({ stdout, stderr }).toEqual({
      stdout: quiet.stdout,
      stderr: `> context dev (by current)\n> asks git for main and meshroll/ledger of ${repo}\n`,
    });
  });
});

describe("a token of a context", () => {
  it("is a command's output, read only when it is needed", async () => {
    const { meshroll } = makeHome();
    const bin = makeFolder({ "print-token": '#!/bin/sh\necho asked >> "$(dirname "$0")/asked"; exit 3\n' });
    chmodSync(join(bin, "print-token"), 0o755);
    const env = { PATH: `${bin}:${process.env["PATH"] ?? ""}`, MESHROLL_CONTEXT: "prod" };
    await meshroll(["explain", "MR1004"], env);
    expect(() => statSync(join(bin, "asked"))).toThrow("ENOENT");
    const { code, stderr } = await meshroll(["init", "--dry-run"], env);
    expect({ code, stderr }).toMatchObject({
      code: 78,
      stderr: expect.stringContaining("tokens.git cannot be read: print-token ended with 3"),
    });
    const given = await meshroll(["init", "--dry-run"], { ...env, MESHROLL_GIT_TOKEN: "t" });
    expect(given.stderr).not.toContain("tokens.git");
    expect(readFileSync(join(bin, "asked"), "utf8")).toBe("asked\n");
  });
});

describe("a token of git", () => {
  const kept = "MESHROLL_GIT_TOKEN is not sent to";
  it("of a context is only for its repository's host, whatever a flag or a variable names", async () => {
    const { meshroll, write } = makeHome();
    write(config.replace("command: [print-token]", "command: [echo, hunter2]"));
    const env = { MESHROLL_CONTEXT: "prod", PATH: process.env["PATH"] ?? "" };
    const other = "https://other.invalid/acme.git";
    const init = ["init", "--dry-run"];
    expect((await meshroll(init, env)).stderr).not.toContain(kept);
    for (const stray of [
      await meshroll([...init, "--repo", other], env),
      await meshroll(init, { ...env, MESHROLL_REPO_URL: other }),
    ])
      expect(stray.stderr).toContain(`${kept} other.invalid: it is for rollouts.invalid`);
  });

  it("of a variable is for the host of the variable", async () => {
    const { meshroll } = makeHome();
    const other = "https://other.invalid/acme.git";
    const env = { MESHROLL_CONTEXT: "prod", MESHROLL_GIT_TOKEN: "t", MESHROLL_REPO_URL: other };
    expect((await meshroll(["init", "--dry-run"], env)).stderr).not.toContain(kept);
  });
});

describe("meshroll context", () => {
  it("use changes one word of the file: comments, order and mode stay", async () => {
    const { meshroll, path, repo } = makeHome();
    expect(await meshroll(["context", "use", "prod"])).toMatchObject({
      code: 0,
      stderr: "✔ context prod is the current one\n",
    });
    expect(readFileSync(path, "utf8")).toBe(config.replace("REPO", repo).replace("current: dev", "current: prod"));
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("list marks the current one; show prints each value's source and no secret", async () => {
    const { meshroll, repo } = makeHome();
    expect((await meshroll(["context", "list"])).stdout).toMatch(/^CURRENT +NAME +REPOSITORY +NATS\n\* +dev /u);
    expect((await meshroll(["context", "list", "-o", "name"])).stdout).toBe("context/dev\ncontext/prod\n");
    const env = { MESHROLL_BRANCH: "trunk", MESHROLL_GIT_TOKEN: "hunter2", MESHROLL_NATS_URL: "nats://a:b@host" };
    const { stdout } = await meshroll(["context", "show"], env);
    expect(stdout).toContain(`MESHROLL_REPO_URL=${repo}  (context dev)`);
    expect(stdout).toContain("MESHROLL_BRANCH=trunk  (environment)\n  MESHROLL_NATS_URL=nats://host  (environment)");
    expect(stdout).not.toContain("hunter2");
  });

  it("without a file it says where the file is searched", async () => {
    const { meshroll } = makeHome();
    const { code, stderr } = await meshroll(["context", "list"], { MESHROLL_CONFIG: "/nowhere/config.yml" });
    expect({ code, stderr }).toMatchObject({ code: 78, stderr: expect.stringContaining("/nowhere/config.yml") });
  });
});
