import type { AuditedStop, Evidence } from "../evidence/evidence.ts";
import {
  api,
  commit,
  commits,
  file,
  make,
  move,
  object,
  type PlantedCases,
  run,
  runId,
  settled,
  stop,
  underSettings,
  undo,
  web,
} from "./plant.ts";

const [later, last] = ["b".repeat(40), "c".repeat(40)];
const [laterId, lastId] = [later.slice(0, 12), last.slice(0, 12)];
const done = { state: "done", endedAt: 90, endedAtLatest: 90, skipped: ["one:shop/Deployment/api"] };

/** Main moves forward at 10, rolls back at 30, and moves forward again at 50. */
const thereAndBack = [...commits, commit({ sha: later, at: 30 })];
const andAgain = [...thereAndBack, commit({ sha: last, at: 50, rollouts: file(100) })];
const hold = stop({ id: "h", scope: "bucket/production", rollbackOf: laterId, at: 31 });
const moves = [move(web, 20, "new"), move(web, 35, "old", laterId)];
const settledBoth = [settled(web, 25), settled(web, 40)];
const twoRuns = [run(runId), run(laterId)];

/** One move forward at 20, by a run of campaign X, while these stops apply. */
function under(...stops: readonly AuditedStop[]): Evidence {
  const own = run(runId, { campaign: "X", stage: "all" });
  return make({ writes: [move(web, 20, "new")] }, { ledger: { stops, runs: [own] } });
}

const scoped = (...scopes: readonly string[]) => under(...scopes.map((scope) => stop({ scope })));

/** A move forward at 55, after the rollback: exactly what the rollback's hold must prevent. */
function again(stops: readonly AuditedStop[]): Evidence {
  return make(
    { writes: [...moves, move(web, 55, "new", lastId)], statuses: settledBoth },
    { main: andAgain, ledger: { stops, runs: [...twoRuns, run(lastId)] } },
  );
}

/** Two tries of one target: the first failed and was undone, the second carries its attempt number. */
function twice(retried: Readonly<Record<string, number>>, attempt = 2): Evidence {
  return make(
    {
      writes: [move(web, 20, "new"), undo(web, 30), move(web, 45, "new", runId, attempt)],
      statuses: settledBoth,
    },
    { ledger: { stops: [], runs: [run(runId, { retried })] } },
  );
}

/** A rollback that is done, but the workload is still at the revision that it was moved to. */
const leftBehind = (change: object): Evidence =>
  make(
    {
      writes: [move(web, 20, "new")],
      statuses: [settled(web, 25)],
      pods: [{ at: 24, path: web, revisions: ["new"] }],
    },
    { main: thereAndBack, ledger: { stops: [hold], runs: [run(runId), run(laterId, { ...done, ...change })] } },
  );

const remade = { ...object(web), uid: "u2", version: 30, at: 30 };
const unmade = { at: 29, version: 29, path: web };
const quickBack = "defaults: {batch: {batchSize: 1, delayBetweenBatches: 0s}, rollback: {batch: {batchSize: 2}}}";
const stopped = ["stoppedStands"];

/** What the ledger's history adds: stops, rollbacks and their holds, retries. */
export const stopCases: PlantedCases = {
  "a forward write under a pause of everything": { evidence: scoped("all"), want: stopped },
  "a forward write under a stop of its cluster": { evidence: scoped("cluster/one"), want: stopped },
  "a forward write under a pause of its campaign": { evidence: scoped("campaign/X"), want: stopped },
  "a forward write under a stop of its bucket": { evidence: scoped("bucket/production"), want: stopped },
  "a forward write under a stop of its namespace": { evidence: scoped("namespace/shop"), want: stopped },
  "a forward write under a stop of its run": { evidence: scoped(`run/${runId}`), want: stopped },
  "a forward write under a stop of another cluster, campaign, run, bucket or namespace": {
    evidence: scoped("cluster/two", "campaign/Y", "run/ffffffffffff", "bucket/other", "namespace/shop2"),
    want: [],
  },
  "a forward write in the cluster whose ConfigMap asked for a stop of everything": {
    evidence: under(stop({ cause: "cluster", foundIn: "one" })),
    want: stopped,
  },
  "a forward write under what the ConfigMap of another cluster asked for": {
    evidence: under(
      ...["all", "bucket/production", "namespace/shop", `run/${runId}`, "campaign/X"].map((scope) =>
        stop({ scope, cause: "cluster", foundIn: "two" }),
      ),
    ),
    want: [],
  },
  "a forward write under a person's stop that the ledger narrows to another cluster": {
    evidence: under(stop({ foundIn: "two" })),
    want: stopped,
  },
  "a forward write under a hold, which binds proposals only": {
    evidence: under(stop({ strength: "propose" })),
    want: [],
  },
  "a patch that was on its way when the stop came": { evidence: { ...under(stop({})), graceMs: 5 }, want: [] },
  "a forward write after the resume": { evidence: under(stop({ resumedAt: 19 })), want: [] },
  "a forward write under kubectl's stop": {
    evidence: make({ writes: [move(web, 2000, "new")], kubectlStops: [{ at: 15 }] }),
    want: stopped,
  },
  "a forward write after kubectl's stop was deleted": {
    evidence: make({ writes: [move(web, 2000, "new")], kubectlStops: [{ at: 15, resumedAt: 1900 }] }),
    want: [],
  },
  "an undo under a stop": {
    evidence: make(
      { writes: [move(web, 14, "new"), undo(web, 25)] },
      { ledger: { stops: [stop({})], runs: [run(runId)] } },
    ),
    want: [],
  },
  "a rollback under a stop": {
    evidence: make(
      { writes: moves, statuses: settledBoth },
      { main: thereAndBack, ledger: { stops: [stop({ at: 22 }), hold], runs: twoRuns } },
    ),
    want: [],
  },
  "a rollback under a later stop of its own run": {
    evidence: make(
      { writes: moves, statuses: settledBoth },
      { main: thereAndBack, ledger: { stops: [stop({ scope: `run/${laterId}`, at: 32 }), hold], runs: twoRuns } },
    ),
    want: stopped,
  },
  "a rollback at once, before main says so": {
    evidence: make(
      { writes: [move(web, 20, "new"), move(web, 35, "old")], statuses: settledBoth },
      {
        ledger: {
          stops: [stop({ scope: `run/${runId}`, at: 30, revertTo: "0".repeat(40), now: true, cause: "rollback" })],
          runs: [run(runId)],
        },
      },
    ),
    want: [],
  },
  "the same write, without a requested rollback": {
    evidence: make({ writes: [move(web, 20, "new"), move(web, 35, "old")], statuses: settledBoth }),
    want: ["demanded"],
  },
  "a forward write after a rollback whose hold was never placed": { evidence: again([]), want: ["rollbackHolds"] },
  "a forward write under a rollback's hold": { evidence: again([hold]), want: ["stoppedStands", "rollbackHolds"] },
  "a forward write after a rollback's hold was ended": { evidence: again([{ ...hold, resumedAt: 54 }]), want: [] },
  "a rollback that is done although it left a workload behind": {
    evidence: leftBehind({}),
    want: ["rolledBackAreBack", "doneMeansMigrated"],
  },
  "a rollback that names the workload that it left behind": {
    evidence: leftBehind({ skipped: ["one:shop/Deployment/web", "one:shop/Deployment/api"] }),
    want: [],
  },
  "a rollback that is not done yet": { evidence: leftBehind({ state: "open" }), want: [] },
  "a second try that a person requested": { evidence: twice({ "one:shop/Deployment/web": 1 }), want: [] },
  "a second try that was not requested": { evidence: twice({}), want: ["restartedOnce"] },
  "the first try made twice though a retry was asked for": {
    evidence: twice({ "one:shop/*": 1 }, 1),
    want: ["restartedOnce"],
  },
  "a workload that was deleted and created again is another one": {
    evidence: make({
      writes: [move(web, 20, "new"), move(web, 40, "new")],
      statuses: [settled(web, 25)],
      deleted: [unmade],
      created: [remade],
    }),
    want: [],
  },
  "a write to a workload that was created again without injection": {
    evidence: make({
      writes: [move(web, 40, "new")],
      deleted: [unmade],
      created: [
        { ...remade, ...object(web, { "sidecar.istio.io/inject": "false", "istio.io/rev": "old" }), uid: "u2" },
      ],
    }),
    want: ["unmanagedUntouched"],
  },
  "a write for the head that a merge has just replaced": {
    evidence: make({ writes: [move(web, 32, "new")] }, { main: thereAndBack, graceMs: 5 }),
    want: [],
  },
  "a write for a commit that a forced push removed": {
    evidence: make(
      { writes: [move(web, 36, "new")] },
      { main: [...commits, commit({ sha: "0".repeat(40), at: 30, isForced: true })], graceMs: 5 },
    ),
    want: ["demanded"],
  },
  "a rollback moves by its own batch": {
    evidence: make(
      {
        writes: [
          move(web, 20, "new"),
          move(api, 26, "new"),
          move(web, 31, "old", laterId),
          move(api, 32, "old", laterId),
        ],
        statuses: [settled(web, 25), settled(api, 29)],
      },
      {
        main: underSettings(quickBack, thereAndBack),
        ledger: { stops: [], runs: twoRuns },
      },
    ),
    want: [],
  },
};
