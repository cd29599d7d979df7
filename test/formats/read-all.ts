import { createFakeLedgerBranch } from "#fakes/ledger";
import { ledgerBranch, type LedgerBranch, openLedger } from "#libs/ledger";

import { readFixture } from "./fixture.ts";
import { readRecord } from "./read-record.ts";

/** A branch whose only commit has these files. */
export async function plantLedger(
  files: Readonly<Record<string, string>>,
): Promise<{ readonly branch: LedgerBranch; readonly head: string }> {
  const branch = createFakeLedgerBranch();
  const author = { name: "fixture", email: "fixture@localhost" };
  const pushed = await branch.commitAndPush({ branch: ledgerBranch, files, message: "fixture", author });
  if (pushed.kind === "rejected") throw new Error(pushed.why);
  return { branch, head: pushed.sha };
}

/** A ledger with all that its archive has. */
async function readLedger(files: Readonly<Record<string, string>>): Promise<unknown> {
  const { branch, head } = await plantLedger(files);
  const ledger = openLedger(branch);
  const state = await ledger.load(head);
  const { head: _, ...whole } = await ledger.recall(state, Object.keys(state.runs));
  return whole;
}

/** What the readers of this build make of all that was recorded in a version, as JSON. */
export async function readAll(version: number): Promise<unknown> {
  const { records, ledger } = readFixture(version);
  const read = Object.entries(records).map(([kind, caught]) => [kind, readRecord(kind, caught)] as const);
  return JSON.parse(JSON.stringify({ records: Object.fromEntries(read), ledger: await readLedger(ledger) }));
}
