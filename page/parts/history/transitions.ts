import type { TransitionReason } from "#libs/wording";

import type { MarkKind } from "../mark.tsx";

/** `init` and `repair` are of a person's commands. */
type Cause = TransitionReason["code"] | "init" | "repair";

const words = {
  MainChanged: ["run started", "moving"],
  NothingChanged: ["nothing to move", "skipped"],
  WaveOpened: ["wave opened", "moving"],
  WaveDone: ["wave finished", "done"],
  WaveReopened: ["wave opened again", "moving"],
  BakeSaved: ["bake", "waiting"],
  BakeRestarted: ["bake starts again", "waiting"],
  GatePassed: ["gate passed", "done"],
  GateFailed: ["gate failed", "failed"],
  GateCounted: ["gate measured", "waiting"],
  RunEnded: ["run ended", "done"],
  StageProposed: ["stage proposed", "pending"],
  Archived: ["archived", "skipped"],
  BaselineRecorded: ["first record", "pending"],
  StopPlaced: ["stop placed", "held"],
  StopKnown: ["stop not placed", "skipped"],
  StopResumed: ["stop ended", "done"],
  RollbackOver: ["rollback ended", "done"],
  RollbackRefused: ["rollback refused", "skipped"],
  Retried: ["retry", "moving"],
  Converging: ["converge started", "moving"],
  NothingToResume: ["nothing to resume", "skipped"],
  NothingToRetry: ["nothing to retry", "skipped"],
  NothingToConverge: ["nothing to converge", "skipped"],
  TooMuchToConverge: ["converge refused", "skipped"],
  init: ["first record", "pending"],
  repair: ["ledger repaired", "done"],
} satisfies Readonly<Record<Cause, readonly [word: string, mark: MarkKind]>>;

const byCause = new Map<string, readonly [word: string, mark: MarkKind]>(Object.entries(words));

/** What kind of decision it is, in words; an unknown one, of a newer planner, is shown as it is. */
export function describeCause(cause: string | undefined): readonly [word: string, mark: MarkKind] {
  if (cause === undefined) return ["by hand", "pending"];
  return byCause.get(cause) ?? [cause, "pending"];
}
