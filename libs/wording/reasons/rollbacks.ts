import { explainRefusedMerge, type RefusedMerge } from "../merges/demands.ts";
import {
  type MergeStyle,
  nameScm,
  printApproveCommand,
  printMergeCommand,
  type ScmWords,
} from "../merges/merge-command.ts";
import { printRollbackEditRefusal, type RollbackEditRefusal } from "../rollback-refusals.ts";
import { printText, type Text } from "../text.ts";
import { shorten, type Wordings } from "./wording.ts";

/** A rollback that a person requested and main does not have yet. */
interface RollbackWords {
  readonly run: string;
  /** Who requested it. */
  readonly who: string;
}

interface PullWords extends RollbackWords, ScmWords {
  readonly number: number;
}

function nameRollback({ run }: RollbackWords): string {
  return `the rollback of run ${run}`;
}

/** The committer on a rollback's branch, or a pull request that a person changed. */
type Taken = { readonly by: string; readonly branch: string } | { readonly number: number };

/** Why the pull request of a rollback is not merged yet. */
export const rollbackReasons = {
  /**
   * `isWholeFile`: the older file as a whole is what is wanted; `why`: why meshroll cannot make the edit, absent = there is no
   * SCM.
   */
  RollbackByHand: (
    reason: RollbackWords & {
      readonly buckets: readonly string[];
      readonly to: string;
      readonly branch: string;
      readonly path: string;
      readonly isWholeFile: boolean;
      /** Absent: there is no SCM for a pull request. */
      readonly why?: RollbackEditRefusal;
    },
  ) => {
    const { run, to, branch, path } = reason;
    const why =
      reason.why === undefined
        ? "GitHub is not configured (MESHROLL_GITHUB_REPOSITORY)"
        : printRollbackEditRefusal(reason.why);
    const start = `git fetch origin && git switch -c ${branch} origin/main`;
    // Other buckets changed since, and the older file would roll them back, too.
    const edit = reason.isWholeFile
      ? `git restore --source ${to} -- ${path}`
      : `git diff HEAD ${to} -- ${path} && "\${EDITOR:-vi}" ${path}`;
    return {
      message:
        `${nameRollback(reason)} by ${reason.who} waits for a person to set ` +
        `${reason.buckets.join(", ")} back to ${shorten(to)} on main: ${why}`,
      owner: reason.who,
      command: `${start} && ${edit} && git commit -am "Roll back run ${run}" && git push origin ${branch}`,
    };
  },
  RollbackClosed: (reason: PullWords) => ({
    message: `${nameRollback(reason)} is stopped: its pull request ${reason.number} was closed unmerged; to have another`,
    owner: reason.who,
    command: again(reason),
  }),
  RollbackMerged: (reason: PullWords) => ({
    message: `${nameRollback(reason)} is merged by pull request ${reason.number}; if main was changed again since`,
    owner: reason.who,
    command: again(reason),
  }),
  /** Without a number the pull request is about to be opened. */
  RollbackPending: (
    reason: RollbackWords & {
      readonly waitsFor:
        | { readonly kind: "branch" }
        | { readonly kind: "merge"; readonly branch: string }
        | { readonly kind: "checks"; readonly number: number }
        | { readonly kind: "queue"; readonly number: number };
    },
  ) => {
    const { waitsFor } = reason;
    const pull = "number" in waitsFor ? `pull request ${waitsFor.number}` : "";
    const what = {
      branch: "looks at its branch again, which was pushed to at the same time",
      merge: `waits for its pull request on ${"branch" in waitsFor ? waitsFor.branch : ""} to be merged`,
      checks: `waits for the checks of ${pull}`,
      queue: `is in the merge queue as ${pull}, until the checks of its group are green`,
    }[waitsFor.kind];
    return { message: `${nameRollback(reason)} ${what}`, owner: reason.who };
  },
  RollbackTaken: (reason: RollbackWords & { readonly taken: Taken }) => {
    const { taken } = reason;
    if ("number" in taken)
      return {
        message: `${nameRollback(reason)} waits for a person: pull request ${taken.number} as it is does not roll back`,
        owner: reason.who,
      };
    return {
      message:
        `${nameRollback(reason)} waits for ${taken.by}, who committed to ${taken.branch}: ` +
        "as it is, it does not roll back; merge it, or delete the branch",
      owner: reason.who,
      command: `git push origin --delete ${taken.branch}`,
    };
  },
  RollbackForward: (reason: PullWords) => ({
    message: `${nameRollback(reason)} waits for pull request ${reason.number} to be approved: it sets what main never had`,
    owner: reason.who,
  }),
  /** Its branch is not meshroll's own commit, or main got or lost a bucket or has another seed: it needs approvals. */
  RollbackApprovals: (reason: PullWords & { readonly why: Text }) => ({
    message: `${nameRollback(reason)} waits for pull request ${reason.number} to be approved: ${printText(reason.why)}`,
    owner: reason.who,
    command: printApproveCommand(reason),
  }),
  RollbackMergeRefused: (reason: PullWords & RefusedMerge & { readonly style?: MergeStyle | undefined }) => ({
    message:
      `${nameRollback(reason)} waits for pull request ${reason.number}, which ${nameScm(reason)} does not let meshroll merge: ` +
      explainRefusedMerge(reason),
    owner: reason.who,
    command: printMergeCommand(reason, true),
  }),
  RollbackFailed: (reason: RollbackWords & { readonly why: string }) => ({
    message: `${nameRollback(reason)} has no pull request yet: ${reason.why}`,
    owner: reason.who,
  }),
} satisfies Wordings;

function again({ run }: RollbackWords): string {
  return `meshroll rollback run/${run} --reason "…"`;
}
