import { createPrivateKey, type KeyObject } from "node:crypto";

import { keyType } from "./public-key.ts";
import { readArmor, readWire, type WireReader } from "./ssh-wire.ts";

/** A text that is no private key with which the ledger can be signed. `fix` is what a person types. */
export class SigningKeyRefused extends Error {
  override readonly name = "SigningKeyRefused";
  readonly fix: string;

  constructor(why: string, fix: string) {
    super(why);
    this.fix = fix;
  }
}

const makeNew = "make one: ssh-keygen -t ed25519 -N '' -C meshroll-planner -f ledger-key";

/** What stands before the 32 bytes of the seed in the DER form of a private key. */
const derPrefix = Buffer.from("302e020100300506032b657004220420", "hex");

const magic = "openssh-key-v1\0";

/** The seed of the one key in the part that a passphrase would hide. */
function readHidden(wire: WireReader): Buffer {
  const [first, second] = [wire.number(), wire.number()];
  const type = wire.string().toString("latin1");
  if (first !== second) throw new SigningKeyRefused("the key is damaged", makeNew);
  if (type !== keyType) throw new SigningKeyRefused(`the key is of type ${type}, not ${keyType}`, makeNew);
  wire.string();
  return wire.string().subarray(0, 32);
}

/** The format that ssh-keygen writes. */
function openSshKey(data: Buffer): KeyObject {
  const wire = readWire(data);
  if (wire.bytes(magic.length).toString("latin1") !== magic)
    throw new SigningKeyRefused("it is no private key of OpenSSH", makeNew);
  const cipher = wire.string().toString("latin1");
  if (cipher !== "none") {
    const fix = "take the passphrase away, for no one types it when a process starts: ssh-keygen -p -N '' -f FILE";
    throw new SigningKeyRefused("the key has a passphrase", fix);
  }
  // The key derivation and its options, which are empty; then how many keys there are, and the public one.
  wire.string();
  wire.string();
  if (wire.number() !== 1) throw new SigningKeyRefused("the file holds more than one key", makeNew);
  wire.string();
  const seed = readHidden(readWire(wire.string()));
  return createPrivateKey({ key: Buffer.concat([derPrefix, seed]), format: "der", type: "pkcs8" });
}

function open(text: string): KeyObject {
  const data = readArmor(text, "OPENSSH PRIVATE KEY");
  return data === undefined ? createPrivateKey(text) : openSshKey(data);
}

/** Reads a private key, of OpenSSH or PKCS8 in PEM, without a passphrase. Throws `SigningKeyRefused`; no message holds a part of it. */
export function openPrivateKey(text: string): KeyObject {
  let key: KeyObject;
  try {
    key = open(text);
  } catch (error) {
    if (error instanceof SigningKeyRefused) throw error;
    throw new SigningKeyRefused("it is no private key that can be read: an OpenSSH or PKCS8 PEM file is", makeNew);
  }
  if (key.asymmetricKeyType === "ed25519") return key;
  throw new SigningKeyRefused(`the key is of type ${key.asymmetricKeyType ?? "unknown"}, not ed25519`, makeNew);
}
