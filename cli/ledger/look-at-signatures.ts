import type { Commit, RolloutsRepository } from "#libs/git";
import type { Ledger, Repair } from "#libs/ledger";
import type { LedgerDoubt } from "#libs/plan";

/** A newest commit that no signer signed, and what stands below it. */
export interface Unsigned {
  readonly doubt: LedgerDoubt;
  /** Those after the newest that is signed, the newest first; the newest few where none of those looked at is. */
  readonly commits: readonly Commit[];
  readonly signed?: Commit;
  /** What puts all files back to the signed one; absent where it cannot be read. */
  readonly repair?: Repair;
}

/** More commits than are pushed to a branch that no process reads any more. */
const mostReconciled = 500;

/** Of those that are shown, where none is signed. */
const mostShown = 10;

async function planRollback(ledger: Ledger, good: string): Promise<Repair | undefined> {
  const { LedgerUnreadable } = await import("#libs/ledger");
  try {
    return await ledger.planRollback(good);
  } catch (error) {
    if (error instanceof LedgerUnreadable) return undefined;
    throw error;
  }
}

/** Finds the newest commit below `head` that one of these keys signed. */
export async function lookAtSignatures(
  repository: Pick<RolloutsRepository, "firstParents">,
  ledger: Ledger,
  { doubt, head, signers }: { readonly doubt: LedgerDoubt; readonly head: string; readonly signers: readonly string[] },
): Promise<Unsigned> {
  const newest = (await repository.firstParents(undefined, head)).toReversed().slice(0, mostReconciled);
  const commits: Commit[] = [];
  for (const commit of newest) {
    if ((await ledger.judgeSigner(commit.sha, signers)).kind === "signed") {
      const repair = await planRollback(ledger, commit.sha);
      return { doubt, commits, signed: commit, ...(repair === undefined ? {} : { repair }) };
    }
    commits.push(commit);
  }
  return { doubt, commits: commits.slice(0, mostShown) };
}
