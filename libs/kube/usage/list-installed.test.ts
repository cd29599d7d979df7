import { expect, it } from "vitest";

import type { ApiObject } from "../api-types.ts";
import type { ApiAnswer, ApiCall } from "../requests/api-call.ts";
import { listInstalled } from "./list-installed.ts";

type Labels = Readonly<Record<string, string>>;

const chart = (labels: Labels = {}): Labels => ({ app: "istiod", "app.kubernetes.io/name": "istiod", ...labels });
const ofRevision = (revision: string) => chart({ "istio.io/rev": revision });
const generated = { ...ofRevision("1-30"), "operator.istio.io/component": "Pilot" };
const pruned = { ...generated, "operator.istio.io/managed": "Reconcile" };
const inMesh = (name: string, labels: Labels, more: object = {}): ApiObject => ({
  metadata: { name, namespace: "istio-system", labels, ...more },
});
const rbac = "/apis/rbac.authorization.k8s.io/v1";
const byHelm = { "meta.helm.sh/release-name": "istiod-1-30", "meta.helm.sh/release-namespace": "istio-system" };

/** Objects of two revisions and of people, by path. */
const whole: Readonly<Record<string, readonly ApiObject[]>> = {
  "/apis/apps/v1/deployments": [
    inMesh("istiod-1-30", pruned),
    inMesh("istiod-1-31", ofRevision("1-31")),
    inMesh("gateway", { app: "istio-ingressgateway", "istio.io/rev": "1-30" }),
  ],
  "/api/v1/services": [inMesh("istiod-1-30", ofRevision("1-30"), { annotations: byHelm })],
  "/api/v1/configmaps": [
    inMesh("values-1-30", generated),
    inMesh("istio-1-30", ofRevision("1-30"), {
      annotations: byHelm,
      ownerReferences: [{ apiVersion: "sailoperator.io/v1", kind: "IstioRevision", name: "default-1-30" }],
    }),
    inMesh("people", { "istio.io/rev": "1-30" }),
  ],
  "/api/v1/serviceaccounts": [
    inMesh("istiod-1-30", chart()),
    inMesh("istiod-1-31", chart()),
    inMesh("istio-reader-service-account", {
      app: "istio-reader",
      "istio.io/rev": "1-30",
      "operator.istio.io/component": "Base",
    }),
    { metadata: { name: "istiod-1-30", namespace: "elsewhere", labels: chart() } },
  ],
  [`${rbac}/clusterroles`]: [
    { metadata: { name: "istiod-clusterrole-1-30-istio-system", labels: chart() } },
    { metadata: { name: "istio-reader-clusterrole-1-30-istio-system", labels: { app: "istio-reader" } } },
    { metadata: { name: "istiod-clusterrole-1-30-elsewhere", labels: chart() } },
    { metadata: { name: "istiod-clusterrole-1-31-istio-system", labels: chart() } },
    { metadata: { name: "istiod-gateway-controller-1-30-istio-system", labels: { app: "mine" } } },
  ],
};
const hooks = {
  injectors: [
    { metadata: { name: "istio-sidecar-injector-1-30", labels: { app: "sidecar-injector", "istio.io/rev": "1-30" } } },
    { metadata: { name: "istio-sidecar-injector-1-31", labels: { app: "sidecar-injector", "istio.io/rev": "1-31" } } },
  ],
  validators: [{ metadata: { name: "istio-validator-1-30-istio-system", labels: ofRevision("1-30") } }],
};

/** As an API server does by `istio.io/rev=` and `app in ()`. */
async function answer({ path }: ApiCall): Promise<ApiAnswer> {
  const [place = "", query = ""] = path.split("?");
  const [, revision] = /istio\.io\/rev=(.+)$/.exec(new URLSearchParams(query).get("labelSelector") ?? "") ?? [];
  if (place === "/apis/policy/v1/poddisruptionbudgets") return { status: 403, body: { message: "no" } };
  const items = (whole[place] ?? []).filter(({ metadata: { labels = {} } = {} }) =>
    revision === undefined
      ? ["istiod", "istio-reader"].includes(labels["app"] ?? "")
      : labels["istio.io/rev"] === revision,
  );
  return { status: 200, body: { metadata: { resourceVersion: "1" }, items } };
}

it("finds what is there of a revision, by its label or the chart's names, webhooks first, with what installed it", async () => {
  const { installed, unread } = await listInstalled(answer, "1-30", hooks);
  expect(
    installed.map(({ resource, namespace, name, by }) =>
      [by.kind, resource.split(".")[0], namespace, name].filter(Boolean).join(" "),
    ),
  ).toEqual([
    "manifest mutatingwebhookconfigurations istio-sidecar-injector-1-30",
    "manifest validatingwebhookconfigurations istio-validator-1-30-istio-system",
    "istioctl deployments istio-system istiod-1-30",
    "helm services istio-system istiod-1-30",
    "manifest configmaps istio-system values-1-30",
    "sail configmaps istio-system istio-1-30",
    "manifest serviceaccounts istio-system istiod-1-30",
    "manifest clusterroles istiod-clusterrole-1-30-istio-system",
    "manifest clusterroles istio-reader-clusterrole-1-30-istio-system",
  ]);
  expect(unread).toEqual(["poddisruptionbudgets.policy: no"]);
});

it("nothing of a revision that is not there", async () => {
  expect((await listInstalled(answer, "1-29", hooks)).installed).toEqual([]);
});
