import {
  api,
  commit,
  commits,
  make,
  missing,
  move,
  object,
  type PlantedCases,
  run,
  runId,
  send,
  web,
} from "./plant.ts";

const disagrees = ["evidenceAgrees"];
const toNew = move(web, 20, "new");
const [first, second] = commits as readonly [(typeof commits)[number], (typeof commits)[number]];
/** A write that steers nothing, so that no other rule has a word on it. */
const label = (path: string, at: number, value: string) =>
  send(path, at, { metadata: { labels: { team: value } } }, { user: "owner", fieldManager: "helm" });
const scale = (at: number, replicas: number) =>
  send(web, at, { spec: { replicas } }, { user: "owner", fieldManager: "helm" });
const afterLabel = (value: string) => [object(web, undefined, { labels: { team: value } }), object(api)];
const ends = {
  state: "done",
  endedAt: 40,
  endedAtLatest: 45,
  skipped: ["one:shop/Deployment/web", "one:shop/Deployment/api"],
};
const ledger = (...runs: readonly ReturnType<typeof run>[]) => ({ ledger: { stops: [], runs } });

/** Two pieces of evidence that cannot both be true: one of them is wrong, and nothing says which. */
export const contradictionCases: PlantedCases = {
  "one object written twice under one resourceVersion, by different patches": {
    evidence: make({ writes: [label(web, 20, "a"), { ...label(web, 25, "b"), version: 20 }] }),
    want: disagrees,
  },
  "the same in a field that steers nothing": {
    evidence: make({ writes: [scale(20, 1), { ...scale(25, 2), version: 20 }] }),
    want: disagrees,
  },
  "a patch that changes nothing, under the resourceVersion that was there": {
    evidence: make({ writes: [label(web, 20, "a"), { ...label(web, 25, "a"), version: 20 }] }),
    want: [],
  },
  "another object under the same number": {
    evidence: make({ writes: [label(web, 20, "a"), { ...label(api, 25, "b"), version: 20 }] }),
    want: [],
  },
  "an object whose resourceVersion goes down": {
    evidence: make({ writes: [label(web, 20, "a"), { ...label(web, 25, "b"), version: 19 }] }),
    want: disagrees,
  },
  "a write to an object that was gone by then": {
    evidence: make({ deleted: [{ at: 18, version: 18, path: web }], writes: [label(web, 20, "a")] }),
    want: disagrees,
  },
  "an object that came twice and never went": {
    evidence: make({ created: [{ ...object(web), at: 18, version: 18 }] }),
    want: disagrees,
  },
  "an object that went twice and never came back": {
    evidence: make({
      deleted: [
        { at: 18, version: 18, path: web },
        { at: 19, version: 19, path: web },
      ],
    }),
    want: disagrees,
  },
  "an object that went and came back, and was written": {
    evidence: make({
      deleted: [{ at: 18, version: 18, path: web }],
      created: [{ ...object(web), at: 19, version: 19 }],
      writes: [label(web, 20, "a")],
      after: afterLabel("a"),
    }),
    want: [],
  },
  "a workload that settled without its pods": {
    evidence: make({ statuses: [{ ...missing(web, 20), settled: true }] }),
    want: disagrees,
  },
  "one status of a workload told in two ways": {
    evidence: make({ statuses: [missing(web, 20), { ...missing(web, 20), available: true }] }),
    want: disagrees,
  },
  "a stop by kubectl that ended before it was there": {
    evidence: make({ kubectlStops: [{ at: 30, resumedAt: 20 }] }),
    want: disagrees,
  },
  "a commit that was pushed at two different times": {
    evidence: make({ writes: [toNew] }, { main: [first, second, { ...second, at: 30 }] }),
    want: disagrees,
  },
  "a commit that a forced push made the head again": {
    evidence: make({ writes: [toNew] }, { main: [first, second, { ...second, at: 30, isForced: true }] }),
    want: [],
  },
  "one commit with two different files": {
    evidence: make({}, { main: [first, second, { ...second, at: 30, isForced: true, rollouts: first.rollouts }] }),
    want: disagrees,
  },
  "a commit that arrived before the one below it": {
    evidence: make({}, { main: [commit({ sha: "0".repeat(40), at: 50, atLatest: 55 }), { ...second, atLatest: 15 }] }),
    want: disagrees,
  },
  "a push that ended before it began": {
    evidence: make({}, { pushes: [{ branch: "x", at: 30, atLatest: 20, by: "ana" }] }),
    want: disagrees,
  },
  "a run that the ledger has twice": {
    evidence: make({ writes: [toNew] }, ledger(run(runId), run(runId))),
    want: disagrees,
  },
  "a run whose first record is later than its end": {
    evidence: make({}, ledger(run(runId, { ...ends, startedAt: 50 }))),
    want: disagrees,
  },
  "a run whose first record is later than an end from which a retry opened it again": {
    evidence: make({}, ledger(run(runId, { startedAt: 50, earlierEnds: [{ endedAt: 20, reopenedAt: 30 }] }))),
    want: disagrees,
  },
  "a run that opens a wave after its end": {
    evidence: make({}, ledger(run(runId, { ...ends, startedAt: 15, clusters: { one: 60 } }))),
    want: disagrees,
  },
  "a run that was recorded before its commit was on main": {
    evidence: make({}, ledger(run(runId, { startedAt: 5 }))),
    want: disagrees,
  },
  "a move for a run that the ledger recorded after it": {
    evidence: make({ writes: [toNew] }, ledger(run(runId, { startedFrom: 30, startedAt: 35 }))),
    want: disagrees,
  },
  "a move in the time in which its run's record was pushed": {
    evidence: make({ writes: [toNew] }, ledger(run(runId, { startedFrom: 15, startedAt: 25 }))),
    want: [],
  },
  "a run that was taken over by one that began after its end": {
    evidence: make(
      {},
      {
        main: [...commits, commit({ sha: "1".repeat(40), at: 50, rollouts: second.rollouts })],
        ...ledger(run(runId, { ...ends, takenOverBy: "1".repeat(12) }), run("1".repeat(12), { startedAt: 60 })),
      },
    ),
    want: disagrees,
  },
  "a cluster's whole life, and nothing that contradicts": {
    evidence: make(
      { writes: [toNew] },
      ledger(run(runId, { ...ends, startedAt: 15, startedFrom: 12, clusters: { one: 15 } })),
    ),
    want: [],
  },
};
