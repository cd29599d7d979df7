import { type LedgerChange, type LedgerState, printTime, type RunChange, type Snapshot } from "../records/index.ts";

/** The newest judged commit that main still contains; later commits become runs like any other. */
function findLastContained(snapshot: Snapshot, ledger: LedgerState, vanished: ReadonlySet<string>): string {
  if (!vanished.has(ledger.judged)) return ledger.judged;
  const runs = Object.values(ledger.runs).toSorted((a, b) => b.order - a.order);
  const kept = runs.find((run) => !vanished.has(run.commit))?.commit;
  return kept ?? (vanished.has(ledger.baseline.commit) ? snapshot.main.head : ledger.baseline.commit);
}

/** After a forced push: runs whose commit is gone are closed, and a baseline that is gone becomes main's head (rules 1.7). */
export function adoptRewrittenMain(
  snapshot: Snapshot,
  ledger: LedgerState,
): Pick<LedgerChange, "baseline" | "main" | "judged" | "runs"> {
  const vanished = new Set(snapshot.main.vanished);
  const at = printTime(snapshot.now);
  const gone = Object.values(ledger.runs).filter(({ state, commit }) => state === "open" && vanished.has(commit));
  const runs = gone.map((run): RunChange => {
    return { run: { ...run, state: "gone", endedAt: at }, steps: [{ kind: "ended" }] };
  });
  const judged = findLastContained(snapshot, ledger, vanished);
  return {
    main: snapshot.main.head,
    ...(judged === ledger.judged ? {} : { judged }),
    ...(vanished.has(ledger.baseline.commit)
      ? { baseline: { ...ledger.baseline, commit: snapshot.main.head, at } }
      : {}),
    ...(runs.length === 0 ? {} : { runs }),
  };
}
