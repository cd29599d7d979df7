import { describe, expect, it } from "vitest";

import { findAdmitted, isUnlabelled } from "./admission-map.ts";
import { makeNamespace, makeWorkload, type WorkloadSketch } from "../fake.ts";

const map = { revision: "new", "Deployment.cart": "h1", unlabelled: "first" };
const labelled: WorkloadSketch = { labels: { "istio.io/rev": "old" } };
const asks = { "meshroll.dev/inject": "enabled" };

interface Case {
  readonly workload?: WorkloadSketch;
  readonly namespace?: Readonly<Record<string, string>>;
  readonly map?: Readonly<Record<string, string>>;
  readonly hash?: string | null;
  readonly want: string | undefined;
}

const cases: Readonly<Record<string, Case>> = {
  "the template that the map names": { workload: labelled, want: "new" },
  "a namespace that asks for labels changes nothing for one that has its own": {
    workload: labelled,
    namespace: asks,
    want: "new",
  },
  "another template of the same workload": { workload: labelled, hash: "h2", want: undefined },
  "a workload that the map does not name": { workload: { ...labelled, name: "api" }, want: undefined },
  "pods of several templates": { workload: labelled, hash: null, want: undefined },
  "a template that its controller has not seen": {
    workload: { ...labelled, generation: 2, observedGeneration: 1 },
    want: undefined,
  },
  "a template of which no pod exists: the hash is that of the earlier one": {
    workload: { ...labelled, updated: 0 },
    want: undefined,
  },
  "a template without a label": { want: undefined },
  "a template without a label, in a namespace that asks": { namespace: asks, want: "first" },
  "the same, while pods of several templates are there": { namespace: asks, hash: null, want: "first" },
  "the same, and the map says nothing about it": { namespace: asks, map: { revision: "new" }, want: undefined },
  "an empty map": { workload: labelled, map: {}, want: undefined },
};

describe("findAdmitted", () => {
  it.each(Object.entries(cases))("%s", (_, { workload, namespace: labels = {}, hash = "h1", want, ...given }) => {
    const found = findAdmitted(makeNamespace({ labels }), makeWorkload(workload), given.map ?? map, hash ?? undefined);
    expect(found).toBe(want);
  });
});

describe("isUnlabelled", () => {
  const rows: readonly (readonly [string, WorkloadSketch, Readonly<Record<string, string>>, boolean])[] = [
    ["no label", {}, asks, true],
    ["a namespace that does not ask", {}, {}, false],
    ["one that asks for something else", {}, { "meshroll.dev/inject": "disabled" }, false],
    ["a namespace with a revision", {}, { ...asks, "istio.io/rev": "old" }, false],
    ["a namespace with istio-injection", {}, { ...asks, "istio-injection": "disabled" }, false],
    ["a revision of its own", labelled, asks, false],
    ["inject false", { labels: { "sidecar.istio.io/inject": "false" } }, asks, false],
    ["inject true", { labels: { "sidecar.istio.io/inject": "true" } }, asks, false],
    ["the annotation inject", { templateAnnotations: { "sidecar.istio.io/inject": "False" } }, asks, false],
    ["the host's network", { hostNetwork: true }, asks, false],
  ];
  it.each(rows)("%s", (_, workload, labels, want) => {
    expect(isUnlabelled(makeNamespace({ labels }), makeWorkload(workload))).toBe(want);
  });
});
