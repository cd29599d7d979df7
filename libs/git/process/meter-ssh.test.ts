import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";

import { openBareRemote } from "../fake/bare-remote.ts";
import { openRepository } from "../repository/simple-git.ts";

const script = fileURLToPath(new URL("meter-ssh.ts", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "meshroll-ssh-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
afterEach(() => vi.unstubAllEnvs());

function run(command: string, seconds: number, input: string) {
  const env = { ...process.env, MESHROLL_SSH_COMMAND: command };
  return spawnSync(process.execPath, [script, "1000", String(seconds), "host"], { env, input, encoding: "utf8" });
}

/** A program in place of ssh that runs the remote command on this machine. */
function writeSsh(): string {
  const path = join(root, "ssh-here");
  writeFileSync(path, '#!/bin/sh\nwhile [ $# -gt 1 ]; do shift; done\nexec sh -c "$1"\n');
  chmodSync(path, 0o755);
  return path;
}

describe("ssh under a meter", () => {
  it("copies both directions, and passes arguments and exit code on", () => {
    const { stdout, status } = run(`sh -c 'cat; printf " %s" "$0"; exit 3'`, 10, "hello");
    expect([stdout, status]).toEqual(["hello host", 3]);
  });

  it("ends a connection that carries nothing, or a byte now and then", () => {
    const silent = run("sh -c 'exec tail -f /dev/null'", 1, "");
    const slow = run("sh -c 'while :; do printf 0; sleep 0.2; done'", 2, "");
    expect([silent.status, slow.status]).toEqual([1, 1]);
    expect(silent.stderr).toContain("ssh carried fewer than 1000 bytes a second for 1 s");
    expect(slow.stdout.length).toBeGreaterThan(0);
  });

  it("is how git reaches a repository over ssh, with the operator's own command", async () => {
    const path = join(root, "remote");
    const remote = openBareRemote(path);
    const first = remote.commitToMain({ files: { "rollouts.yml": "one\n" } });
    vi.stubEnv("GIT_SSH_COMMAND", writeSsh());
    const repository = await openRepository({ url: `ssh://git@host${path}`, folder: join(root, "clone") });
    expect(await repository.fetch()).toEqual({ main: first });
    const processes = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" });
    expect(processes).not.toContain(`git-upload-pack '${path}'`);
  });
});
