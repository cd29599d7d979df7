import type { Event } from "#libs/events";
import type { LedgerEntry, LedgerState } from "#libs/plan";

import type { LedgerUnreadable } from "./records/records.ts";

/** What the ledger needs of the repository; `libs/git` implements it. A branch of files that is only pushed fast-forward. */
export interface LedgerBranch {
  /** All files at or below these paths; `text` is absent for files that are `known`. */
  readTree(
    commit: string,
    paths: readonly string[],
    known?: (file: { readonly path: string; readonly id: string }) => boolean,
  ): Promise<readonly { readonly path: string; readonly id: string; readonly text?: string }[]>;
  commitAndPush(draft: {
    readonly branch: string;
    readonly onto?: string;
    readonly files: Readonly<Record<string, string | null>>;
    readonly message: string;
    readonly author: { readonly name: string; readonly email: string };
  }): Promise<{ readonly kind: "pushed"; readonly sha: string } | { readonly kind: "rejected"; readonly why: string }>;
}

/** Files to write over a commit that cannot be read. */
export interface Repair {
  /** Path -> content; null removes. */
  readonly files: Readonly<Record<string, string | null>>;
  /** True: all of the live part is set back to the older commit, because the readable files alone make no ledger. */
  readonly isWhole: boolean;
}

/** `rejected`: the branch moved meanwhile. */
export type RepairOutcome =
  | { readonly kind: "pushed"; readonly sha: string }
  | { readonly kind: "rejected"; readonly why: string };

export type RecordOutcome =
  | { readonly kind: "recorded"; readonly state: LedgerState }
  /** Another planner was first: fetch, gather and decide again. */
  | { readonly kind: "overtaken"; readonly why: string };

/** The recorded decisions, one commit for each transition; a push is a compare-and-swap. */
export interface Ledger {
  /**
   * Reads the live part of a commit's tree; archived records come as facts. Throws `LedgerUnreadable` when a file of it is not
   * what we write.
   */
  load(commit: string): Promise<LedgerState>;
  /**
   * Pushes the transition on top of `previous` (absent: the first record, by `meshroll init`), with the events for people in
   * the same commit. Reads it back first and throws `LedgerUnreadable`, without a push, when another process could not. Texts
   * for people are cleaned and cut as they will be read.
   */
  record(entry: LedgerEntry, previous: LedgerState | undefined, events?: readonly Event[]): Promise<RecordOutcome>;
  /**
   * The state with these runs and the stops on them read whole from the archive; a missing or malformed record becomes
   * `unreadable`. Live and unknown runs change nothing.
   */
  recall(state: LedgerState, runs: readonly string[]): Promise<LedgerState>;
  /** Why `load` cannot read a commit, each fault with file and field; empty where it can. */
  inspect(commit: string): Promise<readonly LedgerUnreadable[]>;
  /** Files that make an unreadable commit readable, taken from an older readable one. Changes nothing. */
  planRepair(head: string, good: string): Promise<Repair>;
  /** Pushes that repair on top of `head`; `by` names the person. */
  repair(head: string, repair: Repair, by: string, at: number): Promise<RepairOutcome>;
}
