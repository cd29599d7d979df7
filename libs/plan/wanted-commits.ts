import { lookUp } from "#libs/input";
import type { LedgerState } from "./ledger-state.ts";
import { findRun } from "./stops.ts";
import type { Ask } from "./world.ts";

/** Runs in the archive that verbs on their way, or rollbacks in force, act by the whole record of: their ids. */
export function listWantedRuns(asks: Iterable<Ask>, ledger: LedgerState | undefined): readonly string[] {
  if (ledger === undefined) return [];
  const verbs = [...asks].filter(({ verb }) => verb === "retry" || verb === "rollback");
  const open = verbs.filter(({ id }) => lookUp(ledger.asks, id) === undefined);
  const inForce = Object.values(ledger.stops).filter(
    ({ lift, revertTo }) => lift === undefined && revertTo !== undefined,
  );
  const runs = [...open, ...inForce].flatMap(({ scope }) => findRun(ledger, scope) ?? []);
  return [...new Set(runs.flatMap(({ id, archived }) => (archived === undefined ? [] : [id])))];
}

/**
 * Commits that verbs on their way speak of, of however old a run: a rollback counts from the moment it is asked, also while
 * nothing can be recorded (rules 2.4, 8.2), and a retry opens a run again (rules 3.3).
 */
export function listWantedCommits(asks: Iterable<Ask>, ledger: LedgerState | undefined): readonly string[] {
  const wanted = new Set<string>();
  for (const ask of asks) {
    const isOver = ask.verb === "stop" || ask.verb === "lift" || lookUp(ledger?.asks, ask.id) !== undefined;
    const run = isOver ? undefined : findRun(ledger, ask.scope);
    if (run === undefined) continue;
    for (const sha of [run.before, run.commit, ...(ask.revertTo === undefined ? [] : [ask.revertTo])]) wanted.add(sha);
  }
  return [...wanted];
}
