import {
  api,
  byOwner,
  commits,
  make,
  move,
  type PlantedCases,
  run,
  runId,
  settled,
  underSettings,
  web,
} from "../plant.ts";
import type { AuditedCommit, AuditedRun, AuditedWrite } from "../../evidence/evidence.ts";

const id = "c".repeat(12);
const names = { "one:shop/Deployment/web": 1 };

/** `web` is on `new`, its owner puts `old` back, and a person starts a converging run. */
function converge(
  writes: readonly AuditedWrite[],
  more: Partial<AuditedRun>,
  revisions = ["new"],
  main: readonly AuditedCommit[] = commits,
) {
  const before = [move(web, 20, "new"), byOwner(web, 30, "old")];
  const pods = [
    { at: 0, path: web, revisions: ["old"] },
    { at: 50, path: web, revisions },
  ];
  return make(
    { writes: [...before, ...writes], statuses: [settled(web, 25), settled(web, 35), settled(web, 45)], pods },
    {
      main,
      ledger: {
        stops: [],
        runs: [run(runId), run(id, { convergesTo: commits[1]?.sha ?? "", retried: names, ...more })],
      },
    },
  );
}

/** A run that had ended, and that a retry of `web` opened again. */
function reopen(writes: readonly AuditedWrite[]) {
  const opened = { retried: names, earlierEnds: [{ endedAt: 30, reopenedAt: 35 }] };
  const pods = [{ at: 0, path: web, revisions: ["old"] }];
  return make({ writes, statuses: [settled(web, 45)], pods }, { ledger: { stops: [], runs: [run(runId, opened)] } });
}

/** A converging run moves only the workloads that it named, once, towards main. */
export const convergeCases: PlantedCases = {
  "a converging run moves what it named": { evidence: converge([move(web, 40, "new", id, 2)], {}), want: [] },
  "a converging run is done without a bake": {
    evidence: converge(
      [move(web, 40, "new", id, 2)],
      { state: "done", endedAt: 60, endedAtLatest: 60 },
      ["new"],
      underSettings("defaults: { bake: 1h }"),
    ),
    want: [],
  },
  "a converging run moves what it did not name": {
    evidence: converge([move(web, 40, "new", id, 2), move(api, 46, "new", id)], {}),
    want: ["convergesAsNamed"],
  },
  "a converging run restarts a workload twice": {
    evidence: converge([move(web, 40, "new", id, 2), byOwner(web, 41, "old"), move(web, 42, "new", id, 2)], {}),
    want: ["restartedOnce"],
  },
  "a converging run of a commit that main never had": {
    evidence: converge([move(web, 40, "new", id, 2)], { convergesTo: "e".repeat(40) }),
    want: ["evidenceIsWhole", "namedByLedger"],
  },
  "a run that a retry opened again moves what the retry named": {
    evidence: reopen([move(web, 40, "new", runId, 2)]),
    want: [],
  },
  "a run that a retry opened again moves what no retry named": {
    evidence: reopen([move(web, 40, "new", runId, 2), move(api, 46, "new")]),
    want: ["reopenedAsNamed"],
  },
  "a converging run that is done, while a named workload is elsewhere": {
    evidence: converge([move(web, 40, "new", id, 2)], { state: "done", endedAt: 60_000, endedAtLatest: 60_000 }, [
      "old",
    ]),
    want: ["doneMeansMigrated"],
  },
};
