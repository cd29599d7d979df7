import { describe, expect, it } from "vitest";

import { type Case, play, type Tree } from "./admission-engine.ts";

const container = { name: "web", image: "shop/web:1" };
const workload: Tree = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: {
    name: "web",
    namespace: "shop",
    uid: "u",
    resourceVersion: "5",
    generation: 3,
    labels: { app: "web" },
    annotations: { owner: "team-shop", "meshroll.dev/run": "a 1-24-5" },
    managedFields: [],
  },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web", "istio.io/rev": "1-24-5" }, annotations: { "prometheus.io/scrape": "true" } },
      spec: { serviceAccountName: "web", containers: [container] },
    },
  },
};
const bare: Tree = {
  ...workload,
  metadata: { name: "web", namespace: "shop", resourceVersion: "5" },
  spec: { template: { spec: { containers: [container] } } },
};
const namespace: Tree = {
  metadata: { name: "shop", uid: "n", resourceVersion: "7", labels: { "istio.io/rev": "1-24-5", team: "shop" } },
  spec: { finalizers: ["kubernetes"] },
};

const podLabels = ["spec", "template", "metadata", "labels"];
const podMarks = ["spec", "template", "metadata", "annotations"];
const marks = ["metadata", "annotations"];

const ofWorkloads: readonly Case[] = [
  {
    name: "the revision of a pod template, with our marks",
    changes: [
      [[...podLabels, "istio.io/rev"], "1-25-2"],
      [[...marks, "meshroll.dev/run"], "b 1-25-2"],
      [[...marks, "meshroll.dev/previous"], "{}"],
    ],
  },
  {
    name: "the first label and annotation of an object that has none",
    of: bare,
    changes: [
      [[...podLabels, "istio.io/rev"], "1-25-2"],
      [[...marks, "meshroll.dev/run"], "b 1-25-2"],
    ],
  },
  { name: "the revision taken away", changes: [[[...podLabels, "istio.io/rev"], undefined]] },
  { name: "a restart", changes: [[[...podMarks, "meshroll.dev/restarted-for"], "1-25-2"]] },
  { name: "our marks taken away", changes: [[[...marks, "meshroll.dev/run"], undefined]] },
  { name: "the mark of an arrival", changes: [[[...marks, "meshroll.dev/arrived"], "a 1-25-2"]] },
  { name: "the mark of a failure", changes: [[[...marks, "meshroll.dev/failed"], "1-25-2 ReadinessTimeout"]] },
  {
    name: "what the server changes itself",
    changes: [
      [["metadata", "generation"], 4],
      [["metadata", "managedFields"], [{}]],
      [["metadata", "resourceVersion"], "6"],
    ],
  },
  {
    name: "the template of a DaemonSet, whose generation the server counts in an annotation",
    changes: [
      [[...podLabels, "istio.io/rev"], "1-25-2"],
      [[...marks, "deprecated.daemonset.template.generation"], "2"],
    ],
  },
  { name: "anything, by another user", user: "kubernetes-admin", changes: [[["spec", "replicas"], 0]] },
  { name: "replicas", changes: [[["spec", "replicas"], 0]], denied: "nothing in the spec of a workload" },
  { name: "a paused rollout", changes: [[["spec", "paused"], true]], denied: "nothing in the spec of a workload" },
  {
    name: "the strategy, taken away with replicas",
    changes: [[["spec", "replicas"], undefined]],
    denied: "nothing in the spec of a workload",
  },
  {
    name: "an image",
    changes: [[["spec", "template", "spec", "containers"], [{ ...container, image: "evil" }]]],
    denied: "nothing in a pod template but its metadata",
  },
  {
    name: "a ServiceAccount",
    changes: [[["spec", "template", "spec", "serviceAccountName"], "root"]],
    denied: "nothing in a pod template but its metadata",
  },
  {
    name: "a host network",
    changes: [[["spec", "template", "spec", "hostNetwork"], true]],
    denied: "nothing in a pod template but its metadata",
  },
  {
    name: "another label of the pod template",
    changes: [[[...podLabels, "app"], "other"]],
    denied: "no label of a pod template but istio.io/rev",
  },
  {
    name: "a label of the pod template taken away",
    changes: [[[...podLabels, "app"], undefined]],
    denied: "no label of a pod template but istio.io/rev",
  },
  {
    name: "an annotation that injects another proxy",
    changes: [[[...podMarks, "sidecar.istio.io/proxyImage"], "evil"]],
    denied: "no annotation of a pod template",
  },
  {
    name: "an annotation of the pod template taken away",
    changes: [[[...podMarks, "prometheus.io/scrape"], undefined]],
    denied: "no annotation of a pod template",
  },
  {
    name: "a finalizer of the pod template",
    changes: [[["spec", "template", "metadata", "finalizers"], ["x"]]],
    denied: "pod template's metadata",
  },
  {
    name: "an annotation of its owner",
    changes: [[[...marks, "owner"], "mallory"]],
    denied: "no annotation of a workload",
  },
  { name: "a pin", changes: [[[...marks, "meshroll.dev/pin"], "1-24-5"]], denied: "no annotation of a workload" },
  {
    name: "a label of the object",
    changes: [[["metadata", "labels", "app"], "other"]],
    denied: "no metadata of a workload",
  },
  {
    name: "an owner reference",
    changes: [[["metadata", "ownerReferences"], [{}]]],
    denied: "no metadata of a workload",
  },
  { name: "a finalizer", changes: [[["metadata", "finalizers"], ["x"]]], denied: "no metadata of a workload" },
  {
    name: "our label with an image next to it",
    changes: [
      [[...podLabels, "istio.io/rev"], "1-25-2"],
      [["spec", "template", "spec", "containers"], []],
    ],
    denied: "nothing in a pod template but its metadata",
  },
];

const ofNamespaces: readonly Case[] = [
  {
    name: "the revision of a namespace, with our marks",
    changes: [
      [["metadata", "labels", "istio.io/rev"], "1-25-2"],
      [[...marks, "meshroll.dev/run"], "b 1-25-2"],
    ],
  },
  {
    name: "the old label of injection",
    changes: [
      [["metadata", "labels", "istio-injection"], undefined],
      [["metadata", "labels", "istio.io/rev"], "1-25-2"],
    ],
  },
  {
    name: "anything of a namespace, by another user",
    user: "kubernetes-admin",
    changes: [[["metadata", "labels", "team"], "x"]],
  },
  {
    name: "the level of pod security",
    changes: [[["metadata", "labels", "pod-security.kubernetes.io/enforce"], "privileged"]],
    denied: "no label of a namespace",
  },
  {
    name: "a label of its owner",
    changes: [[["metadata", "labels", "team"], undefined]],
    denied: "no label of a namespace",
  },
  {
    name: "an annotation of its owner",
    changes: [[[...marks, "scheduler.alpha.kubernetes.io/node-selector"], "x"]],
    denied: "no annotation of a namespace",
  },
  {
    name: "a finalizer of a namespace",
    changes: [[["metadata", "finalizers"], ["x"]]],
    denied: "no metadata of a namespace",
  },
  {
    name: "the spec of a namespace",
    changes: [[["spec", "finalizers"], []]],
    denied: "nothing in the spec of a namespace",
  },
];

describe("the shipped policy for workloads", () => {
  it.each(ofWorkloads)("$name", (each) => {
    expect(play("meshroll-executor-workloads", workload, each)).toContain(each.denied ?? "admitted");
  });
});

describe("the shipped policy for namespaces", () => {
  it.each(ofNamespaces)("$name", (each) => {
    expect(play("meshroll-executor-namespaces", namespace, each)).toContain(each.denied ?? "admitted");
  });
});
