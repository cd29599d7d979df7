import type { FleetStatus, LedgerState } from "#libs/plan";

/** Scopes of open runs and of rollbacks in force: none of them may wait without a named cause. */
function listSubjects({ runs, stops }: Pick<LedgerState, "runs" | "stops">): ReadonlySet<string> {
  const open = Object.values(runs).filter(({ state }) => state === "open");
  const rollbacks = Object.values(stops).filter(
    ({ resume, revertTo }) => resume === undefined && revertTo !== undefined,
  );
  return new Set([...open.map(({ id }) => `run/${id}`), ...rollbacks.map(({ scope }) => scope)]);
}

/** Whether status says what the subject does or waits for. */
function isNamed({ waiting, rollouts }: Pick<FleetStatus, "waiting" | "rollouts">, subject: string): boolean {
  const isWaiting = waiting.some(({ scope }) => scope === "all" || scope.split("@")[0] === subject);
  return isWaiting || rollouts.some(({ run }) => run === "" || `run/${run}` === subject);
}

/** Scopes of open runs and rollbacks in force for which status names neither an action nor a wait. */
export function listUnnamed(
  ledger: Pick<LedgerState, "runs" | "stops">,
  status: Pick<FleetStatus, "waiting" | "rollouts"> | undefined,
): readonly string[] {
  return [...listSubjects(ledger)].filter((each) => status === undefined || !isNamed(status, each));
}
