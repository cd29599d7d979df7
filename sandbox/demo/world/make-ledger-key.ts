import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { createSigner } from "#libs/ledger";

/** A key for this demo alone, in its folder, and the lines of `meshroll.yml` that name it. */
export function makeLedgerKey(folder: string): { readonly path: string; readonly signers: string } {
  const { privateKey } = generateKeyPairSync("ed25519");
  const text = privateKey.export({ format: "pem", type: "pkcs8" }).toString();
  const path = join(folder, "ledger-key");
  writeFileSync(path, text, { mode: 0o600 });
  return { path, signers: `ledger:\n  signers:\n    - ${createSigner(text).publicKey} demo\n` };
}
