import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { Signature } from "@tufjs/models";

/**
 * The roles of The Update Framework: root names the keys of the others, targets lists artifacts, snapshot and timestamp say
 * which versions are newest.
 */
export const roles = ["root", "targets", "snapshot", "timestamp"] as const;
export type Role = (typeof roles)[number];

/** A key that signs, Ed25519. */
export interface Signer {
  readonly keyId: string;
  /** As in the metadata. */
  readonly key: {
    readonly keytype: "ed25519";
    readonly keyval: { readonly public: string };
    readonly scheme: "ed25519";
  };
  sign(data: Buffer): Signature;
}

export type Signers = Readonly<Record<Role, readonly Signer[]>>;

function makeSigner(privateKey: KeyObject): Signer {
  // The last 32 bytes of an Ed25519 key in DER are the key itself.
  const raw = createPublicKey(privateKey).export({ format: "der", type: "spki" }).subarray(-32).toString("hex");
  const key = { keytype: "ed25519", keyval: { public: raw }, scheme: "ed25519" } as const;
  const keyId = createHash("sha256").update(JSON.stringify(key)).digest("hex");
  return {
    keyId,
    key,
    sign: (data) => new Signature({ keyID: keyId, sig: sign(null, data, privateKey).toString("hex") }),
  };
}

/** A key file is not Ed25519, or cannot be read. */
export class KeyUnusable extends Error {
  override readonly name = "KeyUnusable";
}

function readSigner(path: string): Signer {
  let key: KeyObject;
  try {
    key = createPrivateKey(readFileSync(path));
  } catch (error) {
    throw new KeyUnusable(`${path} holds no private key in PEM form without a passphrase`, { cause: error });
  }
  if (key.asymmetricKeyType !== "ed25519")
    throw new KeyUnusable(`${path} is ${key.asymmetricKeyType ?? "another kind of"} key: Ed25519 is needed`);
  return makeSigner(key);
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted((a, b) => (a < b ? -1 : 1));
  } catch (error) {
    throw new KeyUnusable(`${folder} is not a folder with keys`, { cause: error });
  }
}

/** The keys of a folder: `targets.pem`, or several as `root-1.pem` and `root-2.pem`. A role without a file has none. */
export function readSigners(folder: string): Signers {
  const files = listFiles(folder);
  const find = (role: Role): readonly Signer[] =>
    files
      .filter((file) => file === `${role}.pem` || (file.startsWith(`${role}-`) && file.endsWith(".pem")))
      .map((file) => readSigner(join(folder, file)));
  return { root: find("root"), targets: find("targets"), snapshot: find("snapshot"), timestamp: find("timestamp") };
}

/** A new private key as PEM. */
export function makeKey(): string {
  return generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }).toString();
}
