import { cleanLine } from "#libs/input";

import type { LedgerBranch, SignerFound } from "../port.ts";
import { judgeSignature } from "../signing/judge-signature.ts";

/** The name in the header `author`: for people alone. */
function readAuthor(payload: Uint8Array): string {
  const text = Buffer.from(payload).toString("utf8");
  const [headers = ""] = text.split("\n\n", 1);
  return cleanLine(/^author (.*?) </mu.exec(headers)?.[1] ?? "unknown", 100);
}

/** See `Ledger.judgeSigner`. */
export async function findSigner(
  branch: Pick<LedgerBranch, "readSignature">,
  commit: string,
  signers: readonly string[],
): Promise<SignerFound> {
  const content = await branch.readSignature(commit);
  return { ...judgeSignature(content, signers), author: readAuthor(content.payload) };
}
