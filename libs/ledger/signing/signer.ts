import { createHash, createPublicKey, sign } from "node:crypto";

import { openPrivateKey } from "./private-key.ts";
import { keyType, printBlob, printFingerprint, printPublicKey } from "./public-key.ts";
import { writeArmor, writeString } from "./ssh-wire.ts";

/** What a key proves is said with the bytes: a signature for a login or a file is none for a commit. */
export const namespace = "git";
export const hashAlgorithm = "sha512";
export const armorName = "SSH SIGNATURE";

/** The bytes that are signed in place of the payload (PROTOCOL.sshsig of OpenSSH). */
export function printSigned(payload: Uint8Array): Buffer {
  const hash = createHash(hashAlgorithm).update(payload).digest();
  const parts = [namespace, "", hashAlgorithm].map(writeString);
  return Buffer.concat([Buffer.from("SSHSIG"), ...parts, writeString(hash)]);
}

/** Signs commits of the ledger's branch. */
export interface LedgerSigner {
  /** As `ledger.signers` has it: `ssh-ed25519 AAAA…`. */
  readonly publicKey: string;
  /** `SHA256:…` */
  readonly fingerprint: string;
  /** The text for the header `gpgsig` of a commit, from its other bytes; git and ssh-keygen verify it. */
  readonly sign: (payload: Uint8Array) => string;
}

/** From the text of a private key's file. Throws `SigningKeyRefused`. */
export function createSigner(text: string): LedgerSigner {
  const key = openPrivateKey(text);
  const raw = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-32);
  const blob = printBlob(raw);
  const version = Buffer.from([0, 0, 0, 1]);
  const head = [Buffer.from("SSHSIG"), version, writeString(blob)];
  return {
    publicKey: printPublicKey(blob),
    fingerprint: printFingerprint(blob),
    sign(payload) {
      const signature = Buffer.concat([keyType, sign(null, printSigned(payload), key)].map(writeString));
      const names = [namespace, "", hashAlgorithm].map(writeString);
      return writeArmor(Buffer.concat([...head, ...names, writeString(signature)]), armorName);
    },
  };
}
