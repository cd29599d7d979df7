import { execFileSync } from "node:child_process";
import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";

import { openBareRemote } from "../fake/bare-remote.ts";
import { GitRefused } from "../errors.ts";
import { openRepository } from "./simple-git.ts";

afterEach(() => void vi.unstubAllEnvs());

const author = { name: "meshroll planner", email: "meshroll@localhost" };

/** git calls this in place of ssh-keygen: it signs the file named last with the ed25519 key of the file. */
const program = `#!${process.execPath}
const { readFileSync, writeFileSync } = require("node:fs");
const [file, key] = [process.argv.at(-1), process.argv[process.argv.indexOf("-f") + 1]];
const signature = require("node:crypto").sign(null, readFileSync(file), readFileSync(key, "utf8"));
const text = "-----BEGIN SSH SIGNATURE-----\\n" + signature.toString("base64") + "\\n-----END SSH SIGNATURE-----\\n";
writeFileSync(file + ".sig", text);
`;

/** A home whose git signs with its own key, and a rollouts repository. */
function openMachine(key?: string) {
  const home = mkdtempSync(join(tmpdir(), "meshroll-signing-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const file = (name: string, text: string): string => {
    writeFileSync(join(home, name), text);
    return join(home, name);
  };
  const signer = file("sign.cjs", program);
  chmodSync(signer, 0o700);
  const named = key === undefined ? join(home, "no-key") : file("key.pem", key);
  const settings = `[commit]\ngpgsign = true\n[gpg]\nformat = ssh\n[gpg "ssh"]\nprogram = ${signer}\n`;
  file(".gitconfig", `${settings}[user]\nsigningkey = ${named}\n`);
  vi.stubEnv("HOME", home);
  vi.stubEnv("XDG_CONFIG_HOME", home);
  const path = join(home, "remote");
  const remote = openBareRemote(path);
  const main = remote.commitToMain({ files: { "rollouts.yml": "one\n" } });
  const open = async () => openRepository({ url: `file://${path}`, folder: join(home, "clone") });
  return { main, open, read: (sha: string) => execFileSync("git", ["-C", path, "cat-file", "commit", sha]).toString() };
}

it("git signs each commit of meshroll where its own configuration says so", async () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const { main, open, read } = openMachine(privateKey.export({ format: "pem", type: "pkcs8" }).toString());
  const repository = await open();
  await repository.fetch();
  expect(await repository.signsCommits()).toBe(true);
  const draft = {
    branch: "meshroll/up/5",
    startAt: main,
    files: { "rollouts.yml": "two\n" },
    message: "Stage ä",
    author,
  };
  const pushed = await repository.commitAndPush({ ...draft, at: 1_700_000_000_000 });
  if (pushed.kind !== "pushed") throw new Error(pushed.why);

  const commit = read(pushed.sha);
  const [header = "", body = ""] =
    /^gpgsig -----BEGIN SSH SIGNATURE-----\n ([^\n]*)\n -----END SSH SIGNATURE-----\n/mu.exec(commit) ?? [];
  const payload = commit.replace(header, "");
  expect(payload).toMatch(
    new RegExp(
      `^tree [0-9a-f]{40}\nparent ${main}\nauthor meshroll planner <meshroll@localhost> 1700000000 \\+0000\n`,
      "u",
    ),
  );
  expect(payload).toMatch(/\n\nStage ä\n$/u);
  const key = createPublicKey(publicKey.export({ format: "pem", type: "spki" }));
  expect(verify(null, Buffer.from(payload), key, Buffer.from(body, "base64"))).toBe(true);
  expect(await repository.read(pushed.sha, "rollouts.yml")).toBe("two\n");
  // An ed25519 signature is deterministic: the same draft is the same commit.
  expect(await repository.makeCommit({ ...draft, at: 1_700_000_000_000 })).toBe(pushed.sha);
});

it("nothing is pushed where git cannot sign, and the error says what to do", async () => {
  const { main, open } = openMachine();
  const repository = await open();
  await repository.fetch();
  const draft = { branch: "meshroll/ledger", startAt: main, files: { a: "1" }, message: "x", author };
  const refused = await repository.commitAndPush(draft).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(GitRefused);
  expect(String(refused)).toContain("commit.gpgsign");
});
