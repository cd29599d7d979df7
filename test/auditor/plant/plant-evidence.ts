import { commits, make, makeCluster, move, type PlantedCases, run, runId, stop, web } from "./plant.ts";

const whole = make({ writes: [move(web, 20, "new")] });
const refused = ["evidenceIsWhole"];

/** Evidence with something missing: the auditor says what is missing and does not sign. */
export const evidenceCases: PlantedCases = {
  "evidence of nothing at all": {
    evidence: { main: [], pushes: [], clusters: [], ledger: "none" },
    want: ["evidenceIsWhole", "evidenceIsWhole"],
  },
  "evidence without a cluster": { evidence: { ...whole, clusters: [] }, want: refused },
  "evidence without main": {
    evidence: { ...make({}), main: [], ledger: { stops: [], runs: [] } },
    want: refused,
  },
  "a cluster without any record": { evidence: make({ before: [] }), want: refused },
  "a cluster that the ledger names and the evidence lacks": {
    evidence: { ...whole, ledger: { stops: [], runs: [run(runId, { clusters: { one: 15, two: 15 } })] } },
    want: refused,
  },
  "the same cluster twice": {
    evidence: { ...whole, clusters: [makeCluster({}), makeCluster({})] },
    want: refused,
  },
  "a write, and no ledger on the server": {
    evidence: { ...whole, ledger: "none" },
    want: ["evidenceIsWhole", "namedByLedger"],
  },
  "a run whose commit the git server never saw on main": {
    evidence: { ...whole, ledger: { stops: [], runs: [run(runId), run("f".repeat(12))] } },
    want: refused,
  },
  "a stop with an unreadable scope": {
    evidence: { ...make({}), ledger: { stops: [stop({ scope: "bogus" })], runs: [run(runId)] } },
    want: refused,
  },
  "a log that is not in the order of time": {
    evidence: make(
      {
        writes: [
          { ...move(web, 40, "new"), version: 1 },
          { ...move(web, 20, "new"), status: 409 },
        ],
      },
      { main: commits },
    ),
    want: refused,
  },
};
