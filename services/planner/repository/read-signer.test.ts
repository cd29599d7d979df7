import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ConfigProblems, redactSecrets } from "#libs/runtime";
import { expect, onTestFinished, test } from "vitest";

import { readSigner } from "./read-signer.ts";

function write(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "meshroll-signer-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "ledger-key");
  writeFileSync(path, text);
  return path;
}

const make = (): string =>
  generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }).toString();

test("a planner without a file for its key has none", () => {
  expect(readSigner(undefined)).toBeUndefined();
});

test("a planner signs with the key in its file, and shows its text nowhere from then on", () => {
  const text = make();
  expect(readSigner(write(text))?.fingerprint).toMatch(/^SHA256:/u);
  expect(redactSecrets(`the key is ${text}`)).not.toContain(text.split("\n")[1]);
});

const wrong = [
  { name: "is empty", text: "", why: "no private key that can be read" },
  { name: "holds a placeholder", text: "replace-me", why: "no private key that can be read" },
  { name: "holds the public key", text: `ssh-ed25519 ${"A".repeat(68)}`, why: "no private key that can be read" },
];
test.each(wrong)("a planner whose key's file $name does not start, and says what makes a key", ({ text, why }) => {
  const read = (): unknown => readSigner(write(text));
  expect(read).toThrow(ConfigProblems);
  expect(read).toThrow(new RegExp(`MESHROLL_LEDGER_KEY_FILE: .*${why}.*ssh-keygen -t ed25519`, "u"));
});
