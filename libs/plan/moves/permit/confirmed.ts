import { gitLimitMs } from "../../conditions/index.ts";
import { type ActiveStop, findRevertedRun } from "../../stops/index.ts";
import { type ExecutorSnapshot, type JobFacts, type Permit, refuse } from "./facts.ts";

type Evidence = Pick<ExecutorSnapshot, "control" | "mainAgeMs" | "ledgerDoubt">;
type Known = Evidence & Pick<ExecutorSnapshot, "stops" | "ledger">;

/** Whether git has recently confirmed main and ledger, and no planner knows newer ones; then anything may move. */
export function isConfirmed({ control, mainAgeMs, ledgerDoubt }: Evidence): boolean {
  return control === "fresh" && mainAgeMs <= gitLimitMs && ledgerDoubt === undefined;
}

/** What is missing for a move that needs git; undefined when nothing is. */
export function findUnconfirmed({ control, mainAgeMs, ledgerDoubt }: Evidence): Permit | undefined {
  if (ledgerDoubt !== undefined) return refuse("wait", ledgerDoubt);
  if (control === "ahead") return refuse("wait", { code: "ControlAhead" });
  if (mainAgeMs <= gitLimitMs) return undefined;
  return refuse("wait", { code: "MainUnknown" });
}

/**
 * Whether this `rollback --now` certainly still holds although git does not confirm it:
 * - on the bus: holds;
 * - from the ledger while a newer ledger is not used, which may have ended it: does not hold;
 * - from the ledger before this process has read main, so that it is known only from an earlier process's clone: does not hold;
 * - from the ledger while a live planner knows no newer one, or while main was read within ten minutes: holds.
 */
function isEvident(stop: ActiveStop, { control, mainAgeMs, ledgerDoubt }: Evidence): boolean {
  if (stop.from === "control") return true;
  if (ledgerDoubt !== undefined) return false;
  return Number.isFinite(mainAgeMs) && (control === "fresh" || mainAgeMs <= gitLimitMs);
}

/** Rollbacks of the run that go on without git. */
function listRollbacksNow(snapshot: Known, run: string): readonly ActiveStop[] {
  return snapshot.stops.filter(
    (stop) => findRevertedRun(stop, snapshot.ledger)?.id === run && isEvident(stop, snapshot),
  );
}

/**
 * Whether a person requested a rollback of this run with `--now`: its job is checked item by item, even while git does not
 * answer (rules 2.4).
 */
export function isRolledBackNow(snapshot: Known, { run }: Pick<JobFacts, "run">): boolean {
  return listRollbacksNow(snapshot, run).length > 0;
}

/** Whether such a rollback, and not an earlier change of main, moves this workload back. */
export function isItemRolledBackNow(
  snapshot: Known,
  { run }: Pick<JobFacts, "run">,
  rollbackSince: string | undefined,
): boolean {
  return listRollbacksNow(snapshot, run).some(({ at }) => at === rollbackSince);
}
