import { describe, expect, it } from "vitest";

import type { ApiMap, ApiObject } from "../api-types.ts";
import { createInterner } from "./interner.ts";
import { listRevisions, projectIstiod, projectWebhook } from "./mesh-facts.ts";
import { projectNamespace } from "./project-namespace.ts";
import { type PodFacts, projectPod } from "./project-pod.ts";
import { projectWorkload } from "./project-workload.ts";
import { unknownAge } from "./workload-cell.ts";

describe("pods", () => {
  const metadata = {
    namespace: "shop",
    creationTimestamp: "2026-01-05T09:00:00Z",
    labels: { "pod-template-hash": "6b7f" },
    annotations: { "istio.io/rev": "1-29", "sidecar.istio.io/status": '{"revision":"1-29","containers":null}' },
    ownerReferences: [{ kind: "ReplicaSet", name: "web-v2-6b7f", controller: true }],
  };
  const status = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
  const owned = (kind: string, name: string) => [{ kind, name, controller: true }];
  const made = Date.parse("2026-01-05T09:00:00Z") / 1000;
  const ofWeb = { namespace: "shop", kind: "Deployment", workload: "web-v2" } as const;
  const plain = { image: undefined, isPinned: false };
  const web: PodFacts = { ...ofWeb, ...plain, revision: "1-29", ready: true, made, hash: "6b7f" };
  const proxy = { name: "istio-proxy", image: "proxyv2:1.29.0" };

  const cases: Readonly<Record<string, { readonly object: ApiObject; readonly want: PodFacts | undefined }>> = {
    "a Deployment's pod counts for the Deployment of its ReplicaSet": { object: { metadata, status }, want: web },
    "without a Ready condition it is not ready": {
      object: { metadata, status: { phase: "Pending" } },
      want: { ...web, ready: false },
    },
    "a StatefulSet owns its pods itself": {
      object: { metadata: { ...metadata, ownerReferences: owned("StatefulSet", "db") }, status },
      want: { ...web, kind: "StatefulSet", workload: "db" },
    },
    "the sidecar's own status outranks the annotation that every owner may write": {
      object: { metadata: { ...metadata, annotations: { ...metadata.annotations, "istio.io/rev": "other" } }, status },
      want: web,
    },
    "an annotation istio.io/rev without a sidecar is no injection": {
      object: { metadata: { ...metadata, annotations: { "istio.io/rev": "1-29" } }, status },
      want: { ...web, revision: undefined },
    },
    "an older injector's status names no revision: the annotation does": {
      object: {
        metadata: { ...metadata, annotations: { "istio.io/rev": "1-9", "sidecar.istio.io/status": '{"version":"x"}' } },
        status,
      },
      want: { ...web, revision: "1-9" },
    },
    "a status that is no JSON": {
      object: {
        metadata: { ...metadata, annotations: { "istio.io/rev": "1-9", "sidecar.istio.io/status": "{" } },
        status,
      },
      want: { ...web, revision: "1-9" },
    },
    "when it was made is not told": {
      object: { metadata: { ...metadata, creationTimestamp: "soon" }, status },
      want: { ...web, made: unknownAge },
    },
    "a sidecar's image is that of the container istio-proxy": {
      object: { metadata, status, spec: { containers: [{ name: "web", image: "web:1" }, proxy] } },
      want: { ...web, image: "proxyv2:1.29.0" },
    },
    "a native sidecar is an init container": {
      object: { metadata, status, spec: { containers: [{ name: "web", image: "web:1" }], initContainers: [proxy] } },
      want: { ...web, image: "proxyv2:1.29.0" },
    },
    "a pod whose owner chose the image is told apart": {
      object: {
        metadata: { ...metadata, annotations: { ...metadata.annotations, "sidecar.istio.io/proxyImage": "own:1" } },
        status,
        spec: { containers: [{ ...proxy, image: "own:1" }] },
      },
      want: { ...web, image: "own:1", isPinned: true },
    },
    "a container istio-proxy without injection is no sidecar": {
      object: { metadata: { ...metadata, annotations: {} }, status, spec: { containers: [proxy] } },
      want: { ...web, revision: undefined },
    },
    "a terminating pod does not count": {
      object: { metadata: { ...metadata, deletionTimestamp: "2026-01-05T09:00:00Z" }, status },
      want: undefined,
    },
    "a finished pod does not count": { object: { metadata, status: { phase: "Succeeded" } }, want: undefined },
    "a bare pod does not count": {
      object: { metadata: { ...metadata, ownerReferences: [] }, status },
      want: undefined,
    },
    "a Job's pod does not count": {
      object: { metadata: { ...metadata, ownerReferences: owned("Job", "j") }, status },
      want: undefined,
    },
    "an Argo Rollout's pod carries another hash label": {
      object: { metadata: { ...metadata, labels: { "rollouts-pod-template-hash": "6b7f" } }, status },
      want: { ...web, kind: "Rollout" },
    },
    "an owner that is not its controller does not count": {
      object: { metadata: { ...metadata, ownerReferences: [{ kind: "StatefulSet", name: "db" }] }, status },
      want: undefined,
    },
  };
  for (const [name, { object, want }] of Object.entries(cases)) {
    it(`${name}`, () => expect(projectPod(object)).toEqual(want));
  }
});

describe("workloads", () => {
  const metadata = { namespace: "shop", name: "web", uid: "u", resourceVersion: "7" };

  it("counts that the API server left out are zero; replicas left out are one", () => {
    expect(projectWorkload("Deployment", { metadata, spec: {} }, createInterner())?.facts).toMatchObject({
      replicas: 1,
      total: 0,
      updated: 0,
      available: 0,
      observedGeneration: 0,
    });
  });

  it("an object without a name, namespace, UID or resourceVersion is ignored", () => {
    expect(projectWorkload("Deployment", { metadata: { name: "web" } }, createInterner())).toBeUndefined();
  });

  it("of several managers of the label the newest counts, and only of the template's label", () => {
    const label = { "f:spec": { "f:template": { "f:metadata": { "f:labels": { "f:istio.io/rev": {} } } } } };
    const other = { "f:metadata": { "f:labels": { "f:istio.io/rev": {} } } };
    const managedFields = [
      { manager: "helm", operation: "Apply", time: "2026-01-05T09:00:01Z", fieldsV1: label },
      { manager: "meshroll", operation: "Update", time: "2026-01-05T09:00:09Z", fieldsV1: label },
      { manager: "kubectl", operation: "Update", time: "2026-01-05T09:00:20Z", fieldsV1: other },
    ];
    const record = projectWorkload("Deployment", { metadata: { ...metadata, managedFields } }, createInterner());
    expect(record?.facts.revisionManager).toEqual({ name: "meshroll", operation: "Update" });
  });

  const owns = (manager: string, ...keys: readonly string[]) => ({
    manager,
    fieldsV1: {
      "f:metadata": { "f:annotations": Object.fromEntries(keys.map((key) => [`f:meshroll.dev/${key}`, {}])) },
    },
  });
  const hands = [
    {
      name: "ours",
      managedFields: [owns("meshroll", "run", "failed"), owns("meshroll-record", "arrived")],
      want: undefined,
    },
    {
      name: "another's",
      managedFields: [owns("meshroll", "run"), owns("kubectl-edit", "failed", "arrived", "previous")],
      want: { "meshroll.dev/failed": "kubectl-edit", "meshroll.dev/arrived": "kubectl-edit" },
    },
    {
      name: "ours and another's: the value is ours",
      managedFields: [owns("meshroll", "run", "failed"), owns("argocd-controller", "run", "failed")],
      want: undefined,
    },
    { name: "of no manager: its API server does not tell", managedFields: [owns("helm")], want: undefined },
    {
      name: "of managers that the server has merged: it does not tell any more",
      managedFields: [owns("ancient-changes", "run", "failed", "arrived")],
      want: undefined,
    },
    { name: "of an object without managers", managedFields: [], want: undefined },
  ];
  for (const { name, managedFields, want } of hands) {
    it(`3.3 marks are ${name}`, () => {
      const keys = ["run", "failed", "arrived", "previous"];
      const annotations = Object.fromEntries(keys.map((key) => [`meshroll.dev/${key}`, "x"]));
      const object = { metadata: { ...metadata, annotations, managedFields } };
      expect(projectWorkload("Deployment", object, createInterner())?.facts.marksBy).toEqual(want);
      expect(projectNamespace(object, createInterner())?.marksBy).toEqual(want);
    });
  }

  const orders = [
    { name: "a StatefulSet", kind: "StatefulSet", spec: {}, want: 0 },
    {
      name: "a StatefulSet with a first ordinal",
      kind: "StatefulSet",
      spec: { podManagementPolicy: "OrderedReady", ordinals: { start: 5 } },
      want: 5,
    },
    { name: "a parallel StatefulSet", kind: "StatefulSet", spec: { podManagementPolicy: "Parallel" }, want: undefined },
    { name: "a Deployment", kind: "Deployment", spec: {}, want: undefined },
  ] as const;
  for (const { name, kind, spec, want } of orders) {
    it(`${name}: its pods are replaced in order from ${want ?? "nowhere"}`, () => {
      expect(projectWorkload(kind, { metadata, spec }, createInterner())?.facts.orderedFrom).toBe(want);
    });
  }

  const strategies = [
    { name: "none", kind: "StatefulSet", spec: {}, want: undefined },
    {
      name: "the default",
      kind: "StatefulSet",
      spec: { updateStrategy: { rollingUpdate: { partition: 0 } } },
      want: undefined,
    },
    { name: "two pods", kind: "StatefulSet", spec: { updateStrategy: { rollingUpdate: { partition: 2 } } }, want: 2 },
    {
      name: "none, the first ordinal being as high",
      kind: "StatefulSet",
      spec: { updateStrategy: { rollingUpdate: { partition: 5 } }, ordinals: { start: 5 } },
      want: undefined,
    },
    {
      name: "a DaemonSet, which has none",
      kind: "DaemonSet",
      spec: { updateStrategy: { rollingUpdate: { partition: 2 } } },
      want: undefined,
    },
  ] as const;
  it.each(strategies)("a partition that holds back $name is $want", ({ kind, spec, want }) => {
    expect(projectWorkload(kind, { metadata, spec }, createInterner())?.facts.partition).toBe(want);
  });

  it("equal templates are one object, so that a fleet costs little", () => {
    const interner = createInterner();
    const project = (uid: string) =>
      projectWorkload("Deployment", { metadata: { ...metadata, uid } }, interner)?.facts.template;
    expect(project("a")).toBe(project("b"));
  });
});

describe("the control plane", () => {
  it("a webhook that was switched off for a default tag serves nothing", () => {
    const labels = { "istio.io/rev": "default" };
    const namespaceSelector = { matchLabels: { "istio.io/deactivated": "never-match" } };
    expect(projectWebhook({ metadata: { labels } })).toMatchObject({ revision: "default", tag: undefined });
    expect(projectWebhook({ metadata: { labels }, webhooks: [{ namespaceSelector }] })).toBeUndefined();
    expect(projectWebhook({ metadata: { labels: { app: "cert-manager" } } })).toBeUndefined();
  });

  const labels = { app: "istiod", "istio.io/rev": "1-29" };
  const status = { availableReplicas: 1 };
  const deployment = (namespace: string, own: ApiMap = labels, container = "discovery") =>
    projectIstiod({
      metadata: { namespace, labels: own },
      spec: { template: { spec: { containers: [{ name: container }] } } },
      status,
    });

  it("an istiod is known by its label, or by its container where the label is another one", () => {
    expect(deployment("istio-system")).toMatchObject({ revision: "1-29", ready: true });
    expect(projectIstiod({ metadata: { namespace: "istio-system", labels } })?.ready).toBe(false);
    expect(deployment("mesh", { "istio.io/rev": "1-29", app: "pilot" })).toMatchObject({ revision: "1-29" });
    expect(deployment("shop", { app: "web" }, "web")).toBeUndefined();
  });

  const webhook = (service: string | undefined, url?: string) => {
    const clientConfig = service === undefined ? { url: url ?? "" } : { service: { namespace: service } };
    return projectWebhook({ metadata: { labels: { "istio.io/rev": "1-29" } }, webhooks: [{ clientConfig }] });
  };
  const pilot = { "istio.io/rev": "1-29", app: "pilot" };
  const places = [
    { name: "where Istio's chart has it", at: deployment("istio-system"), place: {}, want: "ready" },
    { name: "in a namespace that nothing names", at: deployment("mesh"), place: {}, want: "missing" },
    { name: "in the namespace that its webhook calls", at: deployment("mesh"), hook: webhook("mesh"), want: "ready" },
    { name: "in a namespace that main names", at: deployment("mesh"), place: { namespace: "mesh" }, want: "ready" },
    {
      name: "under a label that main names",
      at: deployment("istio-system", pilot),
      place: { label: "app=pilot" },
      want: "ready",
    },
    {
      name: "under a label that main does not name",
      at: deployment("istio-system", pilot),
      place: {},
      want: "missing",
    },
    {
      name: "here, where main says another cluster",
      at: deployment("istio-system"),
      place: { cluster: "mgmt" },
      want: "missing",
    },
  ];
  it.each(places)("a control plane $name is $want", ({ at, hook = webhook("istio-system"), place = {}, want }) => {
    const istiods = at === undefined ? [] : [at];
    const [revision] = listRevisions(hook === undefined ? [] : [hook], istiods, place);
    expect(revision).toMatchObject({ name: "1-29", webhook: true, istiod: want });
  });

  it("a webhook that calls a URL says to which host", () => {
    const hook = webhook(undefined, "https://mgmt.example:15017/inject/cluster/one");
    expect(listRevisions(hook === undefined ? [] : [hook], [], {})).toEqual([
      { name: "1-29", webhook: true, istiod: "missing", injectorHost: "mgmt.example:15017" },
    ]);
  });
});
