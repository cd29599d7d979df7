import type { ReviewRule } from "#libs/wording";

/** What an SCM says of a token and of the protected branch. */
export interface ScmProbe {
  /** Absent: an app's installation has no user of its own. */
  readonly login?: string;
  readonly mayPush: boolean;
  /** Scopes of a classic token; absent for the other kinds, whose rights only a call shows. */
  readonly scopes?: readonly string[];
  /** The checks that the branch requires, by protection and rulesets; absent when this token may not know. */
  readonly requiredChecks?: readonly RequiredCheck[];
  /**
   * Types of the rules that bind the ledger's branch, by rulesets and by classic protection, in the words of rulesets; absent when
   * this server says neither.
   */
  readonly ledgerRules?: readonly string[];
  /** The ledger's branch is protected in a way that this token may not read: it may be bound by more than `ledgerRules`. */
  readonly ledgerUnread?: true;
  /** Rules about approvals that the SCM has and that do not bind the protected branch, as far as this token is told. */
  readonly missingRules: readonly ReviewRule[];
  /** Absent: this SCM says nothing of it. */
  readonly merges?: MergeDemands;
  /** Id of the app whose installation this token is; absent: a person's token. */
  readonly app?: number;
}

export interface RequiredCheck {
  readonly name: string;
  /** Id of the only app from which it is taken; absent: from anyone who may write. */
  readonly source?: number;
}

/** How a merge makes the commit on the protected branch. */
export type MergeMethod = "merge" | "squash" | "rebase";

/** What the protected branch demands of a merge. */
export interface MergeDemands {
  /** Those that repository and rules allow, the one that we take first; empty: none of ours. */
  readonly methods: readonly MergeMethod[];
  /** What no merge of ours brings by itself. Rules about reviews that this token may bypass are none of them. */
  readonly stops: readonly (
    | "mergeQueue"
    | "signatures"
    | "reviews"
    | "codeOwners"
    | "lastPush"
    | "upToDate"
    | "deployments"
  )[];
}
