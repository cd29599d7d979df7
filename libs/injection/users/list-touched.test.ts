import { makeControlPlane, makeMeshWorkload, makeNamespace, type WorkloadSketch } from "#fakes/fleet";
import type { OtherPods } from "#libs/fleet";
import { expect, it } from "vitest";

import { listTouched } from "./list-touched.ts";

const cluster = makeControlPlane(["old", "new"], { prod: "old" });
const gateway: WorkloadSketch = { name: "gw", templateAnnotations: { "inject.istio.io/templates": "gateway" } };
const job: OtherPods = {
  apiVersion: "batch/v1",
  kind: "Job",
  name: "report",
  revision: "old",
  live: 1,
  completed: 0,
  failed: 0,
};

interface Case {
  readonly labels: Readonly<Record<string, string>>;
  readonly workload?: WorkloadSketch;
  readonly runs?: string;
  readonly others?: readonly OtherPods[];
  readonly gateways?: "move";
  readonly terminating?: true;
  readonly want: readonly string[];
}

const old = { "istio.io/rev": "old" };
const cases: Readonly<Record<string, Case>> = {
  "a workload that is moved is not left behind": { labels: old, want: [] },
  "a gateway": { labels: old, workload: gateway, want: ["gateway gw 3"] },
  "a gateway below istio-injection": {
    labels: { "istio-injection": "enabled" },
    workload: gateway,
    want: ["gateway gw 3"],
  },
  "a gateway without pods: its next one is touched": {
    labels: old,
    workload: { ...gateway, replicas: 0 },
    want: ["gateway gw 0"],
  },
  "a gateway that is moved": { labels: old, workload: gateway, gateways: "move", want: [] },
  "a gateway that istiod deploys": {
    labels: old,
    workload: { name: "gw", labels: { "gateway.istio.io/managed": "x", "sidecar.istio.io/inject": "false" } },
    want: ["managedGateway gw 3"],
  },
  "a gateway that istiod deploys, with a label of its own": {
    labels: old,
    workload: { name: "gw", labels: { "gateway.istio.io/managed": "x", "istio.io/rev": "old" } },
    want: [],
  },
  "a gateway in a namespace without labels": { labels: {}, workload: gateway, want: [] },
  "a gateway below a tag": { labels: { "istio.io/rev": "prod" }, workload: gateway, want: [] },
  "a workload outside of the mesh": {
    labels: old,
    workload: { labels: { "sidecar.istio.io/inject": "false" } },
    want: [],
  },
  "a workload that opted out": {
    labels: old,
    workload: { annotations: { "meshroll.dev/opt-out": "audited" } },
    want: ["skipped cart 3"],
  },
  "a Job": { labels: old, others: [job], want: ["other report 1"] },
  "a Job whose pods have ended": { labels: old, others: [{ ...job, live: 0, completed: 4 }], want: [] },
  "a Job that runs the target": { labels: old, others: [{ ...job, revision: "new" }], want: [] },
  "a Job in a namespace without labels": { labels: {}, others: [job], want: [] },
  "a Job below a tag": { labels: { "istio.io/rev": "prod" }, others: [job], want: [] },
  "once it is relabelled, a gateway on the old one": {
    labels: { "istio.io/rev": "new" },
    workload: gateway,
    others: [job],
    want: ["gateway gw 3", "other report 1"],
  },
  "once it is relabelled, a gateway that was created again": {
    labels: { "istio.io/rev": "new" },
    workload: gateway,
    runs: "new",
    want: [],
  },
  "a namespace that is being deleted": { labels: old, others: [job], terminating: true, want: [] },
};

it.each(Object.entries(cases))(
  "%s",
  (_, { labels, workload, runs = "old", others = [], gateways, terminating, want }) => {
    const namespace = makeNamespace({ labels, terminating: terminating === true });
    const inventory = { namespace, workloads: [makeMeshWorkload(runs, workload)], others, readAt: "1" };
    const touched = listTouched({ inventory, cluster, target: "new", gateways: gateways ?? "hold" });
    expect(touched.map(({ as, name, pods }) => `${as} ${name} ${pods}`)).toEqual(want);
  },
);
