import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { openBareRemote } from "#conformance/git";
import { createSigner, type LedgerSigner } from "#libs/ledger";
import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";

import { type CliEnvironment, fillShops, openCliEnvironment, rollouts } from "./cli-environment.ts";
import { nameSigners } from "../parts/make-signer.ts";

const ledger = "meshroll/ledger";

interface KeyFile {
  readonly signer: LedgerSigner;
  readonly text: string;
}

function makeKey(): KeyFile {
  const { privateKey } = generateKeyPairSync("ed25519");
  const text = privateKey.export({ format: "pem", type: "pkcs8" }).toString();
  return { signer: createSigner(text), text };
}

const [own, other] = [makeKey(), makeKey()];

interface SignedSetup extends CliEnvironment {
  /** The same as `meshroll`, with the key in its environment; default the one that main names. */
  sign(args: readonly string[], key?: KeyFile): ReturnType<CliEnvironment["meshroll"]>;
}

async function open(signers: readonly LedgerSigner[] = [own.signer]): Promise<SignedSetup> {
  const settings = signers.length === 0 ? "{}\n" : nameSigners(...signers);
  const environment = await openCliEnvironment({ "rollouts.yml": rollouts, "meshroll.yml": settings }, fillShops);
  async function sign(args: readonly string[], { text }: KeyFile = own) {
    const path = join(environment.folder, "ledger-key");
    writeFileSync(path, text);
    return environment.meshroll(args, { MESHROLL_LEDGER_KEY_FILE: path });
  }
  return { ...environment, sign };
}

function plant(environment: CliEnvironment, files: Readonly<Record<string, string | null>>): string {
  return openBareRemote(environment.github.repoPath).commitTo(ledger, { files, author: "eve", message: "forged" });
}

/** Whether git itself finds a good signature of this key on the newest commit. */
function verifyByGit(environment: CliEnvironment, { signer }: KeyFile): string {
  const allowed = join(environment.folder, "allowed");
  writeFileSync(allowed, `planner@example.org ${signer.publicKey}\n`);
  const args = ["-C", environment.github.repoPath, "-c", `gpg.ssh.allowedSignersFile=${allowed}`];
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  return execFileSync("git", [...args, "log", "-1", "--format=%G? %GF", ledger], { env, encoding: "utf8" }).trim();
}

/** Git asks ssh-keygen to verify. */
function hasSshKeygen(): boolean {
  try {
    execFileSync("ssh-keygen", ["-?"], { stdio: "ignore" });
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ENOENT");
  }
}

test("init signs the first record with the key that main names, and is refused without it", async () => {
  const environment = await open();
  const refused = await environment.meshroll(["init"]);
  expect([refused.code, refused.stderr]).toEqual([83, expect.stringContaining("MESHROLL_LEDGER_KEY_FILE")]);
  expect((await environment.sign(["init"], other)).code).toBe(83);
  expect(await environment.git("branch", "--list", "meshroll/*")).toBe("");
  expect((await environment.sign(["init"])).code).toBe(0);
  const { code, stdout } = await environment.meshroll(["ledger", "check"]);
  expect([code, stdout]).toEqual([0, expect.stringContaining(`signed by ${own.signer.fingerprint}\n`)]);
});

describe.each(hasSshKeygen() ? ["git log --show-signature"] : [])("by %s", () => {
  test("what the command line signs is good, and what eve pushed on top is not", async () => {
    const environment = await open();
    await environment.sign(["init"]);
    expect(verifyByGit(environment, own)).toBe(`G ${own.signer.fingerprint}`);
    expect(verifyByGit(environment, other)).toBe(`U ${own.signer.fingerprint}`);
    plant(environment, { "runs/x.json": "{" });
    expect(verifyByGit(environment, own)).toBe("N");
    await environment.sign(["ledger", "sign", "-y"], own);
    await environment.sign(["ledger", "check", "--repair", "-y"], own);
    expect(verifyByGit(environment, own)).toBe(`G ${own.signer.fingerprint}`);
  });
});

test("ledger check names the commits that are not signed and the newest that is; --repair puts all of it back", async () => {
  const environment = await open();
  await environment.sign(["init"]);
  const signed = (await environment.git("rev-parse", ledger)).trim();
  const tree = await environment.git("ls-tree", "-r", "--name-only", ledger);
  plant(environment, { "archive/runs/2026-01/01/eve.json": "{}" });
  const head = plant(environment, { heads: null, "requests/eve.json": "{}" });

  const reconciled = await environment.meshroll(["ledger", "check"]);
  expect(reconciled.code).toBe(79);
  for (const each of [head.slice(0, 12), "eve", signed.slice(0, 12), "ledger check --repair", "ledger sign"])
    expect(reconciled.stdout).toContain(each);
  const json = JSON.parse((await environment.meshroll(["ledger", "check", "-o", "json"])).stdout) as unknown;
  expect(json).toMatchObject({ readable: false, lastSigned: signed, doubt: { kind: "unsigned", commit: head } });

  const refused = await environment.meshroll(["ledger", "check", "--repair", "-y"]);
  expect([refused.code, await environment.git("rev-parse", ledger)]).toEqual([83, `${head}\n`]);
  expect((await environment.sign(["ledger", "check", "--repair", "-y"])).code).toBe(0);
  expect((await environment.git("rev-parse", `${ledger}^1`)).trim()).toBe(head);
  expect(await environment.git("ls-tree", "-r", "--name-only", ledger)).toBe(tree);
  expect((await environment.meshroll(["ledger", "check"])).code).toBe(0);
});

test("ledger sign vouches for what stands there, with a key that main names alone", async () => {
  const environment = await open();
  await environment.sign(["init"]);
  const record = { at: "2026-01-01T00:00:00.000Z", answer: "done" };
  const head = plant(environment, { "requests/v1.json": JSON.stringify({ version: 1, ...record }) });
  expect((await environment.meshroll(["ledger", "sign", "-y"])).code).toBe(83);
  expect((await environment.sign(["ledger", "sign", "-y"], other)).code).toBe(83);
  expect((await environment.sign(["ledger", "sign"])).code).toBe(64);
  expect(await environment.git("rev-parse", ledger)).toBe(`${head}\n`);
  expect((await environment.sign(["ledger", "sign", "-y"])).code).toBe(0);
  expect(await environment.git("rev-parse", `${ledger}^{tree}`)).toBe(
    await environment.git("rev-parse", `${head}^{tree}`),
  );
  const { code, stdout } = await environment.meshroll(["ledger", "check"]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("signed by")]);
  expect((await environment.sign(["ledger", "sign", "-y"])).stderr).toContain("nothing to do");
});

test("ledger sign signs nothing that no process could read", async () => {
  const environment = await open();
  await environment.sign(["init"]);
  const head = plant(environment, { "runs/x.json": "{" });
  const { code } = await environment.sign(["ledger", "sign", "-y"]);
  expect([code, await environment.git("rev-parse", ledger)]).toEqual([65, `${head}\n`]);
});

test("ledger sign makes the first signature before main names a signer", async () => {
  const environment = await open([]);
  await environment.meshroll(["init"]);
  expect((await environment.meshroll(["ledger", "sign", "-y"])).code).toBe(78);
  expect((await environment.sign(["ledger", "sign", "-y"])).code).toBe(0);
  openBareRemote(environment.github.repoPath).commitTo("main", { files: { "meshroll.yml": nameSigners(own.signer) } });
  expect((await environment.meshroll(["ledger", "check"])).code).toBe(0);
});

test("doctor warns where no signer is named, and fails where the newest commit is not signed", async () => {
  const find = async (environment: CliEnvironment) => {
    const { stdout } = await environment.meshroll(["doctor", "--only", "git", "-o", "json"]);
    const { checks } = JSON.parse(stdout) as { checks: readonly { code: string; state: string; message: string }[] };
    return checks.find(({ code }) => code === "MR9005");
  };
  const unnamed = await open([]);
  await unnamed.meshroll(["init"]);
  expect(await find(unnamed)).toMatchObject({
    state: "warned",
    message: expect.stringContaining("a gate passed") as string,
  });
  const environment = await open();
  await environment.sign(["init"]);
  expect(await find(environment)).toMatchObject({ state: "ok" });
  plant(environment, { "runs/x.json": "{" });
  expect(await find(environment)).toMatchObject({ state: "failed" });
});

test("status without a planner names a ledger that is not signed", async () => {
  const environment = await open();
  await environment.sign(["init"]);
  plant(environment, { "runs/x.json": "{" });
  const args = ["--kubeconfig", join(environment.folder, "kubeconfig"), "--clusters", "one"];
  const { stdout } = await environment.meshroll(["status", ...args]);
  expect(stdout.replace(/\s+/gu, " ")).toContain('by "eve" is not signed by a key in ledger.signers of meshroll.yml');
});

describe("history marks what no key of main signed", () => {
  interface Entry {
    readonly commit: string;
    readonly unsigned?: { readonly why: string; readonly by?: string };
  }

  async function readEntries(environment: CliEnvironment, ...args: readonly string[]): Promise<readonly Entry[]> {
    const { code, stdout } = await environment.meshroll(["history", "-o", "json", ...args]);
    expect(code).toBe(0);
    return (JSON.parse(stdout) as { readonly entries: readonly Entry[] }).entries;
  }

  /** `init` was signed; eve's commit is not, and a signed one restores the branch on top of it. */
  async function openForged(): Promise<{ readonly environment: SignedSetup; readonly forged: string }> {
    const environment = await open();
    await environment.sign(["init"]);
    const forged = plant(environment, { "requests/eve.json": "{}" });
    await environment.sign(["ledger", "check", "--repair", "-y"]);
    return { environment, forged };
  }

  test("also where a signed commit is on top of it by now, fetched or in a clone on this disk", async () => {
    const { environment, forged } = await openForged();
    const wanted = [undefined, { why: "it has no signature" }, undefined];
    const entries = await readEntries(environment);
    expect([entries[1]?.commit, entries.map(({ unsigned }) => unsigned)]).toEqual([forged, wanted]);
    const local = await readEntries(environment, "--repo", environment.github.repoPath);
    expect(local.map(({ unsigned }) => unsigned)).toEqual(wanted);
    const { stdout } = await environment.meshroll(["history"]);
    expect(stdout).toContain(`  ! ${forged.slice(0, 12)} is not signed: it has no signature\n`);
    expect(stdout).toContain("! 1 commit is signed by no key of ledger.signers");
  });

  test("a key that main names no more, by its name; all of it, once main names another one", async () => {
    const { environment } = await openForged();
    const settings = { "meshroll.yml": nameSigners(other.signer) };
    openBareRemote(environment.github.repoPath).commitTo("main", { files: settings });
    const entries = await readEntries(environment);
    expect(entries.map(({ unsigned }) => unsigned?.by)).toEqual([
      own.signer.fingerprint,
      undefined,
      own.signer.fingerprint,
    ]);
    expect(entries.every(({ unsigned }) => unsigned !== undefined)).toBe(true);
  });

  test("nothing from before the first signature, and nothing where main names no key", async () => {
    const environment = await open([]);
    await environment.meshroll(["init"]);
    const record = { version: 1, at: "2026-01-01T00:00:00.000Z", answer: "done" };
    const early = plant(environment, { "requests/early.json": JSON.stringify(record) });
    expect((await readEntries(environment)).map(({ unsigned }) => unsigned)).toEqual([undefined, undefined]);
    await environment.sign(["ledger", "sign", "-y"]);
    const settings = { "meshroll.yml": nameSigners(own.signer) };
    openBareRemote(environment.github.repoPath).commitTo("main", { files: settings });
    const entries = await readEntries(environment);
    expect([entries[1]?.commit, entries.map(({ unsigned }) => unsigned)]).toEqual([
      early,
      [undefined, undefined, undefined],
    ]);
  });
});
