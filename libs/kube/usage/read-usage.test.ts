import { describe, expect, it } from "vitest";

import type { ApiAnswer, ApiCall } from "../requests/api-call.ts";
import { readConnected } from "./count-connected.ts";
import { readUsageBy } from "./read-usage.ts";

const admission = "/apis/admissionregistration.k8s.io/v1";
const injected = { "sidecar.istio.io/status": '{"revision":"1-30"}' };
const owned = (kind: string, name: string) => ({ ownerReferences: [{ kind, name, controller: true }] });
const pod = (name: string, metadata: object = {}, phase = "Running") => ({
  metadata: { name, namespace: "shop", annotations: injected, ...metadata },
  status: { phase },
});
const istiod = { name: "istiod-1-30-a", namespace: "istio-system", labels: { app: "istiod", "istio.io/rev": "1-30" } };
const template = { metadata: { labels: { "istio.io/rev": "old" } } };
/** A pod of a Gateway that istiod deploys: nothing is injected. */
const gateway = (revision: string) => ({
  annotations: { "istio.io/rev": revision },
  labels: { "gateway.networking.k8s.io/gateway-name": "gate", "pod-template-hash": revision === "1-30" ? "77" : "88" },
});
const metrics = `/api/v1/namespaces/istio-system/pods/istiod-1-30-a:15014/proxy/metrics`;

/** The answers of a cluster by path; a number is a status. */
const whole: Readonly<Record<string, readonly object[] | object | string | number>> = {
  "/api/v1/namespaces": [
    { metadata: { name: "kube-system", uid: "u-1" } },
    { metadata: { name: "tagged", labels: { "istio.io/rev": "old" } } },
    { metadata: { name: "other", labels: { "istio.io/rev": "1-31" } } },
  ],
  "/api/v1/pods": [
    pod("web-1", { ...owned("ReplicaSet", "web-abc"), labels: { "pod-template-hash": "abc" } }),
    pod("web-2", { ...owned("ReplicaSet", "web-abc"), labels: { "pod-template-hash": "abc" } }),
    pod("bare"),
    pod("job-1", owned("Job", "report")),
    pod("job-0", owned("Job", "past"), "Succeeded"),
    pod("roll-1", { ...owned("ReplicaSet", "roll-5d"), labels: { "rollouts-pod-template-hash": "5d" } }),
    pod("new", { annotations: { "sidecar.istio.io/status": '{"revision":"1-31"}' } }),
    pod("gate-1", { ...owned("ReplicaSet", "gate-77"), ...gateway("1-30") }),
    pod("gate-2", { ...owned("ReplicaSet", "gate-88"), ...gateway("1-31") }),
    { metadata: istiod, status: { phase: "Running" } },
  ],
  [`${admission}/mutatingwebhookconfigurations`]: [
    { metadata: { name: "istio-sidecar-injector-1-30", labels: { "istio.io/rev": "1-30" } } },
    { metadata: { name: "tag", labels: { "istio.io/rev": "1-30", "istio.io/tag": "old" } } },
    { metadata: { name: "by-service" }, webhooks: [{ clientConfig: { service: { name: "istiod-1-30" } } }] },
    { metadata: { name: "by-url" }, webhooks: [{ clientConfig: { url: "https://istiod-1-30.mesh.example/inject" } }] },
    {
      metadata: { name: "elsewhere" },
      webhooks: [{ clientConfig: { url: "https://istiod-1-31.mesh.example/inject" } }],
    },
  ],
  [`${admission}/validatingwebhookconfigurations`]: [
    {
      metadata: { name: "istio-validator-1-30-istio-system" },
      webhooks: [{ clientConfig: { service: { name: "istiod-1-30" } } }],
    },
    {
      metadata: { name: "istiod-default-validator" },
      webhooks: [{ clientConfig: { service: { name: "istiod-1-30" } } }],
    },
    {
      metadata: { name: "checks-by-url" },
      webhooks: [{ clientConfig: { url: "https://istiod-1-30:15017/validate" } }],
    },
  ],
  "/apis/batch/v1/jobs": [
    { metadata: { namespace: "shop", name: "held" }, spec: { suspend: true, template } },
    {
      metadata: { namespace: "shop", name: "over" },
      spec: { template },
      status: { conditions: [{ type: "Complete", status: "True" }] },
    },
  ],
  "/apis/apps/v1/replicasets": [
    { metadata: { namespace: "shop", name: "alone" }, spec: { template } },
    { metadata: { namespace: "shop", name: "web-abc", ...owned("Deployment", "web") }, spec: { template } },
  ],
  "/api/v1/replicationcontrollers": [{ metadata: { namespace: "shop", name: "ancient" }, spec: { template } }],
  "/apis/batch/v1/cronjobs": [
    { metadata: { namespace: "shop", name: "nightly" }, spec: { jobTemplate: { spec: { template } } } },
  ],
  "/apis/networking.istio.io": { preferredVersion: { groupVersion: "networking.istio.io/v1" } },
  "/apis/networking.istio.io/v1": {
    resources: [
      { name: "sidecars", kind: "Sidecar", verbs: ["list"] },
      { name: "sidecars/status", kind: "Sidecar", verbs: ["get"] },
      { name: "workloadgroups", kind: "WorkloadGroup", verbs: ["list"] },
      { name: "workloadentries", kind: "WorkloadEntry", verbs: ["list"] },
    ],
  },
  "/apis/networking.istio.io/v1/sidecars": [{ metadata: { namespace: "shop", name: "narrow" } }],
  "/apis/networking.istio.io/v1/workloadgroups": [
    { metadata: { namespace: "vms", name: "db" }, spec: { metadata: { labels: { "istio.io/rev": "old" } } } },
    { metadata: { namespace: "vms", name: "tills", annotations: { "meshroll.dev/revision": "1-30" } } },
    { metadata: { namespace: "vms", name: "moved", annotations: { "meshroll.dev/revision": "1-31" } } },
    { metadata: { namespace: "vms", name: "new" }, spec: { metadata: { labels: { "istio.io/rev": "1-31" } } } },
  ],
  "/apis/networking.istio.io/v1/workloadentries": [
    { metadata: { namespace: "vms", name: "db-1" }, spec: { labels: { "istio.io/rev": "1-30" } } },
    { metadata: { namespace: "vms", name: "told", labels: { "istio.io/rev": "1-30" } }, spec: {} },
    { metadata: { namespace: "vms", name: "plain" }, spec: { labels: { app: "db" } } },
  ],
  [metrics]: 'pilot_xds{version="1.30.0"} 3\npilot_xds{version="1.29.0"} 1\npilot_xds_pushes 9\n',
};

function answerFrom(has: typeof whole) {
  return async ({ path }: ApiCall): Promise<ApiAnswer> => {
    const found = has[path.split("?")[0] ?? ""] ?? 404;
    if (typeof found === "number") return { status: found, body: { message: `answered ${found}` } };
    return { status: 200, body: Array.isArray(found) ? { metadata: { resourceVersion: "1" }, items: found } : found };
  };
}

const tell = (uses: readonly { readonly as: string; readonly what: string; readonly count: number }[]) =>
  uses.map(({ as, what, count }) => `${as} ${what} ${count}`);

describe("uses of a revision", () => {
  it("names live pods of any owner, next pods, namespaces, tags, webhooks, configuration and connected proxies", async () => {
    const { uses, ended, unread, uid, isInstalled } = await readUsageBy(answerFrom(whole), "1-30");
    expect(tell(uses)).toEqual([
      "config shop/Sidecar/narrow 1",
      "config vms/WorkloadEntry/told 1",
      "connected istio-system/Pod/istiod-1-30-a 4",
      "machine vms/WorkloadEntry/db-1 1",
      "machine vms/WorkloadGroup/db 1",
      "machine vms/WorkloadGroup/tills 1",
      "mutatingWebhook MutatingWebhookConfiguration/by-service 1",
      "mutatingWebhook MutatingWebhookConfiguration/by-url 1",
      "namespace Namespace/tagged 1",
      "pods shop/Deployment/gate 1",
      "pods shop/Deployment/web 2",
      "pods shop/Job/report 1",
      "pods shop/Pod/bare 1",
      "pods shop/Rollout/roll 1",
      "tag tag/old 1",
      "template shop/CronJob/nightly 1",
      "template shop/Job/held 1",
      "template shop/ReplicaSet/alone 1",
      "template shop/ReplicationController/ancient 1",
      "validatingWebhook ValidatingWebhookConfiguration/checks-by-url 1",
      "validatingWebhook ValidatingWebhookConfiguration/istiod-default-validator 1",
    ]);
    expect(tell(ended)).toEqual(["pods shop/Job/past 1"]);
    expect([unread, uid, isInstalled]).toEqual([[], "u-1", true]);
  });

  it("names configuration that is labelled with a tag of the revision, as a Gateway may be", async () => {
    const paths: string[] = [];
    const answer = answerFrom(whole);
    await readUsageBy(async (call) => {
      paths.push(decodeURIComponent(call.path));
      return answer(call);
    }, "1-30");
    expect(paths).toContain("/apis/networking.istio.io/v1/sidecars?labelSelector=istio.io/rev in (1-30,old)&limit=500");
  });

  it("names workloads that ask for a sidecar without a name, where the default one is retired", async () => {
    const asks = (namespace: string, labels: object) => ({
      metadata: { namespace, name: "gateway" },
      spec: { template: { metadata: { labels } } },
    });
    const bare = {
      "/api/v1/namespaces": [
        { metadata: { name: "edge" } },
        { metadata: { name: "other", labels: { "istio.io/rev": "1-31" } } },
        { metadata: { name: "off", labels: { "istio-injection": "disabled" } } },
      ],
      "/apis/apps/v1/deployments": [
        asks("edge", { "sidecar.istio.io/inject": "true" }),
        asks("other", { "sidecar.istio.io/inject": "true" }),
        asks("off", { "sidecar.istio.io/inject": "true" }),
        asks("edge-2", { app: "web" }),
      ],
    };
    const answer = answerFrom(bare);
    expect(tell((await readUsageBy(answer, "default")).uses)).toEqual(["template edge/Deployment/gateway 1"]);
    expect(tell((await readUsageBy(answer, "1-30")).uses)).toEqual([]);
  });

  it.each([
    { name: "pods that may not be read", path: "/api/v1/pods", want: "pods: answered 403" },
    { name: "a kind of configuration", path: "/apis/networking.istio.io/v1/sidecars", want: "Sidecar: answered 403" },
    { name: "a group of configuration", path: "/apis/networking.istio.io", want: "networking.istio.io: answered 403" },
    {
      name: "an istiod that does not answer",
      path: metrics,
      want: "proxies of istio-system/Pod/istiod-1-30-a: answered 403",
    },
  ])("$name: unknown, and named", async ({ path, want }) => {
    const { unread } = await readUsageBy(answerFrom({ ...whole, [path]: 403 }), "1-30");
    expect(unread).toEqual([want]);
  });

  it.each([
    { name: "the sum over all versions", text: 'pilot_xds{version="a"} 2\npilot_xds{version="b"} 5', want: 7 },
    { name: "none connected", text: "pilot_xds 0", want: 0 },
    {
      name: "an executor that asks is no proxy",
      text: 'pilot_xds{version="a"} 2\npilot_xds{version="meshroll"} 1',
      want: 2,
    },
    { name: "only an executor that asks", text: 'pilot_xds{version="meshroll"} 1', want: 0 },
    { name: "other metrics only: unknown", text: "pilot_xds_pushes 4", want: undefined },
    { name: "no number: unknown", text: "pilot_xds many", want: undefined },
  ])("istiod's gauge: $name", ({ text, want }) => {
    expect(readConnected(text)).toBe(want);
  });
});
