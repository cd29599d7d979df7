import type { CompiledSpec } from "../../main/index.ts";
import type { Snapshot } from "../../records/index.ts";

/** The facts about a pull request that its checks depend on. */
export interface PullRequestFacts {
  readonly number: number;
  readonly author: string;
  readonly headSha: string;
  readonly branch?: string;
  /** The branch is in a fork, so its name means nothing. */
  readonly fork?: true;
}

/** A commit of a pull request, with the accounts that the SCM finds for its addresses. */
export interface CommitFacts {
  readonly sha: string;
  /** Logins; absent: no account was found. */
  readonly author?: string;
  readonly committer?: string;
}

export interface ReviewFacts {
  readonly author: string;
  readonly state: "approved" | "changesRequested" | "commented" | "dismissed";
  /** The head that was reviewed. */
  readonly commit: string;
  /** Epoch ms, by the SCM's clock; 0 = unknown. */
  readonly at: number;
  /** The first line of the review's text. */
  readonly line?: string;
  /** A machine's account. */
  readonly bot?: true;
}

/** What an account may do in the repository now; `unknown`: the SCM did not say. */
export type PermissionFact = "admin" | "write" | "read" | "none" | "unknown";

/** Main's files after the merge. */
export type MergedFiles =
  /** The merge changes nothing that meshroll reads, so it is not judged. */
  | { readonly kind: "untouched" }
  | { readonly kind: "conflict"; readonly paths: readonly string[] }
  | {
      readonly kind: "files";
      readonly compiled: CompiledSpec;
      /** Texts by path, for the lines that findings show. */
      readonly texts: Readonly<Record<string, string>>;
      /** Changed paths under `campaigns/`. */
      readonly campaigns: readonly string[];
      /** All changed paths, also ones that meshroll does not read; a changed folder may stand for its contents. */
      readonly changed: readonly string[];
    };

/** The purpose of a pull request of ours: a requested rollback, or the next stage of one of main's campaigns. */
export type Origin = "rollback" | "stage";

/** What the merge of the same head did on an earlier main, when people approved it. */
export interface EarlierMerge {
  /** Times of these approvals, epoch ms. */
  readonly approvedAt: readonly number[];
  /** Main's files at that time. */
  readonly main: CompiledSpec;
  readonly merged: MergedFiles;
}

/** All facts that the two checks of a pull request depend on. */
export interface PullRequestQuestion {
  readonly pull: PullRequestFacts;
  /**
   * meshroll opened it for this purpose and made all of it; absent: people took part, or it is a rollback that needs approvals
   * all the same.
   */
  readonly own?: Origin;
  /** Oldest first. */
  readonly reviews: readonly ReviewFacts[];
  /** By login in lower case; absent = unknown, which counts as no right. */
  readonly permissions?: ReadonlyMap<string, PermissionFact>;
  /** Its commits. Without a list, or without the head in it, one more approval is needed. */
  readonly commits?: readonly CommitFacts[];
  readonly merged: MergedFiles;
  /** For approvals that were given on an earlier main; any other approval was given on the present one. */
  readonly earlier?: readonly EarlierMerge[];
  readonly snapshot: Snapshot;
  /** Members by the slug of a team that a rule names; undefined or absent = unknown. */
  readonly teams?: ReadonlyMap<string, readonly string[] | undefined>;
  /** A short name for a long list, the same for the same text. */
  readonly digest: (text: string) => string;
}
