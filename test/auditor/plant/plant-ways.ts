import type { AuditedStop, Evidence } from "../evidence/evidence.ts";
import { commit, commits, file, make, move, type PlantedCases, run, runId, settled, stop, web } from "./plant.ts";

const [later, last] = ["b".repeat(40), "c".repeat(40)];
const [laterId, lastId] = [later.slice(0, 12), last.slice(0, 12)];
const twoRuns = [run(runId), run(laterId)];

/** `old` at first, then `new`, then lowered to what main never had: a few stay on `new`, and `shop` goes back. */
const upAndDown = [...commits, commit({ sha: later, at: 30, rollouts: file(1) })];
const thereBackAndBy = (id: string) => [move(web, 20, "new"), move(web, 35, "old", laterId), move(web, 55, "new", id)];
const allSettled = [settled(web, 25), settled(web, 40), settled(web, 60)];

/** And up again to what main had. */
function raiseAgain(...stops: readonly AuditedStop[]): Evidence {
  const ledger = { stops, runs: [...twoRuns, run(lastId)] };
  const main = [...upAndDown, commit({ sha: last, at: 50, rollouts: file(100) })];
  return make({ writes: thereBackAndBy(lastId), statuses: allSettled }, { main, ledger });
}

const rollBack = (id: string, revertTo: string | undefined) =>
  stop({ id: "r", scope: `run/${id}`, ...(revertTo === undefined ? {} : { revertTo }), now: true, at: 45 });

/** A rollback at once of the run that lowered, to before it. */
function undoLowered(...stops: readonly AuditedStop[]): Evidence {
  const ledger = { stops: [...stops, rollBack(laterId, commits[1]?.sha)], runs: twoRuns };
  return make({ writes: thereBackAndBy(laterId), statuses: allSettled }, { main: upAndDown, ledger });
}

/** A rollback at once of the run that moved forward. */
function undoRaised(...stops: readonly AuditedStop[]): Evidence {
  const ledger = { stops: [...stops, rollBack(runId, commits[0]?.sha)], runs: [run(runId)] };
  const writes = [move(web, 20, "new"), move(web, 55, "old", runId)];
  return make({ writes, statuses: [settled(web, 25), settled(web, 60)] }, { ledger });
}

/** All on `new`; a bucket of its own brings `shop` back to `old`, and goes again. */
function takeBucketAway(...stops: readonly AuditedStop[]): Evidence {
  const main = [
    ...commits,
    commit({ sha: later, at: 30, rollouts: `${file(100)}shop:\n  old: 100\n` }),
    commit({ sha: last, at: 50, rollouts: file(100) }),
  ];
  const hold = stop({ id: "h", scope: "bucket/shop", returnOf: lastId, at: 51, liftedAt: 52 });
  const ledger = { stops: [...stops, hold], runs: [...twoRuns, run(lastId)] };
  return make({ writes: thereBackAndBy(lastId), statuses: allSettled }, { main, ledger });
}

const pause = stop({ id: "pause", at: 41 });

/** What is forward, and what goes back: by what main asked of a namespace before, and had not gone back from. */
export const wayCases: PlantedCases = {
  "a write under a pause, by a commit that says what main had before it was lowered": {
    evidence: raiseAgain(pause),
    want: ["stoppedStands"],
  },
  "the same write without a pause": { evidence: raiseAgain(), want: [] },
  "a rollback at once of a run that lowered, which its own stop holds": {
    evidence: undoLowered(),
    want: ["stoppedStands"],
  },
  "a rollback at once of a run that lowered, under a pause": {
    evidence: undoLowered(pause),
    want: ["stoppedStands", "stoppedStands"],
  },
  "a rollback at once of a run that moved forward, under a pause": { evidence: undoRaised(pause), want: [] },
  "a bucket that goes, and moves to what main went back from when it came, under a pause": {
    evidence: takeBucketAway(pause),
    want: ["stoppedStands"],
  },
};
