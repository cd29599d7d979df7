import type { AuditedWrite } from "../../evidence/evidence.ts";
import { api, make, missing, move, type PlantedCases, runId, send, settled, underSettings, web } from "../plant.ts";

/** Its owner deploys another image. */
const deploy = (at: number): AuditedWrite =>
  send(
    web,
    at,
    { spec: { template: { spec: { containers: [{ image: "web:2" }] } } } },
    { user: "owner", fieldManager: "helm" },
  );

/** The workload is marked as failed and undone. */
function fail(at: number): AuditedWrite {
  const annotations = {
    "meshroll.dev/failed": "new ReadinessTimeout 2026-01-01T00:00:00Z",
    "meshroll.dev/previous": null,
  };
  const spec = { template: { metadata: { labels: { "istio.io/rev": "old" } } } };
  return send(web, at, { metadata: { resourceVersion: "1", annotations }, spec });
}

const moved = move(web, 20, "new", runId);

/** The owner deploys during a move whose last old pod goes at 8 s; the next move comes at this time. */
const followedAt = (at: number) =>
  make(
    {
      writes: [moved, deploy(5000), move(api, at, "new", runId)],
      statuses: [missing(web, 21), missing(web, 5001), settled(web, 30_000)],
      pods: [
        { at: 1000, path: web, revisions: ["new", "old"] },
        { at: 8000, path: web, revisions: ["new"] },
      ],
    },
    { main: underSettings("defaults: {batch: {delayBetweenBatches: 10s, batchSize: 1}}") },
  );

/** Whose rollout was undone, and from which moment on a rollout belongs to the owner. */
export const deployCases: PlantedCases = {
  "the next move 11 s after the move into which an owner deployed was through": {
    evidence: followedAt(19_000),
    want: [],
  },
  "the next move 9 s after that": { evidence: followedAt(17_000), want: ["batchesApart"] },
  "the next move before that": { evidence: followedAt(7000), want: ["withinBatchSize", "batchesApart"] },
  "the undo of a workload that never became ready": {
    evidence: make({ writes: [moved, fail(300)], statuses: [missing(web, 21)] }),
    want: [],
  },
  "the undo of a workload that its owner deployed after it had settled": {
    evidence: make({ writes: [moved, deploy(5000), fail(90_000)], statuses: [settled(web, 4000), missing(web, 5001)] }),
    want: ["ownersDeployStands"],
  },
  "the undo of a workload that its owner deployed before it had settled": {
    evidence: make({ writes: [moved, deploy(3000), fail(90_000)], statuses: [missing(web, 3001)] }),
    want: [],
  },
  "the undo of a workload that settled after its owner's deploy and lost its pods": {
    evidence: make({ writes: [moved, deploy(3000), fail(90_000)], statuses: [settled(web, 5000), missing(web, 9000)] }),
    want: [],
  },
  "the undo of a workload that its owner deployed in the same second as our move": {
    evidence: make({ writes: [moved, deploy(900), fail(90_000)], statuses: [settled(web, 500), missing(web, 901)] }),
    want: [],
  },
};
