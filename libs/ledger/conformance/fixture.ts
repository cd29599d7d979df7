import type { LedgerBranch } from "../port.ts";

/** A branch for one test, and a way to read its history. */
export interface LedgerFixture {
  /** Another process's view of the same branch. */
  open(): Promise<LedgerBranch>;
  /** Commit messages, oldest first. */
  messages(): Promise<readonly string[]>;
}
