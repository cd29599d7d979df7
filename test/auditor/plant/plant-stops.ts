import type { AuditedCommit, AuditedRun, AuditedStop, Evidence } from "../evidence/evidence.ts";
import { api, commits, file, make, move, object, settled, sha, web, type PlantedCases } from "./plant.ts";

const later = "b".repeat(40);
const last = "c".repeat(40);
const [runId, laterId, lastId] = [sha.slice(0, 12), later.slice(0, 12), last.slice(0, 12)];
const ledgerRuns = [runId, laterId, lastId];
const stop = (change: Partial<AuditedStop>): AuditedStop => ({
  id: "s",
  scope: "all",
  strength: "move",
  at: 15,
  ...change,
});
const run = (id: string, change: Partial<AuditedRun> = {}): AuditedRun => ({
  id,
  state: "done",
  aside: [],
  retried: {},
  ...change,
});
const two = (settings: string) => commits.map((each) => ({ ...each, settings }));

/** Moved on at 10, back at 30, and forward again by half at 50. */
const thereAndBack: readonly AuditedCommit[] = [
  ...commits,
  { sha: later, at: 30, author: "ana", rollouts: file(0), settings: undefined },
];
const andAgain = [...thereAndBack, { sha: last, at: 50, author: "ana", rollouts: file(100), settings: undefined }];
const hold = stop({ id: "h", scope: "bucket/production", returnOf: laterId, at: 31 });
const moves = [move(web, 20, "new"), move(web, 35, "old", laterId)];
const settledBoth = [settled(web, 25), settled(web, 40)];
const runs = [run(runId), run(laterId)];

/** A way forward at 55, after the way back: what the hold is for. */
function again(stops: readonly AuditedStop[]): Evidence {
  return make(
    { writes: [...moves, move(web, 55, "new", lastId)], statuses: settledBoth },
    { main: andAgain, ledgerRuns, ledger: { stops, runs } },
  );
}

/** Two tries of one target: the first failed, was put back, and the second carries its number. */
function twice(ledger?: Evidence["ledger"], second = `${runId} new #2`): Evidence {
  const retry = move(web, 40, "new");
  const marked = { ...retry, body: { ...retry.body, metadata: { annotations: { "meshroll.dev/run": second } } } };
  const undo = { ...move(web, 30, "old"), body: { spec: move(web, 30, "old").body.spec } };
  return make(
    { writes: [move(web, 20, "new"), undo, marked], statuses: settledBoth },
    ledger === undefined ? {} : { ledger },
  );
}

const remade = { ...object(web), uid: "u2", version: 30 };

/** What the history of the ledger tells besides: stops, returns and their holds, retries. */
export const stopCases: PlantedCases = {
  "a forward write under a pause of everything": {
    evidence: make({ writes: [move(web, 20, "new")] }, { ledger: { stops: [stop({})], runs } }),
    want: ["stoppedStands"],
  },
  "a forward write under a stop of its cluster": {
    evidence: make({ writes: [move(web, 20, "new")] }, { ledger: { stops: [stop({ scope: "cluster/one" })], runs } }),
    want: ["stoppedStands"],
  },
  "a forward write under a stop of another cluster, another run, another bucket": {
    evidence: make(
      { writes: [move(web, 20, "new")] },
      {
        ledger: {
          stops: ["cluster/two", "run/ffffffffffff", "bucket/other", "namespace/shop2"].map((scope) => stop({ scope })),
          runs,
        },
      },
    ),
    want: [],
  },
  "a forward write under a stop of its run, its bucket and its namespace": {
    evidence: make(
      { writes: [move(web, 20, "new")] },
      {
        ledger: {
          stops: [`run/${runId}`, "bucket/production", "namespace/shop"].map((scope) => stop({ scope })),
          runs,
        },
      },
    ),
    want: ["stoppedStands", "stoppedStands", "stoppedStands"],
  },
  "a forward write under a hold, which binds proposals only": {
    evidence: make({ writes: [move(web, 20, "new")] }, { ledger: { stops: [stop({ strength: "propose" })], runs } }),
    want: [],
  },
  "the patch that was in the hand when the stop came": {
    evidence: make({ writes: [move(web, 20, "new")] }, { graceMs: 5, ledger: { stops: [stop({})], runs } }),
    want: [],
  },
  "a forward write after the lift": {
    evidence: make({ writes: [move(web, 20, "new")] }, { ledger: { stops: [stop({ liftedAt: 19 })], runs } }),
    want: [],
  },
  "an undo under a stop": {
    evidence: make({ writes: [move(web, 14, "new"), move(web, 25, "old")] }, { ledger: { stops: [stop({})], runs } }),
    want: [],
  },
  "a return under a stop": {
    evidence: make(
      { writes: moves, statuses: settledBoth },
      { main: thereAndBack, ledgerRuns, ledger: { stops: [stop({ at: 22 }), hold], runs } },
    ),
    want: [],
  },
  "a forward write after a return whose hold was never placed": { evidence: again([]), want: ["returnHolds"] },
  "a forward write under a return's hold": { evidence: again([hold]), want: ["stoppedStands", "returnHolds"] },
  "a forward write after a return's hold was lifted": { evidence: again([{ ...hold, liftedAt: 54 }]), want: [] },
  "a return that says it is done and left somebody behind": {
    evidence: make(
      { writes: [move(web, 20, "new")] },
      { main: thereAndBack, ledgerRuns, ledger: { stops: [hold], runs } },
    ),
    want: ["returnedAreBack"],
  },
  "a return that names whom it left behind": {
    evidence: make(
      { writes: [move(web, 20, "new")] },
      {
        main: thereAndBack,
        ledgerRuns,
        ledger: { stops: [hold], runs: [run(laterId, { aside: ["one:shop/Deployment/web"] })] },
      },
    ),
    want: [],
  },
  "a return that is still at work": {
    evidence: make(
      { writes: [move(web, 20, "new")] },
      { main: thereAndBack, ledgerRuns, ledger: { stops: [hold], runs: [run(laterId, { state: "open" })] } },
    ),
    want: [],
  },
  "a second try that a person asked for": {
    evidence: twice({ stops: [], runs: [run(runId, { retried: { "one:shop/Deployment/web": 1 } })] }),
    want: [],
  },
  "a second try that nobody asked for": { evidence: twice({ stops: [], runs: [run(runId)] }), want: ["restartedOnce"] },
  "a second try where no ledger tells of one": { evidence: twice(), want: ["restartedOnce"] },
  "the first try made twice though a retry was asked for": {
    evidence: twice({ stops: [], runs: [run(runId, { retried: { "one:shop/*": 1 } })] }, `${runId} new`),
    want: ["restartedOnce"],
  },
  "a workload that was deleted and made again is another one": {
    evidence: make({
      writes: [move(web, 20, "new"), move(web, 40, "new")],
      statuses: [settled(web, 25)],
      created: [remade],
    }),
    want: [],
  },
  "a workload that was made again without injection is not written": {
    evidence: make({
      writes: [move(web, 40, "new")],
      created: [{ ...remade, ...object(web, { "sidecar.istio.io/inject": "false" }), uid: "u2" }],
    }),
    want: ["unmanagedUntouched"],
  },
  "a write for the head that a merge has just replaced": {
    evidence: make({ writes: [move(web, 32, "new")] }, { main: thereAndBack, ledgerRuns, graceMs: 5 }),
    want: [],
  },
  "a write for a head that was replaced long ago": {
    evidence: make({ writes: [move(web, 36, "new")] }, { main: thereAndBack, ledgerRuns, graceMs: 5 }),
    want: ["demanded"],
  },
  "a file that cannot be read asks for nothing new": {
    evidence: make(
      { writes: [move(web, 40, "new")] },
      { main: [...commits, { ...commits[1]!, author: "ana", at: 30, rollouts: "production: [" }] },
    ),
    want: [],
  },
  "a return moves by its own batch": {
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
        main: [
          ...two("defaults: {batch: {batchSize: 1}, rollback: {batch: {batchSize: 2}}}"),
          { ...thereAndBack[2]!, settings: "defaults: {batch: {batchSize: 1}, rollback: {batch: {batchSize: 2}}}" },
        ],
        ledgerRuns,
      },
    ),
    want: [],
  },
};
