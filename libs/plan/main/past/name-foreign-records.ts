import type { Decision, Snapshot } from "../../records/index.ts";

const shown = 3;

/** Files of the ledger branch that main contradicts: they are not believed, and people are told who may have written them. */
export function nameForeignRecords({ main }: Snapshot): readonly Extract<Decision, { readonly kind: "wait" }>[] {
  const { foreign = [] } = main;
  if (foreign.length === 0) return [];
  const names = foreign.slice(0, shown).join(", ");
  const more = foreign.length > shown ? ` and ${foreign.length - shown} more` : "";
  const message = `${names}${more} of branch meshroll/ledger contradict main, and main's own history counts`;
  const paths = foreign.slice(0, shown).join(" ");
  const command = `git fetch origin && git log origin/meshroll/ledger -- ${paths}`;
  const reason = { code: "LedgerForeign", message, owner: "the pusher of meshroll/ledger", command };
  return [{ kind: "wait", scope: "all", reason }];
}
