import { createHash, createPublicKey, type KeyObject } from "node:crypto";

import { readWire, writeString } from "./ssh-wire.ts";

export const keyType = "ssh-ed25519";

/** What stands before the 32 bytes of a public key in its DER form. */
const derPrefix = Buffer.from("302a300506032b6570032100", "hex");

/** The 32 bytes as SSH writes them. */
export function printBlob(key: Uint8Array): Buffer {
  return Buffer.concat([writeString(keyType), writeString(key)]);
}

/** `ssh-ed25519 AAAA…`, as it is in `ledger.signers`. */
export function printPublicKey(blob: Buffer): string {
  return `${keyType} ${blob.toString("base64")}`;
}

/** `SHA256:…`, as `ssh-keygen -l` and `git log --show-signature` name a key. */
export function printFingerprint(blob: Buffer): string {
  return `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/u, "")}`;
}

/** Throws where the bytes are no ed25519 key. */
export function openPublicKey(blob: Buffer): KeyObject {
  const wire = readWire(blob);
  const [type, key] = [wire.string().toString("latin1"), wire.string()];
  if (type !== keyType || key.length !== 32 || wire.left > 0) throw new Error(`it is no ${keyType} key`);
  return createPublicKey({ key: Buffer.concat([derPrefix, key]), format: "der", type: "spki" });
}
