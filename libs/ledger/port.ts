import type { Event } from "#libs/events";
import type { LedgerEntry, LedgerState } from "#libs/plan";

import type { LedgerUnreadable } from "./records/records.ts";

/** What the ledger needs of the repository; `libs/git` offers it. A branch of files, pushed fast-forward only. */
export interface LedgerBranch {
  /** All files that are one of these paths or stand below one; `text` is absent where the file is `known`. */
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
  /** All of the live part is set back to the older commit: without what cannot be read the rest makes no ledger. */
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

/** The decisions of the past, one commit per transition; a push is a compare-and-swap (architecture §2). */
export interface Ledger {
  /**
   * Reads the live part of a ledger commit's tree: records of the archive come as facts. Throws `LedgerUnreadable` when a file
   * in it is not what we write.
   */
  load(commit: string): Promise<LedgerState>;
  /**
   * Reads the transition back, and throws `LedgerUnreadable` without a push when another process could not. Texts for people are
   * written as they will be read: cleaned and cut. Pushes it on top of `previous` (absent: the first record ever, by
   * `meshroll init`). `events`: what people are told of it; they are in the same commit.
   */
  record(entry: LedgerEntry, previous: LedgerState | undefined, events?: readonly Event[]): Promise<RecordOutcome>;
  /**
   * The state with these runs and the stops on them read whole from its archive; one that is missing there, or is not what we
   * write, is `unreadable`. A run that is live, or unknown, changes nothing.
   */
  recall(state: LedgerState, runs: readonly string[]): Promise<LedgerState>;
  /** What keeps `load` from reading a commit, each with file and field; none where it reads. */
  inspect(commit: string): Promise<readonly LedgerUnreadable[]>;
  /** What makes a commit that cannot be read one that can, by an older one that can. Changes nothing. */
  planRepair(head: string, good: string): Promise<Repair>;
  /** Pushes that on top of `head`; `by` names the person. */
  repair(head: string, repair: Repair, by: string, at: number): Promise<RepairOutcome>;
}
