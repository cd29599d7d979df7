import type { SpecTexts } from "#libs/repository";
import type { PullRequestQuestion, Snapshot } from "#libs/plan";
import type { PullRequestVerdict } from "#libs/wording";

/** What a merge would leave of the files that meshroll reads, unparsed. */
export type ReadPull =
  | { readonly kind: "untouched" }
  | { readonly kind: "conflict"; readonly paths: readonly string[] }
  | {
      readonly kind: "files";
      readonly texts: SpecTexts;
      /** Paths under `campaigns/` that change. */
      readonly campaigns: readonly string[];
      /** Every path that changes; a changed folder may stand for what is in it. */
      readonly changed: readonly string[];
    };

/** The same at a commit that main was at before, for the approvals that were given then. */
export interface EarlierRead {
  /** Epoch ms. */
  readonly approvedAt: readonly number[];
  readonly commit: string;
  /** Main's own files at that commit, unparsed. */
  readonly main: SpecTexts;
  readonly read: ReadPull;
}

/** All that the checks of one pull request depend on next to the snapshot; values only. */
export type JudgeQuestion = Omit<PullRequestQuestion, "merged" | "earlier" | "snapshot" | "digest"> & {
  readonly read: ReadPull;
  readonly earlier: readonly EarlierRead[];
};

export type JudgeAnswer =
  | { readonly kind: "judged"; readonly verdict: PullRequestVerdict }
  /** This pull request cannot be judged; others can. `why` is a clause: "judging it took longer than 10 s". */
  | { readonly kind: "refused"; readonly code: RefusalCode; readonly why: string }
  /** Nothing can be judged now, whatever is asked; it is tried again by itself. */
  | { readonly kind: "unavailable"; readonly why: string };

export type RefusalCode = "JudgeTimeLimit" | "JudgeMemoryLimit" | "JudgeFault";

/** Judges pull requests, whose texts come from strangers. One at a time. */
export interface PullRequestJudge {
  judge(snapshot: Snapshot, question: JudgeQuestion): Promise<JudgeAnswer>;
  close(): Promise<void>;
}
