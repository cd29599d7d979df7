import { makeControlPlane, makeMeshWorkload, makeNamespace, makeWorkload, type WorkloadSketch } from "#fakes/fleet";
import { describe, expect, it } from "vitest";

import { judgeManaged } from "./judge-managed.ts";

const old = "1-24-5";
const target = "1-25-2";
const cluster = makeControlPlane([old, target], { default: old });
const pods = [{ revision: old, count: 3, ready: 3 }];
const bare = [{ count: 3, ready: 3 }];

interface Case {
  readonly namespaceManaged?: true | string;
  readonly name?: string;
  readonly namespace?: Readonly<Record<string, string>>;
  readonly workload?: WorkloadSketch;
  readonly want: string;
}

const cases: Record<string, Case> = {
  "an injected pod": { workload: { pods }, want: "managed" },
  "a label that would inject, and no pod": { workload: { labels: { "istio.io/rev": old }, pods: [] }, want: "managed" },
  "a label that would inject, and pods from before it": {
    workload: { labels: { "istio.io/rev": old }, pods: bare },
    want: "managed",
  },
  "one injected pod among others": { workload: { pods: [...pods, ...bare] }, want: "managed" },
  "injected by a revision whose webhook is gone": {
    workload: { labels: { "istio.io/rev": "1-20-0" }, pods: [{ revision: "1-20-0", count: 3, ready: 3 }] },
    want: "managed",
  },
  "never injected, and no label": { workload: { pods: bare }, want: "NotInMesh" },
  "a label of a revision that no control plane serves, and no injected pod": {
    workload: { labels: { "istio.io/rev": "1-99-9" }, pods: bare },
    want: "NotInMesh",
  },
  "pods that lost their sidecars by our own move stay managed": {
    workload: {
      labels: { "istio.io/rev": "1-99-9" },
      pods: bare,
      annotations: {
        "meshroll.dev/run": "0123456789ab 1-99-9",
        "meshroll.dev/previous": `{"template":{"labels":{"istio.io/rev":"${old}"}}}`,
      },
    },
    want: "managed",
  },
  "kube-system, by the selector": {
    namespaceManaged: "kube-* is not managed",
    name: "kube-system",
    workload: { labels: { "istio.io/rev": old }, pods },
    want: "Namespace",
  },
  "kube-system, even where a selector includes it: Istio would not inject": {
    name: "kube-system",
    workload: { labels: { "istio.io/rev": old }, pods: bare },
    want: "NotInMesh",
  },
  "inject false on the template": {
    workload: { labels: { "sidecar.istio.io/inject": "false" }, pods },
    want: "InjectionOff",
  },
  "inject false as the older annotation": {
    workload: { templateAnnotations: { "sidecar.istio.io/inject": "false" }, pods },
    want: "InjectionOff",
  },
  "istio-injection=disabled": {
    namespace: { "istio-injection": "disabled" },
    workload: { labels: { "istio.io/rev": old }, pods },
    want: "InjectionOff",
  },
  "host network": { workload: { labels: { "istio.io/rev": old }, hostNetwork: true, pods }, want: "HostNetwork" },
  "a gateway by its templates": {
    workload: { templateAnnotations: { "inject.istio.io/templates": "gateway" }, pods },
    want: "Gateway",
  },
  "a gateway among other templates": {
    workload: { templateAnnotations: { "inject.istio.io/templates": "sidecar, gateway" }, pods },
    want: "Gateway",
  },
  "templates with a similar name": {
    workload: { templateAnnotations: { "inject.istio.io/templates": "gateway-like" }, pods },
    want: "managed",
  },
  "a gateway that Istio deploys by itself": {
    workload: { labels: { "gateway.istio.io/managed": "istio.io-gateway-controller" }, pods },
    want: "Gateway",
  },
};

describe("judgeManaged", () => {
  it.each(Object.entries(cases))(
    "%s",
    (_, { namespaceManaged = true, name = "shop", namespace = {}, workload, want }) => {
      const managed = judgeManaged({
        namespaceManaged,
        namespace: makeNamespace({ name, labels: namespace }),
        workload: makeWorkload(workload),
        cluster,
      });
      expect(managed.managed ? "managed" : managed.reason.code).toBe(want);
    },
  );

  it("has the selector's own message as its reason", () => {
    const namespace = makeNamespace();
    const question = { namespaceManaged: "no team label", namespace, workload: makeMeshWorkload(old), cluster };
    expect(judgeManaged(question)).toMatchObject({
      managed: false,
      reason: { code: "Namespace", why: "no team label" },
    });
  });
});
