import type { Heads, RolloutsRepository } from "#libs/git";
import type { Ledger } from "#libs/ledger";
import type { LedgerState } from "#libs/plan";

/** The ledger as every process uses it: not its newest commit where that is in doubt. Undefined where there is none. */
export async function readLedgerInUse(
  repository: RolloutsRepository,
  ledger: Ledger,
  { ledger: head }: Pick<Heads, "ledger">,
): Promise<LedgerState | undefined> {
  const { createLedgerSelection } = await import("#libs/repository");
  const { state, doubt } = await createLedgerSelection(repository, ledger).judge(head);
  // An unreadable one is reported with file and field.
  if (head !== undefined && doubt?.kind === "unreadable") return ledger.load(head);
  return state;
}
