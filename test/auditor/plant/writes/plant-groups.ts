import type { AuditedObject, AuditedWrite } from "../../evidence/evidence.ts";
import { readGroup } from "../../evidence/vm-groups.ts";
import { make, type PlantedCases, runId, send } from "../plant.ts";

const tills = "/apis/networking.istio.io/v1/namespaces/shop/workloadgroups/tills";
const previous = JSON.stringify({ template: { labels: { "istio.io/rev": "old" } } });
const mark = `${runId} new`;

/** A WorkloadGroup whose VMs shall run this revision. */
const group: AuditedObject = {
  path: tills,
  labels: {},
  ...readGroup({ "example.com/team": "shop", "meshroll.dev/revision": "old" }),
  injectedPods: "unknown",
  available: true,
};

const patch = (at: number, annotations: object, more: object = {}): AuditedWrite =>
  send(tills, at, { metadata: { resourceVersion: "1", annotations }, ...more });

const moved = { "meshroll.dev/revision": "new", "meshroll.dev/run": mark, "meshroll.dev/previous": previous };
const good = patch(20, moved);
const undone = patch(25, { "meshroll.dev/revision": "old", "meshroll.dev/previous": null });

const only = (...writes: readonly AuditedWrite[]) => make({ before: [group], writes });

/** Moves of groups of VMs, by annotations of their WorkloadGroups. */
export const groupCases: PlantedCases = {
  "a move of a group of VMs as executors write it": { evidence: only(good), want: [] },
  "its undo": { evidence: only(good, undone), want: [] },
  "an undo of a group to a revision that it never had": {
    evidence: only(good, patch(25, { "meshroll.dev/revision": "other", "meshroll.dev/previous": null })),
    want: ["undoIsExact", "demanded"],
  },
  "a move of a group that does not record what it replaced": {
    evidence: only(patch(20, { "meshroll.dev/revision": "new", "meshroll.dev/run": mark })),
    want: ["undoIsExact"],
  },
  "a move of a group that changes its owner's template": {
    evidence: only(patch(20, moved, { spec: { template: { serviceAccount: "admin" } } })),
    want: ["ownFieldsOnly"],
  },
  "a move of a group that changes an annotation of its owner": {
    evidence: only(patch(20, { ...moved, "example.com/team": null })),
    want: ["ownFieldsOnly"],
  },
  "a WorkloadEntry, which is istiod's": {
    evidence: only(
      send(tills.replace("workloadgroups", "workloadentries"), 20, { metadata: { resourceVersion: "1" } }),
    ),
    want: ["ownFieldsOnly"],
  },
};
