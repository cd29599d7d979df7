import type { Decision, Snapshot } from "../../records/index.ts";

/** Files of the ledger branch that main contradicts: they do not count, and people are told who may have written them. */
export function nameForeignRecords({ main }: Snapshot): readonly Extract<Decision, { readonly kind: "wait" }>[] {
  const { foreign = [] } = main;
  return foreign.length === 0
    ? []
    : [{ kind: "wait", scope: "all", reason: { code: "LedgerForeign", files: foreign } }];
}
