import type { SpecTexts } from "#libs/repository";
import type { PullRequestQuestion, Snapshot } from "#libs/plan";
import type { PullRequestVerdict } from "#libs/wording";

/** What the merge would leave of the files that meshroll reads, unparsed. */
export type ReadPull =
  | { readonly kind: "untouched" }
  | { readonly kind: "conflict"; readonly paths: readonly string[] }
  | {
      readonly kind: "files";
      readonly texts: SpecTexts;
      /** Paths under `campaigns/` that change. */
      readonly campaigns: readonly string[];
      /** Every path that changes; a folder may stand for all that is in it. */
      readonly changed: readonly string[];
    };

/** The same for an earlier commit of main, at which approvals were given. */
export interface EarlierRead {
  /** Epoch ms. */
  readonly approvedAt: readonly number[];
  readonly commit: string;
  /** Main's own files at that commit, unparsed. */
  readonly main: SpecTexts;
  readonly read: ReadPull;
}

/** All that a pull request's checks depend on, apart from the snapshot; plain values, so that it can be sent. */
export type JudgeQuestion = Omit<PullRequestQuestion, "merged" | "earlier" | "snapshot" | "digest"> & {
  readonly read: ReadPull;
  readonly earlier: readonly EarlierRead[];
};

export type JudgeAnswer =
  | { readonly kind: "judged"; readonly verdict: PullRequestVerdict }
  /** This pull request cannot be judged; others can. `why` is a clause: "judging it took longer than 10 s". */
  | { readonly kind: "refused"; readonly code: RefusalCode; readonly why: string }
  /** No pull request can be judged now; the next question tries again. */
  | { readonly kind: "unavailable"; readonly why: string };

export type RefusalCode = "JudgeTimeLimit" | "JudgeMemoryLimit" | "JudgeFault";

/** Judges pull requests, whose texts come from strangers. One at a time. */
export interface PullRequestJudge {
  judge(snapshot: Snapshot, question: JudgeQuestion): Promise<JudgeAnswer>;
  close(): Promise<void>;
}
