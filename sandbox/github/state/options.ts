import type { GithubApp, Permissions } from "./app.ts";

/**
 * An account with a token. Every account may write unless `mayWrite` is false; only an admin may push to a protected branch.
 */
export interface GithubUser {
  readonly login: string;
  readonly token: string;
  readonly admin?: boolean;
  readonly type?: "User" | "Bot";
  /** What GitHub shows next to reviews and comments; default `MEMBER`. */
  readonly association?: "MEMBER" | "CONTRIBUTOR" | "NONE";
  /** False: may only read and review, as everyone may in a public repository; default true. */
  readonly mayWrite?: boolean;
  /** False: a personal token, which may not write check runs; default true, as an app's. */
  readonly mayWriteChecks?: boolean;
  /** The permissions of an App's token. */
  readonly permissions?: Permissions;
}

/** What classic protection of the ledger's branch allows. */
export interface LedgerProtection {
  readonly forcePushes: boolean;
  readonly deletions: boolean;
  /** Only accounts that it names may push. */
  readonly restricted: boolean;
}

/** A rule of a ruleset, in GitHub's words. */
export interface BranchRule {
  readonly type: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** Rules of the default branch. */
export interface Protection {
  readonly requiredChecks: readonly string[];
  /** Login of the only app whose checks count; absent = anyone's count. */
  readonly checkSource?: string;
  readonly requiredReviews: number;
  /** Types of the ruleset rules of branch `meshroll/ledger`; absent = those that doctor demands. */
  readonly ledgerRules?: readonly string[];
  /** Classic protection of the ledger's branch; absent = none. */
  readonly ledgerProtection?: LedgerProtection;
  /** Ruleset rules of the default branch; absent = none. */
  readonly rules?: readonly BranchRule[];
  /** Logins that may bypass these rules for pull requests. */
  readonly bypass?: readonly string[];
  /** True: a pull request may be put at the front of the merge queue. */
  readonly mayJumpQueue?: boolean;
  /** True: branches must be up to date, by classic protection. */
  readonly strict?: boolean;
  /** True: nothing can be merged. */
  readonly locked?: boolean;
  /** Logins that CODEOWNERS names for every file. */
  readonly codeOwners?: readonly string[];
  /** Unresolved conversations of each pull request; default none. */
  readonly openThreads?: number;
  /** True: only approvals of the current head count. */
  readonly dismissStale?: boolean;
}

export interface WebhookTarget {
  readonly url: string;
  readonly secret: string;
}

export type MergeMethod = "merge" | "squash" | "rebase";

/** One answer that was sent; tests check it against GitHub's own description. */
export interface Exchange {
  readonly method: string;
  /** As requested, with its query. */
  readonly path: string;
  /** GitHub's name of the operation, `GET /repos/{owner}/{repo}`; absent for git and unknown paths. */
  readonly route?: string;
  readonly login?: string;
  readonly status: number;
  readonly body?: unknown;
  /** When the request arrived, by `performance.now()`; it is recorded when it is answered, which may be much later. */
  readonly receivedAt?: number;
}

export interface GithubOptions {
  /** The folder of `<owner>/<repo>.git`, which is created if it does not exist. */
  readonly folder: string;
  /** Default: any free one. Always on 127.0.0.1. */
  readonly port?: number;
  readonly owner: string;
  readonly repo: string;
  readonly users: readonly GithubUser[];
  /** Teams of the organisation `owner`: logins by slug. */
  readonly teams?: Readonly<Record<string, readonly string[]>>;
  readonly protection: Protection;
  /** Called at each request: true once the repository was renamed. Then every old address redirects to the new one. */
  readonly isMoved?: () => boolean;
  /** A GitHub App that is installed here; it is not among `users`. */
  readonly app?: GithubApp;
  readonly webhooks?: readonly WebhookTarget[];
  /** First commit of the default branch, where the repository has none yet. */
  readonly files?: Readonly<Record<string, string>>;
  readonly mergeMethods?: readonly MergeMethod[];
  /** More requests in an hour are refused; default: none are, and the answers show GitHub's 5,000. */
  readonly requestsPerHour?: number;
  /** Whether the first read of a new head or base says if it can be merged; default `late`: it does not, as on GitHub. */
  readonly mergeability?: "late" | "now";
  /** Most entries of a page; default 100. */
  readonly pageSize?: number;
  /** Epoch ms; default the machine's time. */
  readonly clock?: () => number;
  readonly onExchange?: (exchange: Exchange) => void;
}
