import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import { parse } from "yaml";

import { dig } from "../../reading/files/dig.ts";

/** Reads `ledger.signers` of a `meshroll.yml`: keys in base64; undefined for a file that is no YAML. */
export function readSigners(settings: string | undefined): readonly string[] | undefined {
  try {
    const listed = dig(parse(settings ?? "") as unknown, "ledger", "signers");
    return Array.isArray(listed) ? listed.map((line) => String(line).split(" ")[1] ?? "") : [];
  } catch {
    return undefined;
  }
}

/** The fields of SSH's wire format, as many as there are. */
function cut(bytes: Buffer): readonly Buffer[] {
  const fields: Buffer[] = [];
  for (let at = 0; at + 4 <= bytes.length;) {
    const end = at + 4 + bytes.readUInt32BE(at);
    fields.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return fields;
}

function join(...fields: readonly (Buffer | string)[]): Buffer {
  return Buffer.concat(
    fields.flatMap((field) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(Buffer.byteLength(field));
      return [length, Buffer.from(field)];
    }),
  );
}

function openKey(key: Buffer): KeyObject {
  const x = cut(key)[1]?.toString("base64url") ?? "";
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}

/** What was signed for commits over SHA-512, as PROTOCOL.sshsig has it; a signature for something else fits it not. */
function makeSigned(payload: Buffer): Buffer {
  const digest = createHash("sha512").update(payload).digest();
  return Buffer.concat([Buffer.from("SSHSIG"), join("git", "", "sha512", digest)]);
}

function isGood(payload: Buffer, signature: Buffer, signers: readonly string[]): boolean {
  const [key, , , , inner] = cut(signature.subarray(10));
  if (key === undefined || inner === undefined || !signers.includes(key.toString("base64"))) return false;
  return verify(null, makeSigned(payload), openKey(key), cut(inner)[1] ?? Buffer.alloc(0));
}

/** Whether one of these keys signed a commit, as git keeps it. */
export function isSigned(raw: Buffer, signers: readonly string[]): boolean {
  const text = raw.toString("latin1");
  const [header = ""] = /^gpgsig .*\n(?: .*\n)*/mu.exec(text.slice(0, text.indexOf("\n\n") + 1)) ?? [];
  const body = header
    .replace(/^gpgsig /u, "")
    .replace(/\n /gu, "")
    .replace(/-----(?:BEGIN|END) SSH SIGNATURE-----/gu, "");
  const payload = Buffer.from(text.replace(header, ""), "latin1");
  return header !== "" && isGood(payload, Buffer.from(body, "base64"), signers);
}
