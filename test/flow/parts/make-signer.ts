import { generateKeyPairSync } from "node:crypto";

import { createSigner, type LedgerSigner } from "#libs/ledger";

/** A key of its own. */
export function makeSigner(): LedgerSigner {
  const { privateKey } = generateKeyPairSync("ed25519");
  return createSigner(privateKey.export({ format: "pem", type: "pkcs8" }).toString());
}

/** Lines of `meshroll.yml` that name these keys. */
export function nameSigners(...signers: readonly LedgerSigner[]): string {
  return `ledger:\n  signers:\n${signers.map(({ publicKey }) => `    - ${publicKey} planner\n`).join("")}`;
}
