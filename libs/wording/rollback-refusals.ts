import type { CasesOf } from "./cases.ts";

function shorten(commit: string): string {
  return commit.slice(0, 12);
}

/** Why a run is not rolled back. `run`: its id; `commit`: the target. */
const refusals = {
  NoSuchRun: ({ scope }: { readonly scope: string }) => `there is no ${scope}: meshroll history lists the runs`,
  CommitVanished: ({ run }: { readonly run: string }) => `run ${run} is gone: its commit vanished from main`,
  IsRollback: ({ run }: { readonly run: string }) =>
    `run ${run} is a rollback itself: to go forward again, change rollouts.yml`,
  IsConverging: ({ run }: { readonly run: string }) =>
    `run ${run} converges workloads to main and did not change it: roll back the run that did`,
  NeverOnMain: ({ run, commit }: { readonly run: string; readonly commit: string }) =>
    `main was never at ${shorten(commit)} between the baseline and run ${run}: meshroll history lists the commits`,
  /** Only a pull request may go forward, with approvals, and its run obeys stops and windows. */
  ForwardAtOnce: ({ run }: { readonly run: string }) =>
    `run ${run} is a rollback itself: undoing it goes forward, and heeds stops, windows and approvals; ` +
    "without --now a pull request proposes it",
  RolledBackSince: ({ run, commit }: { readonly run: string; readonly commit: string }) =>
    `main was rolled back from what ${shorten(commit)} says before run ${run} came: a rollback to it would go forward`,
};

/** Why a run is not rolled back. */
export type RollbackRefusal = CasesOf<typeof refusals>;

export function printRollbackRefusal(refusal: RollbackRefusal): string {
  return (refusals[refusal.code] as (refusal: RollbackRefusal) => string)(refusal);
}

const editRefusals = {
  NoFileOnMain: () => "there is no rollouts.yml on main",
  NoFileBefore: () => "there was no rollouts.yml at the commit to roll back to",
  MainUnread: () => "rollouts.yml on main does not parse",
  BeforeUnread: () => "rollouts.yml did not parse at the commit to roll back to",
  NeedsReformat: ({ bucket }: { readonly bucket: string }) =>
    `bucket ${bucket} cannot be edited without reformatting the file`,
  NotAlone: () => "editing these buckets alone does not restore it",
};

/** Why meshroll cannot make a rollback's edit of main's file. */
export type RollbackEditRefusal = CasesOf<typeof editRefusals>;

export function printRollbackEditRefusal(refusal: RollbackEditRefusal): string {
  return (editRefusals[refusal.code] as (refusal: RollbackEditRefusal) => string)(refusal);
}
