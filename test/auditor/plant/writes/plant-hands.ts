import type { AuditedWrite } from "../../evidence/evidence.ts";
import { make, move, object, type PlantedCases, runId, send, undo, web } from "../plant.ts";

const good = move(web, 20, "new");
const mark = `${runId} new`;

/** An allowed move with something else added to the patch. */
function smuggle(metadata: object, spec: object = {}): AuditedWrite {
  const previous = JSON.stringify({ template: { labels: { "istio.io/rev": "old" } } });
  const annotations = { "meshroll.dev/run": mark, "meshroll.dev/previous": previous };
  const template = { metadata: { labels: { "istio.io/rev": "new" } } };
  return send(web, 20, { metadata: { resourceVersion: "1", annotations, ...metadata }, spec: { template, ...spec } });
}

const inTemplate = (template: object) =>
  smuggle({}, { template: { metadata: { labels: { "istio.io/rev": "new" } }, ...template } });

const only = (write: AuditedWrite) => make({ writes: [write] });
const fieldsOnly = ["ownFieldsOnly"];
const handsOnly = ["ownHandsOnly"];

const claimOf = (data: Readonly<Record<string, string>>) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "meshroll-installation" },
  data,
});

/** Allowed moves that change something more, and requests that meshroll never sends. */
export const handCases: PlantedCases = {
  "a move as executors write it": { evidence: only(good), want: [] },
  "a move that also sets replicas to 0": { evidence: only(smuggle({}, { replicas: 0 })), want: fieldsOnly },
  "a move that also sets an image": {
    evidence: only(inTemplate({ spec: { containers: [{ name: "app", image: "evil" }] } })),
    want: fieldsOnly,
  },
  "a move that also sets a foreign annotation of the pods": {
    evidence: only(
      inTemplate({ metadata: { labels: { "istio.io/rev": "new" }, annotations: { "proxy.istio.io/config": "{}" } } }),
    ),
    want: ["ownFieldsOnly", "undoIsExact"],
  },
  "a move that names no resourceVersion": {
    evidence: only(smuggle({ resourceVersion: undefined })),
    want: ["ownFieldsOnly", "ownFieldsOnly"],
  },
  "an annotation of another form": {
    evidence: only(smuggle({ annotations: { "meshroll.dev/run": "whatever new" } })),
    want: ["ownFieldsOnly", "undoIsExact", "namedByLedger"],
  },
  "a DELETE of a managed Deployment": {
    evidence: make({ writes: [send(web, 20, undefined as unknown as object, { verb: "delete" })] }),
    want: fieldsOnly,
  },
  "a server-side apply": {
    evidence: only({ ...good, contentType: "application/apply-patch+yaml", status: 415 }),
    want: fieldsOnly,
  },
  "the ConfigMap with stops, as executors keep it": {
    evidence: only(
      send("/api/v1/namespaces/meshroll-system/configmaps/meshroll-recorded-stops", 20, { data: { a: "{}", b: null } }),
    ),
    want: [],
  },
  "the ConfigMap that names the cluster's installation": {
    evidence: only(
      send("/api/v1/namespaces/meshroll-system/configmaps", 20, claimOf({ id: "testmeshroll" }), { verb: "create" }),
    ),
    want: [],
  },
  "that ConfigMap with more than an id in it": {
    evidence: only(
      send("/api/v1/namespaces/meshroll-system/configmaps", 20, claimOf({ id: "*", more: "x" }), { verb: "create" }),
    ),
    want: ["ownFieldsOnly"],
  },
  "another ConfigMap of our namespace": {
    evidence: only(send("/api/v1/namespaces/meshroll-system/configmaps/other", 20, { data: {} })),
    want: ["ownFieldsOnly", "unmanagedUntouched"],
  },
  "a move by our account as another field manager": {
    evidence: only({ ...good, fieldManager: "kubectl-edit" }),
    want: handsOnly,
  },
  "a move by another account as our field manager": { evidence: only({ ...good, user: "mallory" }), want: handsOnly },
  "our annotation, set by another account and field manager": {
    evidence: only({ ...good, user: "mallory", fieldManager: "kubectl-edit" }),
    want: handsOnly,
  },
  "a move that does not record what it replaced": {
    evidence: only(
      send(web, 20, {
        metadata: { resourceVersion: "1", annotations: { "meshroll.dev/run": mark } },
        spec: { template: { metadata: { labels: { "istio.io/rev": "new" } } } },
      }),
    ),
    want: ["undoIsExact"],
  },
  "an undo to a revision that the workload never had": {
    evidence: make({ writes: [good, undo(web, 25, "other")] }),
    want: ["undoIsExact", "demanded"],
  },
  "a write that is missing in the log": {
    evidence: make({ before: [object(web)], after: [object(web, { "istio.io/rev": "new" })] }),
    want: ["evidenceIsWhole"],
  },
};
