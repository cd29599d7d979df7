import type { CasesOf } from "./cases.ts";

function shorten(commit: string): string {
  return commit.slice(0, 12);
}

/** Why a run is not rolled back, one sentence each. `run`: its id; `commit`: the one to go back to. */
const refusals = {
  NoSuchRun: ({ scope }: { readonly scope: string }) => `there is no ${scope}: meshroll history lists the runs`,
  CommitVanished: ({ run }: { readonly run: string }) => `run ${run} is gone: its commit vanished from main`,
  IsRollback: ({ run }: { readonly run: string }) =>
    `run ${run} is a rollback itself: to go forward again, change rollouts.yml`,
  NeverOnMain: ({ run, commit }: { readonly run: string; readonly commit: string }) =>
    `main never stood at ${shorten(commit)} between the baseline and run ${run}: meshroll history lists the commits`,
  /** A pull request may go forward: it has its approvals, and its run heeds stops and windows. */
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
