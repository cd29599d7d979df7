import type { Evidence } from "../../evidence/evidence.ts";
import {
  api,
  byOwner,
  commit,
  commits,
  file,
  make,
  missing,
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
} from "../plant.ts";

const [third, fourth] = ["1".repeat(40), "2".repeat(40)];
const thereAndBack = [...commits, commit({ sha: third, at: 30 }), commit({ sha: fourth, at: 40, rollouts: file(100) })];
const slowly = underSettings("defaults: {batch: {delayBetweenBatches: 1h, maxUnavailable: 1}}");
const two = underSettings("defaults: {batch: {batchSize: 2, delayBetweenBatches: 0s}}");
const twoInBudget = underSettings("defaults: {batch: {batchSize: 2, delayBetweenBatches: 0s, maxUnavailable: 1}}");

const tenSeconds = underSettings("defaults: {batch: {delayBetweenBatches: 10s, readinessTimeout: 10m}}");

/** `web` moves at 20, and `api` at this time. */
const secondAt = (at: number, main = commits) =>
  make({ writes: [move(web, 20, "new"), move(api, at, "new")] }, { main });

/** The owner of `web` takes its move back, and it has settled at `whole`; `api` moves at 16 s. */
function moveAfterTakenBack(whole: number): Evidence {
  return make(
    {
      writes: [move(web, 20, "new"), byOwner(web, 4000, "old"), move(api, 16_000, "new")],
      statuses: [settled(web, whole)],
    },
    { main: tenSeconds },
  );
}

/** `web` is undone, and has settled 5 s before `api` moves; `gone`: when its last new pod went. */
function moveAfterUndo(gone: number | undefined): Evidence {
  const pods = gone === undefined ? [] : [{ at: gone, path: web, revisions: ["old"] }];
  return make(
    {
      writes: [move(web, 20, "new"), undo(web, 20_000), move(api, 40_000, "new")],
      statuses: [settled(web, 35_000)],
      pods: [{ at: 25, path: web, revisions: ["new"] }, ...pods],
    },
    { main: tenSeconds },
  );
}

/** The run, with the earliest time at which its record was pushed. */
const recordedFrom = (startedFrom: number) => ({ ledger: { stops: [], runs: [run(runId, { startedFrom })] } });

const stuck = { readinessTimeout: "5m", delayBetweenBatches: "5s" };
const underStuck = (more: object) => underSettings(JSON.stringify({ defaults: { batch: { ...stuck, ...more } } }));

/** `web` is undone at this time and settles 5 s later; `api` moves 1 ms after that. */
function moveAfterStall(undoneAt: number, more: object): Evidence {
  return make(
    {
      writes: [move(web, 20, "new"), undo(web, undoneAt), move(api, undoneAt + 5001, "new")],
      statuses: [settled(web, undoneAt + 5000)],
    },
    { main: underStuck({ delayBetweenBatches: "4s", ...more }) },
  );
}

/** Cases that the write log and main alone decide. */
export const writeCases: PlantedCases = {
  "a move that main wants, and the next one after it settled": {
    evidence: make({ writes: [move(web, 20, "new"), move(api, 40, "new")], statuses: [settled(web, 30)] }),
    want: [],
  },
  "a failed move that is undone": { evidence: make({ writes: [move(web, 20, "new"), undo(web, 25)] }), want: [] },
  "a write before the merge of the commit that asks for it": {
    evidence: make({ writes: [move(web, 5, "new")] }),
    want: ["demanded"],
  },
  "a move forward while main cannot be read": {
    evidence: make(
      { writes: [move(web, 40, "new")] },
      { main: [...commits, commit({ sha: third, at: 30, rollouts: "production: [" })] },
    ),
    want: ["demanded"],
  },
  "a workload moved, reverted and moved again": {
    evidence: make({
      writes: [move(web, 20, "new"), byOwner(web, 25, "old"), move(web, 40, "new")],
      statuses: [settled(web, 30)],
    }),
    want: ["restartedOnce"],
  },
  "a workload undone when main rolled back, and moved again when main moved forward again": {
    evidence: make(
      { writes: [move(web, 20, "new"), undo(web, 35), move(web, 50, "new")], statuses: [settled(web, 30)] },
      {
        main: thereAndBack,
        ledger: {
          stops: [
            stop({
              id: "h",
              scope: "bucket/production",
              rollbackOf: third.slice(0, 12),
              at: 31,
              resumedAt: 45,
            }),
          ],
          runs: [run(runId)],
        },
      },
    ),
    want: [],
  },
  "a workload undone while main still wants the move, and moved again": {
    evidence: make({ writes: [move(web, 20, "new"), undo(web, 35), move(web, 50, "new")] }),
    want: ["restartedOnce"],
  },
  "a write in kube-system": {
    evidence: make({
      before: [object(web), object("/apis/apps/v1/namespaces/kube-system/deployments/dns")],
      writes: [move("/apis/apps/v1/namespaces/kube-system/deployments/dns", 20, "new")],
    }),
    want: ["unmanagedUntouched"],
  },
  "a write to a workload that opted out": {
    evidence: make({
      before: [object(web, { "sidecar.istio.io/inject": "false", "istio.io/rev": "old" })],
      writes: [move(web, 20, "new")],
    }),
    want: ["unmanagedUntouched"],
  },
  "a write to a workload outside the mesh": {
    evidence: make({
      before: [object(web, {}, { injectedPods: 0 })],
      writes: [move(web, 20, "new")],
    }),
    want: ["undoIsExact", "unmanagedUntouched"],
  },
  "two workloads at once with batchSize 1": {
    evidence: secondAt(21),
    want: ["withinBatchSize", "batchesApart"],
  },
  "two workloads at once where main allows two": {
    evidence: secondAt(21, two),
    want: [],
  },
  "a second one next to one that has rolled for a twentieth of its timeout, in a run that goes on after failures": {
    evidence: secondAt(20_020, underStuck({ failurePolicy: "ContinueOnError" })),
    want: [],
  },
  "the same before its share of time is over": {
    evidence: secondAt(14_020, underStuck({ failurePolicy: "ContinueOnError" })),
    want: ["withinBatchSize", "batchesApart"],
  },
  "the same before the delay after it is over": {
    evidence: secondAt(19_020, underStuck({ failurePolicy: "ContinueOnError" })),
    want: ["batchesApart"],
  },
  "the same where the first failure ends the run": {
    evidence: secondAt(20_020, underStuck({})),
    want: ["withinBatchSize", "batchesApart"],
  },
  "the same where one may be unavailable": {
    evidence: secondAt(20_020, underStuck({ failurePolicy: "ContinueOnError", maxUnavailable: 1 })),
    want: ["withinBudget"],
  },
  "the second one 1 ms after the first has settled, under a delay of 1 h": {
    evidence: make(
      { writes: [move(web, 20, "new"), move(api, 31, "new")], statuses: [settled(web, 30)] },
      { main: slowly },
    ),
    want: ["batchesApart"],
  },
  "the second one 1 h after the first has settled": {
    evidence: make(
      { writes: [move(web, 20, "new"), move(api, 3_600_030, "new")], statuses: [settled(web, 30)] },
      { main: slowly },
    ),
    want: [],
  },
  "two at once in a batch of two, where one may be unavailable": {
    evidence: secondAt(21, twoInBudget),
    want: ["withinBudget"],
  },
  "a move while another workload has been down since the run began, where one may be unavailable": {
    evidence: make(
      { writes: [move(api, 9000, "new")], statuses: [missing(web, 30)] },
      { main: twoInBudget, ledger: { stops: [], runs: [run(runId, { clusters: { one: 20 } })] } },
    ),
    want: ["withinBudget"],
  },
  "a move while another workload was down before the run began": {
    evidence: make(
      { writes: [move(api, 9000, "new")], statuses: [missing(web, 12)] },
      { main: twoInBudget, ledger: { stops: [], runs: [run(runId, { clusters: { one: 20 } })] } },
    ),
    want: [],
  },
  "the next one 11 s after the last pod of what was undone has gone": { evidence: moveAfterUndo(29_000), want: [] },
  "the next one 9 s after it has gone": { evidence: moveAfterUndo(31_000), want: ["batchesApart"] },
  "the next one 5 s after an undo settled whose pods were not recorded": {
    evidence: moveAfterUndo(undefined),
    want: ["batchesApart"],
  },
  "the next one right after the undo of a stalled one, in a run that goes on after failures": {
    evidence: moveAfterStall(300_020, { failurePolicy: "ContinueOnError" }),
    want: [],
  },
  "the same where the first failure ends the run, so that it kept its place": {
    evidence: moveAfterStall(300_020, {}),
    want: ["batchesApart"],
  },
  "the same after an undo before its share of time was over": {
    evidence: moveAfterStall(14_020, { failurePolicy: "ContinueOnError" }),
    want: ["batchesApart"],
  },
  "the next one 1 s after the one before settled, which its owner had taken back": {
    evidence: moveAfterTakenBack(15_000),
    want: ["batchesApart"],
  },
  "the next one 11 s after it settled": { evidence: moveAfterTakenBack(5000), want: [] },
  "the same after a deploy of the owner that keeps our label": {
    evidence: make(
      {
        writes: [move(web, 20, "new"), byOwner(web, 5000, "new"), move(api, 16_000, "new")],
        statuses: [settled(web, 15_000)],
      },
      { main: tenSeconds },
    ),
    want: ["batchesApart"],
  },
  "a move for a run that the ledger does not know": {
    evidence: make({ writes: [move(web, 20, "new")] }, { ledger: { stops: [], runs: [] } }),
    want: ["namedByLedger"],
  },
  "a move for a run that the ledger recorded after it": {
    evidence: make({ writes: [move(web, 20, "new")] }, recordedFrom(30)),
    want: ["namedByLedger"],
  },
  "a move while its run's record was being pushed": {
    evidence: make({ writes: [move(web, 20, "new")] }, recordedFrom(15)),
    want: [],
  },
  "a refused write moves nothing": {
    evidence: make({ writes: [{ ...move(web, 5, "new"), status: 409 }] }),
    want: [],
  },
};
