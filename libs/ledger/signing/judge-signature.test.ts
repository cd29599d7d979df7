import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { judgeSignature } from "./judge-signature.ts";
import { createSigner } from "./signer.ts";

/** Made by ssh-keygen for this test; nothing is protected by it. */
const openSsh = `-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW
QyNTUxOQAAACDYOpqJ8zbN+CW5cQNsEqKL47GchH0n8aaYwJFfD0ZdpAAAAIhW3VJlVt1S
ZQAAAAtzc2gtZWQyNTUxOQAAACDYOpqJ8zbN+CW5cQNsEqKL47GchH0n8aaYwJFfD0ZdpA
AAAEBmjQg++h8B1b1+WlKPN+oiu4U4caQ1h5KDdFumncbTVtg6monzNs34JblxA2wSoovj
sZyEfSfxppjAkV8PRl2kAAAABHRlc3QB
-----END OPENSSH PRIVATE KEY-----
`;

const payload = Buffer.from("tree 1\nauthor a <a> 1 +0000\n\nsentence\n");

function makeSigner(type: "ed25519" | "rsa" = "ed25519") {
  const { privateKey } =
    type === "rsa" ? generateKeyPairSync("rsa", { modulusLength: 2048 }) : generateKeyPairSync("ed25519");
  return createSigner(privateKey.export({ format: "pem", type: "pkcs8" }).toString());
}

test("a signature by one of the keys that may is one, and names its key", () => {
  const [signer, other] = [makeSigner(), makeSigner()];
  const verdict = judgeSignature({ payload, signature: signer.sign(payload) }, [other.publicKey, signer.publicKey]);
  expect(verdict).toEqual({ kind: "signed", by: signer.fingerprint });
});

const [own, eve] = [makeSigner(), makeSigner()];
const good = own.sign(payload);

/** The same signature with other bytes in it. */
function bend(change: (bytes: Buffer) => Buffer): string {
  const body = good.split("\n").slice(1, -1).join("");
  return `-----BEGIN SSH SIGNATURE-----\n${change(Buffer.from(body, "base64")).toString("base64")}\n-----END SSH SIGNATURE-----`;
}

const refused: readonly { readonly name: string; readonly signature?: string; readonly why: string }[] = [
  { name: "none at all", why: "it has no signature" },
  {
    name: "one by a key that may not",
    signature: eve.sign(payload),
    why: `its signature is of key ${eve.fingerprint}, which is none of them`,
  },
  {
    name: "one of another commit",
    signature: own.sign(Buffer.from("tree 2\n\nother\n")),
    why: `key ${own.fingerprint} did not sign this content`,
  },
  {
    name: "one with the name of a key that may, by another",
    signature: bend((bytes) => Buffer.concat([bytes.subarray(0, -64), Buffer.alloc(64, 1)])),
    why: `key ${own.fingerprint} did not sign this content`,
  },
  { name: "one of PGP", signature: "-----BEGIN PGP SIGNATURE-----\nAA==\n-----END PGP SIGNATURE-----", why: "no SSH" },
  { name: "a text that is none", signature: "x", why: "no SSH" },
  { name: "one that ends early", signature: bend((bytes) => bytes.subarray(0, 40)), why: "it ends early" },
  {
    name: "one with more behind it",
    signature: bend((bytes) => Buffer.concat([bytes, Buffer.alloc(4)])),
    why: "no ssh-ed25519 signature",
  },
  {
    name: "one that was made for files",
    signature: bend((bytes) => Buffer.from(bytes.toString("latin1").replace("\u0003git", "\u0003fil"), "latin1")),
    why: "for something else than a commit",
  },
  {
    name: "one over a weaker hash",
    signature: bend((bytes) => Buffer.from(bytes.toString("latin1").replace("sha512", "sha256"), "latin1")),
    why: "not over sha512",
  },
  { name: "one of a version to come", signature: bend((bytes) => (bytes.writeUInt32BE(2, 6), bytes)), why: "version" },
];

test.each(refused)("a commit is not signed by $name", ({ signature, why }) => {
  const content = signature === undefined ? { payload } : { payload, signature };
  expect(judgeSignature(content, [own.publicKey])).toMatchObject({
    kind: "refused",
    why: expect.stringContaining(why) as string,
  });
});

test("a commit that was not read has no signer, and says why", () => {
  const verdict = judgeSignature({ payload, signature: good, unread: "it is too large" }, [own.publicKey]);
  expect(verdict).toEqual({ kind: "refused", why: "it was not read: it is too large" });
});

test("a content that differs in one byte is not what was signed", () => {
  const changed = Buffer.from(payload);
  changed[5] = 0x32;
  expect(judgeSignature({ payload: changed, signature: good }, [own.publicKey]).kind).toBe("refused");
});

test("a private key is read as ssh-keygen writes it, and says which line of meshroll.yml is its own", () => {
  const signer = createSigner(openSsh);
  expect([signer.publicKey, signer.fingerprint]).toEqual([
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINg6monzNs34JblxA2wSoovjsZyEfSfxppjAkV8PRl2k",
    "SHA256:DwuujsiCzpO2C8Io4kk+hR+P+EAXWGgj7C0KHmFkgJ4",
  ]);
  expect(judgeSignature({ payload, signature: signer.sign(payload) }, [signer.publicKey]).kind).toBe("signed");
});

const noKeys: readonly { readonly name: string; readonly text: () => string; readonly why: string }[] = [
  { name: "nothing", text: () => "", why: "no private key that can be read" },
  { name: "a public key", text: () => own.publicKey, why: "no private key that can be read" },
  { name: "a key of RSA", text: () => exportRsa(), why: "of type rsa, not ed25519" },
  {
    name: "half a key",
    text: () => openSsh.replace(/\n[^\n]*\n-----END/u, "\n-----END"),
    why: "no private key that can be read",
  },
  {
    name: "a key behind a passphrase",
    text: () => readArmored((bytes) => bytes.replace("\u0004none", "\u0004aes2")),
    why: "passphrase",
  },
  {
    name: "a damaged key",
    text: () => readArmored((bytes) => bytes.replace(/(ssh-ed25519[^]*)ssh-ed25519/u, "$1ssh-rsa9999")),
    why: "not ssh-ed25519",
  },
];

function exportRsa(): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return privateKey.export({ format: "pem", type: "pkcs8" }).toString();
}

function readArmored(change: (bytes: string) => string): string {
  const [first = "", ...lines] = openSsh.trimEnd().split("\n");
  const bytes = Buffer.from(lines.slice(0, -1).join(""), "base64").toString("latin1");
  return [first, Buffer.from(change(bytes), "latin1").toString("base64"), lines.at(-1)].join("\n");
}

test.each(noKeys)("$name is no key to sign with, and the error shows nothing of it", ({ text, why }) => {
  let message = "";
  try {
    createSigner(text());
  } catch (error) {
    message = error instanceof Error ? `${error.name} ${error.message}` : "";
  }
  expect(message).toContain(why);
  expect(message).toMatch(/^SigningKeyRefused /u);
  const body = text().split("\n")[1] ?? "none";
  expect(message).not.toContain(body.slice(0, 20));
});

function findTool(...command: readonly [string, ...string[]]): boolean {
  try {
    const [name, ...args] = command;
    execFileSync(name, args, { stdio: "ignore" });
    return true;
  } catch (error) {
    // It is there, and does not like to be called so.
    return !(error instanceof Error && "code" in error && error.code === "ENOENT");
  }
}

/** On a machine without it nothing can be compared, and no test says that it was. */
const tools = findTool("ssh-keygen", "-?") ? ["the ssh-keygen of this machine"] : [];

describe.each(tools)("with %s", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "meshroll-signing-"));
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "planner", "-f", join(folder, "key")]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("its keys are read, it verifies what we signed, and we verify what it signed", () => {
    const signer = createSigner(readFileSync(join(folder, "key"), "utf8"));
    const line = readFileSync(join(folder, "key.pub"), "utf8");
    expect(line.startsWith(signer.publicKey)).toBe(true);
    expect(execFileSync("ssh-keygen", ["-l", "-f", join(folder, "key.pub")], { encoding: "utf8" })).toContain(
      signer.fingerprint,
    );

    writeFileSync(join(folder, "allowed"), `planner@example.org ${line}`);
    writeFileSync(join(folder, "ours"), `${signer.sign(payload)}\n`);
    const named = ["-f", join(folder, "allowed"), "-I", "planner@example.org", "-n", "git", "-s", join(folder, "ours")];
    const said = execFileSync("ssh-keygen", ["-Y", "verify", ...named], { input: payload, encoding: "utf8" });
    expect(said).toContain('Good "git" signature');

    const sign = ["-q", "-Y", "sign", "-n", "git", "-f", join(folder, "key")];
    const theirs = execFileSync("ssh-keygen", sign, { input: payload, encoding: "utf8" });
    expect(judgeSignature({ payload, signature: theirs.trimEnd() }, [signer.publicKey]).kind).toBe("signed");
  });
});
