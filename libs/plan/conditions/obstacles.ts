import { describeDoubt, type Reason, type Snapshot } from "../records/index.ts";

/** Git was last read too long ago: no new run, no new batch (architecture §3). */
const gitLimitMs = 10 * 60_000;

/** What stops everything before anything is looked at; undefined when nothing does. */
export function findFleetObstacle(snapshot: Snapshot): Reason | undefined {
  if (snapshot.main.head === "") {
    const message = "main was never read: git does not answer, and the clone of this planner holds none";
    return { code: "GitDown", message, owner: "the git server" };
  }
  if (snapshot.ledgerDoubt !== undefined) return describeDoubt(snapshot.ledgerDoubt);
  if (snapshot.ledger === undefined) {
    return {
      code: "NoBaseline",
      message: "no baseline is recorded on branch meshroll/ledger: observing only",
      owner: "whoever owns the rollouts repository",
      command: "meshroll init",
    };
  }
  if (snapshot.main.ageMs > gitLimitMs) {
    const minutes = Math.round(snapshot.main.ageMs / 60_000);
    const when = Number.isFinite(minutes)
      ? `was last read ${minutes} minutes ago`
      : "was not read since the planner began";
    const message = `main ${when}: nothing moves forward, rollback --now goes back`;
    return { code: "GitDown", message, owner: "the git server" };
  }
  return undefined;
}

/** Why no transition can be decided now; undefined when the ledger takes what is decided. */
export function findLedgerObstacle({ ledgerDown, ledgerSlow }: Snapshot): Reason | undefined {
  const owner = "whoever owns the rollouts repository";
  if (ledgerDown !== undefined)
    return { code: "LedgerDown", message: `branch meshroll/ledger takes no push: ${ledgerDown}`, owner };
  if (ledgerSlow === undefined) return undefined;
  return {
    code: "LedgerSlow",
    message: `the git server takes long over a push to branch meshroll/ledger: ${ledgerSlow}`,
    owner: "the git server",
  };
}
