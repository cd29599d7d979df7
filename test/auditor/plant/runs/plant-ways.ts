import type { AuditedStop, Evidence } from "../../evidence/evidence.ts";
import {
  api,
  commit,
  commits,
  file,
  make,
  move,
  type PlantedCases,
  run,
  runId,
  send,
  settled,
  stop,
  underSettings,
  web,
  webKey,
} from "../plant.ts";

const [later, last] = ["b".repeat(40), "c".repeat(40)];
const [laterId, lastId] = [later.slice(0, 12), last.slice(0, 12)];
const twoRuns = [run(runId), run(laterId)];

/**
 * `old` first, then `new`, then lowered to shares that main never had: a few namespaces stay on `new`, `shop` is rolled back.
 */
const upAndDown = [...commits, commit({ sha: later, at: 30, rollouts: file(1) })];
const thereBackAndBy = (id: string) => [move(web, 20, "new"), move(web, 35, "old", laterId), move(web, 55, "new", id)];
const allSettled = [settled(web, 25), settled(web, 40), settled(web, 60)];

/** Then raised again to what main had. */
function raiseAgain(...stops: readonly AuditedStop[]): Evidence {
  const ledger = { stops, runs: [...twoRuns, run(lastId)] };
  const main = [...upAndDown, commit({ sha: last, at: 50, rollouts: file(100) })];
  return make({ writes: thereBackAndBy(lastId), statuses: allSettled }, { main, ledger });
}

const rollBack = (id: string, revertTo: string | undefined) =>
  stop({ id: "r", scope: `run/${id}`, ...(revertTo === undefined ? {} : { revertTo }), now: true, at: 45 });

/** A rollback at once of the run that lowered the share, to the commit before it. */
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

/** All on `new`. A new bucket brings `shop` back to `old`, and is then removed. */
function takeBucketAway(...stops: readonly AuditedStop[]): Evidence {
  const main = [
    ...commits,
    commit({ sha: later, at: 30, rollouts: `${file(100)}shop:\n  old: 100\n` }),
    commit({ sha: last, at: 50, rollouts: file(100) }),
  ];
  const hold = stop({ id: "h", scope: "bucket/shop", rollbackOf: lastId, at: 51, resumedAt: 52 });
  const ledger = { stops: [...stops, hold], runs: [...twoRuns, run(lastId)] };
  return make({ writes: thereBackAndBy(lastId), statuses: allSettled }, { main, ledger });
}

/** `web` fails during its rollback, is marked and stays as it is; then `api` moves forward. */
function failOnTheWayBack(skipped: readonly string[]): Evidence {
  const main = [...commits, commit({ sha: later, at: 30 }), commit({ sha: last, at: 60, rollouts: file(100) })];
  const hold = stop({ id: "h", scope: "bucket/production", rollbackOf: laterId, at: 31, resumedAt: 55 });
  const mark = send(web, 50, {
    metadata: {
      resourceVersion: "1",
      annotations: { "meshroll.dev/failed": "old ReadinessTimeout 2026-01-05T09:00:00Z" },
    },
  });
  const writes = [move(web, 20, "new"), move(web, 35, "old", laterId), mark, move(api, 70, "new", lastId)];
  const ledger = { stops: [hold], runs: [run(runId), run(laterId, { skipped }), run(lastId)] };
  return make({ writes, statuses: [settled(web, 25)] }, { main, ledger });
}

/** `web` has been stuck in its rollback since 35 and never settles; `api` is rolled back at this time. */
function stuckOnTheWayBack(at: number): Evidence {
  const main = underSettings("defaults: {batch: {delayBetweenBatches: 0s, readinessTimeout: 1m}}", [
    ...commits,
    commit({ sha: later, at: 30 }),
  ]);
  const hold = stop({ id: "h", scope: "bucket/production", rollbackOf: laterId, at: 31 });
  const writes = [
    move(web, 20, "new"),
    move(api, 27, "new"),
    move(web, 35, "old", laterId),
    move(api, at, "old", laterId),
  ];
  const ledger = { stops: [hold], runs: [run(runId), run(laterId)] };
  return make({ writes, statuses: [settled(web, 25), settled(api, 29)] }, { main, ledger });
}

const pause = stop({ id: "pause", at: 41 });

/**
 * What counts as forward and what as a rollback: a rollback goes to what main wanted for the namespace before and had not
 * rolled back from.
 */
export const wayCases: PlantedCases = {
  "a write under a pause, by a commit that sets main back to what it had before it was lowered": {
    evidence: raiseAgain(pause),
    want: ["stoppedStands"],
  },
  "the same write without a pause": { evidence: raiseAgain(), want: [] },
  "a rollback at once of a run that lowered a share, under that run's own stop": {
    evidence: undoLowered(),
    want: ["stoppedStands"],
  },
  "a rollback at once of a run that lowered a share, under a pause": {
    evidence: undoLowered(pause),
    want: ["stoppedStands", "stoppedStands"],
  },
  "a rollback at once of a run that moved forward, under a pause": { evidence: undoRaised(pause), want: [] },
  "a rollback next to another one that has been stuck for its whole timeout": {
    evidence: stuckOnTheWayBack(60_035),
    want: [],
  },
  "a rollback next to another one that may still get ready": {
    evidence: stuckOnTheWayBack(45),
    want: ["withinBatchSize"],
  },
  "a move next to a failed rollback that was marked and is named": {
    evidence: failOnTheWayBack([webKey]),
    want: [],
  },
  "a move next to a failed rollback that is not named": {
    evidence: failOnTheWayBack([]),
    want: ["withinBatchSize", "batchesApart"],
  },
  "a removed bucket, which moves namespaces to what main rolled back from when it was added, under a pause": {
    evidence: takeBucketAway(pause),
    want: ["stoppedStands"],
  },
};
