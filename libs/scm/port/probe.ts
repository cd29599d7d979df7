import type { ReviewRule } from "#libs/wording";

import type { LedgerRules } from "./ledger-rules.ts";

/** What an SCM says of a token, of the protected branch and of the ledger's. */
export interface ScmProbe extends LedgerRules {
  /** Absent: an app's installation has no user of its own. */
  readonly login?: string;
  readonly mayPush: boolean;
  /** Scopes of a classic token; absent for the other kinds, whose rights only a call shows. */
  readonly scopes?: readonly string[];
  /** The checks that the branch requires, by protection and rulesets; absent when this token may not know. */
  readonly requiredChecks?: readonly RequiredCheck[];
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
