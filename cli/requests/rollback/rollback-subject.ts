import { lookUp } from "#libs/input";
import type { FleetStatus, LedgerState, RunRecord, StopRecord } from "#libs/plan";

import { exitCodes } from "../../terminal/exit-codes.ts";
import { refuseUnknown } from "../../names/unknown-name.ts";
import { Refusal } from "../../terminal/refusal.ts";

/** For a run that is a rollback itself, so that undoing it goes forward: stops that would hold it, by the ledger. */
export interface ForwardRollback {
  readonly stops: readonly StopRecord[];
}

/** The run to roll back. The record is absent without a ledger. */
export interface RollbackSubject {
  readonly run: string;
  readonly record?: RunRecord;
  /** An earlier commit than the one before the run, whose distributions main has had. */
  readonly revertTo?: string;
  /** The run is a rollback itself: undoing it goes forward. */
  readonly forward?: ForwardRollback;
}

type ListForward = (run: RunRecord) => readonly string[];

/** A named run that cannot be rolled back is refused here, as the planner would. */
function pickNamed(ledger: LedgerState, run: string, listForward: ListForward): RollbackSubject {
  const record = lookUp(ledger.runs, run);
  if (record === undefined) throw refuseUnknown("run", run, Object.keys(ledger.runs), "no run is recorded yet");
  if (record.state === "gone") {
    throw new Refusal(exitCodes.invalid, `run ${run} is gone: its commit vanished from main`, [
      { command: "meshroll history" },
      "  lists them",
    ]);
  }
  if (listForward(record).length === 0) {
    const [what, help] =
      record.converge === undefined
        ? ["is a rollback", "to go forward again, change rollouts.yml"]
        : ["brings workloads to what main says", "roll back the run that changed what main says"];
    throw new Refusal(exitCodes.invalid, `run ${run} ${what}: there is nothing forward to undo`, help);
  }
  return { run, record };
}

function pickNewest(ledger: LedgerState, listForward: ListForward): RollbackSubject {
  const runs = Object.values(ledger.runs).toSorted((a, b) => b.order - a.order);
  const newest = runs.find((run) => run.state !== "gone" && listForward(run).length > 0);
  if (newest !== undefined) return { run: newest.id, record: newest };
  throw new Refusal(exitCodes.invalid, "nothing to undo: no run changed anything forward", [
    { command: "meshroll history" },
    "  lists the runs",
  ]);
}

/**
 * The run to roll back: the named one, or the newest that moved anything forward; by the ledger, else by the planner's status.
 */
export function findRollback(
  run: string | undefined,
  ledger: LedgerState | undefined,
  status: FleetStatus | undefined,
  listForward: ListForward,
): RollbackSubject {
  if (ledger !== undefined)
    return run === undefined ? pickNewest(ledger, listForward) : pickNamed(ledger, run, listForward);
  // Without git a rollback must still work: the planner's status names the run.
  const told = run ?? (status?.undo.command === undefined ? undefined : status.undo.run);
  if (told !== undefined) return { run: told };
  const help = ["name it:  ", { command: "meshroll rollback run/ID --reason …" }];
  throw new Refusal(exitCodes.unavailable, "the newest run is unknown: no ledger and no planner is available", help);
}
