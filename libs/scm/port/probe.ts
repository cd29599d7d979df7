import type { ReviewRule } from "#libs/wording";

import type { LedgerRules } from "./ledger-rules.ts";
import type { MergeMethod } from "./merge-method.ts";

/** What an SCM says about a token, the protected branch and the ledger's branch. */
export interface ScmProbe extends LedgerRules {
  /** Absent: an App's installation has no user. */
  readonly login?: string;
  readonly mayPush: boolean;
  /** Scopes of a classic token; absent for other kinds, whose rights only a call shows. */
  readonly scopes?: readonly string[];
  /** Checks that the branch requires, by protection and rulesets; absent: this token may not read them. */
  readonly requiredChecks?: readonly RequiredCheck[];
  /** Rules about approvals that the SCM knows and the protected branch lacks, as far as this token may read them. */
  readonly missingRules: readonly ReviewRule[];
  /** Absent: this SCM says nothing about merging. */
  readonly merges?: MergeDemands;
  /** Id of the App whose installation has this token; absent: a person's token. */
  readonly app?: number;
}

export interface RequiredCheck {
  readonly name: string;
  /** Id of the only app that may post it; absent: anyone who may write. */
  readonly source?: number;
}

/** What the protected branch demands of a merge. */
export interface MergeDemands {
  /** Methods that repository and rules allow, the one that we take first; empty: we have none that is allowed. */
  readonly methods: readonly MergeMethod[];
  /**
   * Demands that no merge of ours can meet by itself, without rules that this token may bypass. `queueTestsLast`: the merge queue
   * asks for checks of the last of a group alone.
   */
  readonly stops: readonly (
    | "queueTestsLast"
    | "signatures"
    | "reviews"
    | "codeOwners"
    | "lastPush"
    | "upToDate"
    | "deployments"
  )[];
}
