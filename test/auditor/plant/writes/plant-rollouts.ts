import type { AuditedWrite } from "../../evidence/evidence.ts";
import { make, move, object, type PlantedCases, send, undo } from "../plant.ts";

const roll = "/apis/argoproj.io/v1alpha1/namespaces/shop/rollouts/roll";
const only = (...writes: readonly AuditedWrite[]) => make({ before: [object(roll)], writes });
const change = (spec: object): AuditedWrite => send(roll, 20, { metadata: { resourceVersion: "1" }, spec });

/** Moves of Argo Rollouts, by the labels of their templates. */
export const rolloutCases: PlantedCases = {
  "a move of an Argo Rollout as executors write it": { evidence: only(move(roll, 20, "new")), want: [] },
  "its undo": { evidence: only(move(roll, 20, "new"), undo(roll, 25)), want: [] },
  "a restart past its owner's steps": {
    evidence: only(change({ restartAt: "2026-01-01T00:00:00Z" })),
    want: ["ownFieldsOnly"],
  },
  "its analysis, which is Argo's": {
    evidence: only(send(roll.replace("rollouts/", "analysisruns/"), 20, { metadata: { resourceVersion: "1" } })),
    want: ["ownFieldsOnly"],
  },
};
