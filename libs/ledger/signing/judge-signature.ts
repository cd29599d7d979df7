import { verify } from "node:crypto";

import { keyType, openPublicKey, printFingerprint, printPublicKey } from "./public-key.ts";
import { armorName, hashAlgorithm, namespace, printSigned } from "./signer.ts";
import { readArmor, readWire, type WireReader } from "./ssh-wire.ts";

/** A commit without its signature, and that. */
export interface SignedContent {
  /** All bytes of the commit but its header `gpgsig`. */
  readonly payload: Uint8Array;
  /** Absent where there is none, or where more than one stands. */
  readonly signature?: string;
  /** Why the commit was not read. */
  readonly unread?: string;
}

/** `why` continues "the commit is not signed by …" in brackets; `by` is a fingerprint. */
export type SignatureVerdict =
  | { readonly kind: "signed"; readonly by: string }
  | { readonly kind: "refused"; readonly why: string; readonly by?: string };

interface Parts {
  readonly blob: Buffer;
  readonly signature: Buffer;
}

/** What it was made for, and how; throws where that is nothing which we take. */
function requireUse(wire: WireReader): void {
  const [space, reserved, hash] = [wire.string(), wire.string(), wire.string()].map((each) => each.toString("latin1"));
  if (space !== namespace || reserved !== "") throw new Error("it was made for something else than a commit");
  if (hash !== hashAlgorithm) throw new Error(`it is not over ${hashAlgorithm}`);
}

/** The 64 bytes of the signature itself. */
function readInner(data: Buffer): Buffer {
  const wire = readWire(data);
  const [type, signature] = [wire.string().toString("latin1"), wire.string()];
  if (type !== keyType || signature.length !== 64 || wire.left > 0) throw new Error(`it is no ${keyType} signature`);
  return signature;
}

/** Throws where it has another form than `LedgerSigner.sign` and ssh-keygen give it. */
function readParts(armored: string): Parts {
  const data = readArmor(armored, armorName);
  if (data === undefined) throw new Error("it is no SSH signature");
  const wire = readWire(data);
  if (wire.bytes(6).toString("latin1") !== "SSHSIG" || wire.number() !== 1) throw new Error("it is of another version");
  const blob = wire.string();
  requireUse(wire);
  const signature = readInner(wire.string());
  if (wire.left > 0) throw new Error(`it is no ${keyType} signature`);
  return { blob, signature };
}

function readOrRefuse(armored: string): Parts | string {
  try {
    return readParts(armored);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Whether one of these keys, each `ssh-ed25519 AAAA…`, signed exactly this content. */
export function judgeSignature(
  { payload, signature, unread }: SignedContent,
  signers: readonly string[],
): SignatureVerdict {
  if (unread !== undefined) return { kind: "refused", why: `it was not read: ${unread}` };
  if (signature === undefined) return { kind: "refused", why: "it has no signature" };
  const parts = readOrRefuse(signature);
  if (typeof parts === "string") return { kind: "refused", why: `its signature cannot be read: ${parts}` };
  const by = printFingerprint(parts.blob);
  if (!signers.includes(printPublicKey(parts.blob)))
    return { kind: "refused", why: `its signature is of key ${by}, which is none of them`, by };
  if (!verify(null, printSigned(payload), openPublicKey(parts.blob), parts.signature))
    return { kind: "refused", why: `key ${by} did not sign this content`, by };
  return { kind: "signed", by };
}
