import type { AuditedCluster, AuditedRun, Evidence } from "../../evidence/evidence.ts";
import {
  apiKey,
  commit,
  commits,
  file,
  make,
  move,
  type PlantedCases,
  run,
  runId,
  settled,
  underSettings,
  undo,
  web,
  webKey,
} from "../plant.ts";

const end = 100_000;

/** A run that is done, with `api` skipped. The case gives what its cluster shows. */
function done(
  cluster: Partial<AuditedCluster>,
  change: Partial<AuditedRun> = {},
  extra: Partial<Evidence> = {},
): Evidence {
  const own = run(runId, { state: "done", endedAt: end, endedAtLatest: end, skipped: [apiKey], ...change });
  return make(cluster, { ledger: { stops: [], runs: [own] }, ...extra });
}

const moved = { writes: [move(web, 20, "new")], statuses: [settled(web, 25)] };
const pods = (...seen: readonly (readonly [at: number, ...revisions: string[]])[]) =>
  seen.map(([at, ...revisions]) => ({ at, path: web, revisions }));

/** What a run must have done when the ledger says that it is done. */
export const doneCases: PlantedCases = {
  "a run that is done, and its workload runs what was requested": {
    evidence: done({ ...moved, pods: pods([0, "old"], [24, "new"]) }),
    want: [],
  },
  "a run that is done, while its workload is back on the old revision": {
    evidence: done({
      writes: [move(web, 20, "new"), undo(web, 30)],
      pods: pods([0, "old"], [24, "new"], [34, "old"]),
    }),
    want: ["doneMeansMigrated"],
  },
  "a run that is done while half of the pods run the old revision": {
    evidence: done({ ...moved, pods: pods([0, "old"], [24, "new", "old"]) }),
    want: ["doneMeansMigrated"],
  },
  "a run that is done and names the workload that it left": {
    evidence: done({ pods: pods([0, "old"]) }, { skipped: [apiKey, webKey] }),
    want: [],
  },
  "a run that is done, whose workload a later commit wants elsewhere": {
    evidence: done({ pods: pods([0, "old"]) }, {}, { main: [...commits, commit({ sha: "2".repeat(40), at: 50 })] }),
    want: [],
  },
  "a run that is done, whose workload is in a cluster that main excludes": {
    evidence: done({ pods: pods([0, "old"]) }, {}, { main: underSettings("clusters: { one: { excluded: true } }") }),
    want: [],
  },
  "a run that is done, in a cluster that main excluded only earlier": {
    evidence: done(
      { pods: pods([0, "old"]) },
      {},
      {
        main: [
          ...underSettings("clusters: { one: { excluded: true } }"),
          commit({ sha: "2".repeat(40), at: 50, rollouts: file(100) }),
        ],
      },
    ),
    want: ["doneMeansMigrated"],
  },
  "a run that is done without a cluster that was never seen": {
    evidence: done({ pods: pods([0, "old"]) }, { seen: ["two"] }),
    want: [],
  },
  "a run that is done without a cluster that its own end names as seen": {
    evidence: done({ pods: pods([0, "old"]) }, { seen: ["one", "two"] }),
    want: ["doneMeansMigrated"],
  },
  "a run that is done without a cluster that it wrote to": {
    evidence: done({ ...moved, pods: pods([0, "old"]) }, { seen: ["two"] }),
    want: ["doneMeansMigrated"],
  },
  "a run that is done without a cluster that an earlier run knew": {
    evidence: done(
      { pods: pods([0, "old"]) },
      {},
      {
        ledger: {
          stops: [],
          runs: [
            run("0".repeat(12), { state: "done", clusters: { one: 1 } }),
            run(runId, { state: "done", endedAt: end, endedAtLatest: end, skipped: [apiKey], seen: ["two"] }),
          ],
        },
      },
    ),
    want: ["doneMeansMigrated"],
  },
  "a late patch of a run that is over does not count for its bake": {
    evidence: done({
      writes: [move(web, 20, "new"), move(web, end + 40, "old"), move(web, end + 60, "new")],
      statuses: [settled(web, 25), settled(web, end + 50), settled(web, end + 90)],
      pods: pods([0, "old"], [24, "new"]),
    }),
    want: ["demanded"],
  },
  "a run that is done, whose workload was deleted": {
    evidence: done({ pods: pods([0, "old"]), deleted: [{ at: 50, version: 50, path: web }] }),
    want: [],
  },
};
