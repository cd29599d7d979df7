import type { Evidence } from "../../evidence/evidence.ts";
import { make, move, type PlantedCases, run, runId, send, stop, web } from "../plant.ts";

const failedMark = { "meshroll.dev/failed": "new ReadinessTimeout 2026-01-01T00:00:00Z" };

/** The run is stopped at 40 for the failure of an object that this write speaks of. */
function stoppedFor(object: string, write: ReturnType<typeof send>): Evidence {
  const failed = stop({ scope: `run/${runId}`, cause: "failures", at: 40, failures: [object] });
  return make({ writes: [write] }, { ledger: { stops: [failed], runs: [run(runId)] } });
}

const marking = { metadata: { resourceVersion: "1", annotations: failedMark } };
const byKubectl = { user: "owner", fieldManager: "kubectl-annotate" };

/** What a run is stopped for. */
export const failureCases: PlantedCases = {
  "a stop for a failure that our executor recorded": {
    evidence: stoppedFor("one:shop/Deployment/web", send(web, 25, marking)),
    want: [],
  },
  "a stop for the failure of a namespace": {
    evidence: stoppedFor("one:shop/*", send("/api/v1/namespaces/shop", 25, marking)),
    want: [],
  },
  "a stop for a move that the API server refused: nothing is marked": {
    evidence: stoppedFor("one:shop/Deployment/web", move(web, 20, "new", runId, 1, { status: 403, version: 0 })),
    want: [],
  },
  "a stop for a failure that the owner of the workload wrote by hand": {
    evidence: stoppedFor("one:shop/Deployment/web", send(web, 25, marking, byKubectl)),
    want: ["failuresAreOurs"],
  },
  "a stop for a failure that the owner wrote under the name of our field manager": {
    evidence: stoppedFor("one:shop/Deployment/web", send(web, 25, marking, { user: "owner" })),
    want: ["ownHandsOnly", "failuresAreOurs"],
  },
};
