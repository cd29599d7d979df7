import type { CompiledSpec } from "../../main/index.ts";
import type { Snapshot } from "../../records/index.ts";

/** A pull request, as far as its checks depend on it. */
export interface PullRequestFacts {
  readonly number: number;
  readonly author: string;
  readonly headSha: string;
  readonly branch?: string;
  /** The branch lies in a fork: its name says nothing. */
  readonly fork?: true;
}

/** A commit that a pull request brings, by the accounts that the SCM knows behind the addresses in it. */
export interface CommitFacts {
  readonly sha: string;
  /** Logins; absent: no account is known. */
  readonly author?: string;
  readonly committer?: string;
}

export interface ReviewFacts {
  readonly author: string;
  readonly state: "approved" | "changesRequested" | "commented" | "dismissed";
  /** The head that was looked at. */
  readonly commit: string;
  /** Epoch ms, by the SCM's clock; 0 = not known. */
  readonly at: number;
  /** The first line of what was written with it. */
  readonly line?: string;
  /** A machine's account. */
  readonly bot?: true;
}

/** What an account may do in the repository now; `unknown`: it cannot be asked for. */
export type PermissionFact = "admin" | "write" | "read" | "none" | "unknown";

/** What main's files would be after the merge. */
export type MergedFiles =
  /** Nothing that meshroll reads changes: whatever else does is not judged. */
  | { readonly kind: "untouched" }
  | { readonly kind: "conflict"; readonly paths: readonly string[] }
  | {
      readonly kind: "files";
      readonly compiled: CompiledSpec;
      /** Text by path, for the lines that findings speak of. */
      readonly texts: Readonly<Record<string, string>>;
      /** Paths under `campaigns/` that change. */
      readonly campaigns: readonly string[];
      /** Every path that changes, also what meshroll does not read; a changed folder may stand for what is in it. */
      readonly changed: readonly string[];
    };

/** What a pull request of ours is for: a rollback that a person requested, or the next stage of one of main's campaigns. */
export type Origin = "rollback" | "stage";

/** What merging the same head did before main went on, when people approved it. */
export interface EarlierMerge {
  /** Times of these approvals, epoch ms. */
  readonly approvedAt: readonly number[];
  /** Main's files as they were then. */
  readonly main: CompiledSpec;
  readonly merged: MergedFiles;
}

/** All that the two checks of a pull request depend on. */
export interface PullRequestQuestion {
  readonly pull: PullRequestFacts;
  /**
   * We opened it for that, and made all that it brings; absent: people had a part in it, or it is a rollback that needs them all
   * the same.
   */
  readonly own?: Origin;
  /** Oldest first. */
  readonly reviews: readonly ReviewFacts[];
  /** By login in lower case; absent = not known, which is no right. */
  readonly permissions?: ReadonlyMap<string, PermissionFact>;
  /** What the pull request brings. A list without the head, or none, asks for one more approval. */
  readonly commits?: readonly CommitFacts[];
  readonly merged: MergedFiles;
  /** For approvals that were given before main went on; an approval that none of them names was given on this very main. */
  readonly earlier?: readonly EarlierMerge[];
  readonly snapshot: Snapshot;
  /** Members by a team's slug, as far as a rule names it; undefined or absent = not known. */
  readonly teams?: ReadonlyMap<string, readonly string[] | undefined>;
  /** A short name for a long list, the same for the same text. */
  readonly digest: (text: string) => string;
}
