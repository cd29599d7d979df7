import type { AuditedRun, AuditedStop, AuditedWrite, Evidence } from "../../evidence/evidence.ts";
import {
  byOwner,
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
  web,
} from "../plant.ts";

const [later, last, again] = ["b".repeat(40), "c".repeat(40), "d".repeat(40)];
const [laterId, lastId, againId] = [later.slice(0, 12), last.slice(0, 12), again.slice(0, 12)];

const steer = (revision: string) => ({ template: { metadata: { labels: { "istio.io/rev": revision } } } });

/** The undo of a failed try, with its failure annotation. */
function putBack(at: number, tried: string, revision: string): AuditedWrite {
  const failed = `${tried} ReadinessTimeout 2026-01-01T00:00:00Z`;
  const annotations = { "meshroll.dev/previous": null, "meshroll.dev/failed": failed };
  return send(web, at, { metadata: { resourceVersion: "1", annotations }, spec: steer(revision) });
}

/** A move between any two revisions. */
function moveFrom(before: string, at: number, revision: string, id: string): AuditedWrite {
  const previous = JSON.stringify({ template: { labels: { "istio.io/rev": before } } });
  const annotations = { "meshroll.dev/run": `${id} ${revision}`, "meshroll.dev/previous": previous };
  return send(web, at, { metadata: { resourceVersion: "1", annotations }, spec: steer(revision) });
}

const settledAt = (...times: readonly number[]) => times.map((at) => settled(web, at));

/**
 * `web` fails on its way to the lowered share, and is put back to `new`. Main wants `new` again, where `web` already is, so
 * nothing moves. A rollback at once of that run asks for `old` once more.
 */
function rollBackToFailed(...more: readonly AuditedWrite[]): Evidence {
  const takeBack = stop({ id: "r", scope: `run/${lastId}`, revertTo: later, now: true, at: 55 });
  const failed = [move(web, 20, "new"), move(web, 35, "old", laterId), putBack(40, "old", "new")];
  return make(
    { writes: [...failed, move(web, 60, "old", lastId), ...more], statuses: settledAt(25, 45, 65, 75, 85) },
    {
      main: [
        ...commits,
        commit({ sha: later, at: 30, rollouts: file(1) }),
        commit({ sha: last, at: 50, rollouts: file(100) }),
      ],
      ledger: { stops: [takeBack], runs: [run(runId), run(laterId), run(lastId)] },
    },
  );
}

/**
 * A rollback at once brings `web` to `old`, and its owner puts `new` back. Then main rolls back too (recorded at 51), and that
 * run writes `old` again. `resumed`: when the rollback at once ended.
 */
function rollBackWhatIsOverwritten(resumed: Partial<AuditedStop>, attempt = 1, retried = {}): Evidence {
  const to = { revertTo: commits[0]?.sha ?? "", now: true };
  const takeBack = stop({ id: "r", scope: `run/${runId}`, at: 30, ...to, ...resumed });
  const hold = stop({ id: "h", scope: "bucket/production", rollbackOf: lastId, at: 51 });
  const again = move(web, 60, "old", lastId, attempt);
  const writes = [move(web, 20, "new"), move(web, 35, "old"), byOwner(web, 40, "new"), again];
  return make(
    { writes, statuses: settledAt(25, 38, 45, 65) },
    {
      main: [...commits, commit({ sha: last, at: 50 })],
      ledger: { stops: [takeBack, hold], runs: [run(runId), run(lastId, { startedAt: 51, retried })] },
    },
  );
}

/** `web` fails on its way to `new`, moves to `next` and back to `old` as main wants, and to `new` again by a later run. */
function moveToFailed(attempt: number, retried: AuditedRun["retried"]): Evidence {
  const ask = (sha: string, at: number, revision: string) =>
    commit({ sha, at, rollouts: `production:\n  ${revision}: 100\n` });
  const elsewhere = [moveFrom("old", 40, "next", laterId), moveFrom("next", 60, "old", lastId)];
  const hold = stop({ id: "h", scope: "bucket/production", rollbackOf: lastId, at: 56, resumedAt: 70 });
  return make(
    {
      writes: [move(web, 20, "new"), putBack(25, "new", "old"), ...elsewhere, move(web, 80, "new", againId, attempt)],
      statuses: settledAt(30, 45, 65, 85),
    },
    {
      main: [...commits, ask(later, 35, "next"), ask(last, 55, "old"), ask(again, 75, "new")],
      ledger: { stops: [hold], runs: [run(runId), run(laterId), run(lastId), run(againId, { retried })] },
    },
  );
}

/** What failed once may be tried again by a rollback of another run, and by a person's retry. */
export const tryCases: PlantedCases = {
  "a rollback at once to where an earlier run failed, after main wanted what was there already": {
    evidence: rollBackToFailed(),
    want: [],
  },
  "the same rollback, which fails there and tries again": {
    evidence: rollBackToFailed(putBack(70, "old", "new"), move(web, 80, "old", lastId)),
    want: ["restartedOnce"],
  },
  "a rollback that overwrites its owner, who put back what a rollback at once to the same revision had written": {
    evidence: rollBackWhatIsOverwritten({}),
    want: ["restartedOnce"],
  },
  "the same, where the rollback at once ended because main confirmed it": {
    evidence: rollBackWhatIsOverwritten({ resumedAt: 55 }),
    want: ["restartedOnce"],
  },
  "the same after a person's retry of the rollback": {
    evidence: rollBackWhatIsOverwritten({}, 2, { "one:shop/Deployment/web": 1 }),
    want: [],
  },
  "a rollback that overwrites its owner after the rollback at once was resumed": {
    evidence: rollBackWhatIsOverwritten({ resumedAt: 45 }),
    want: [],
  },
  "a later run moves forward to a failed revision, although main wanted another one in between": {
    evidence: moveToFailed(1, {}),
    want: ["restartedOnce"],
  },
  "a later run moves forward there after a person's retry": {
    evidence: moveToFailed(2, { "one:shop/Deployment/web": 1 }),
    want: [],
  },
};
