export { type KnownLedger, parseKnownLedger, printKnownLedger } from "./records/known-note.ts";
export { listRecordedEvents } from "./files/recorded-events.ts";
export { LedgerUnreadable } from "./records/records.ts";
/** @internal For tests that write or read the branch without the ledger. */
export { ledgerBranch } from "./branch/git-branch.ts";
/** @internal */
export { printEvents } from "./files/recorded-events.ts";
export { openLedger } from "./branch/git-branch.ts";
export type { Ledger, LedgerBranch, RecordOutcome, Repair, RepairOutcome } from "./port.ts";
