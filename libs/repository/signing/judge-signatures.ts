import type { RolloutsRepository } from "#libs/git";
import type { Ledger } from "#libs/ledger";
import type { LedgerDoubt } from "#libs/plan";

import { readSigners } from "./read-signers.ts";

/**
 * Whether the ledger's newest commit was written by one who may. Only that one is requested: its signature is over all files and
 * over the commit before it, and no holder of a key builds on a commit that is not signed (docs/adr/0030-the-ledger-is-signed.md).
 */
export interface SignatureJudge {
  /** Undefined where it was, or where main names no signer. */
  judgeTip(commit: string, main: string): Promise<LedgerDoubt | undefined>;
  /** Why this process, which is to record in the ledger, cannot. */
  judgeOwn(main: string): Promise<LedgerDoubt | undefined>;
}

type Git = Pick<RolloutsRepository, "read" | "readChanges">;

/** An answer about objects that never change: the last one is kept, and asked for at every reconcile. */
function rememberLast<T>(
  request: (...keys: readonly string[]) => Promise<T>,
): (...keys: readonly string[]) => Promise<T> {
  let last: { readonly key: string; readonly answer: T } | undefined;
  return async (...keys) => {
    const key = keys.join(" ");
    if (last?.key === key) return last.answer;
    const answer = await request(...keys);
    last = { key, answer };
    return answer;
  };
}

export function createSignatureJudge(repository: Git, ledger: Pick<Ledger, "judgeSigner" | "signer">): SignatureJudge {
  const signersAt = rememberLast(async (main = "") => readSigners(repository, main));
  const signerOf = rememberLast(async (commit = "", ...signers) => ledger.judgeSigner(commit, signers));
  const { signer } = ledger;

  return {
    async judgeTip(commit, main) {
      const signers = await signersAt(main);
      if (signers.length === 0) return undefined;
      const found = await signerOf(commit, ...signers);
      return found.kind === "signed" ? undefined : { kind: "unsigned", commit, author: found.author, why: found.why };
    },
    async judgeOwn(main) {
      const signers = await signersAt(main);
      if (signers.length === 0 || signers.includes(signer?.publicKey ?? "")) return undefined;
      if (signer === undefined) return { kind: "cannotSign" };
      const { fingerprint, publicKey } = signer;
      return { kind: "cannotSign", key: { fingerprint, publicKey } };
    },
  };
}
