import { makeControlPlane, makeNamespace, makeWorkload, type WorkloadSketch } from "#fakes/fleet";
import { describe, expect, it } from "vitest";

import { type ControlPlane, effectiveRevision, resolveTarget } from "./effective-revision.ts";
import { injectLikeIstio } from "../fake.ts";

const revision = "1-24-5";
const withDefault = makeControlPlane([revision, "1-25-2"], { default: revision, prod: "1-25-2" });

interface Case {
  readonly namespace?: Readonly<Record<string, string>>;
  readonly name?: string;
  readonly workload?: WorkloadSketch;
  readonly cluster?: ControlPlane;
  readonly want: string | undefined;
}

const cases: Record<string, Case> = {
  "no label at all": { want: undefined },
  "istio-injection=enabled without a default": {
    namespace: { "istio-injection": "enabled" },
    cluster: makeControlPlane([revision]),
    want: undefined,
  },
  "istio-injection=enabled where the control plane has no revision name": {
    namespace: { "istio-injection": "enabled" },
    cluster: makeControlPlane(["default"]),
    want: "default",
  },
  "istio-injection beats istio.io/rev": {
    namespace: { "istio-injection": "enabled", "istio.io/rev": "1-25-2" },
    want: revision,
  },
  "istio-injection with an unknown value disables every other label": {
    namespace: { "istio-injection": "yes", "istio.io/rev": revision },
    workload: { labels: { "istio.io/rev": revision } },
    want: undefined,
  },
  "the namespace's revision beats the pod's": {
    namespace: { "istio.io/rev": revision },
    workload: { labels: { "istio.io/rev": "1-25-2" } },
    want: revision,
  },
  "an empty namespace label disables the pod's": {
    namespace: { "istio.io/rev": "" },
    workload: { labels: { "istio.io/rev": revision } },
    want: undefined,
  },
  "the pod's revision, in a namespace without labels": {
    workload: { labels: { "istio.io/rev": revision } },
    want: revision,
  },
  "the pod's tag": { workload: { labels: { "istio.io/rev": "prod" } }, want: "1-25-2" },
  "the default tag by name": { workload: { labels: { "istio.io/rev": "default" } }, want: revision },
  "inject true without a revision": { workload: { labels: { "sidecar.istio.io/inject": "true" } }, want: revision },
  "inject true as an annotation selects no revision": {
    workload: { templateAnnotations: { "sidecar.istio.io/inject": "true" } },
    want: undefined,
  },
  "inject false as an annotation keeps the injector away": {
    namespace: { "istio.io/rev": revision },
    workload: { templateAnnotations: { "sidecar.istio.io/inject": "false" } },
    want: undefined,
  },
  "the inject label overrules the annotation": {
    namespace: { "istio.io/rev": revision },
    workload: {
      labels: { "sidecar.istio.io/inject": "true" },
      templateAnnotations: { "sidecar.istio.io/inject": "false" },
    },
    want: revision,
  },
  "host network": {
    workload: { labels: { "istio.io/rev": revision }, hostNetwork: true },
    want: undefined,
  },
  "a namespace that Istio ignores": {
    name: "kube-system",
    workload: { labels: { "istio.io/rev": revision } },
    want: undefined,
  },
  "a revision that no control plane serves: the pod starts without a sidecar": {
    workload: { labels: { "istio.io/rev": "1-99-9" } },
    want: undefined,
  },
  "a name of an Object property": { workload: { labels: { "istio.io/rev": "constructor" } }, want: undefined },
};

describe("effectiveRevision", () => {
  it.each(Object.entries(cases))("%s", (_, { namespace: labels = {}, name = "shop", workload, cluster, want }) => {
    const namespace = makeNamespace({ name, labels });
    const template = makeWorkload(workload);
    const effective = effectiveRevision(namespace, template, cluster ?? withDefault);
    expect(effective.revision).toBe(want);
    expect(effective.injected).toBe(want !== undefined);
    expect(effective.why === undefined).toBe(want !== undefined);
    // Must agree with Istio's own selectors.
    const byIstio = injectLikeIstio(namespace, template.template, cluster ?? withDefault);
    expect(byIstio).toEqual(want === undefined ? [] : [want]);
  });

  const asks = { "meshroll.dev/inject": "enabled" };
  it.each([
    ["a label that the policy changes", {}, { labels: { "istio.io/rev": revision } }, "admission 1-25-2"],
    ["no label, in a namespace that asks", asks, {}, "admission 1-25-2"],
    ["no label, in a namespace that does not ask", {}, {}, "undefined undefined"],
    ["a namespace whose label decides", { "istio.io/rev": revision }, {}, `namespaceRevision ${revision}`],
    ["inject true", {}, { labels: { "sidecar.istio.io/inject": "true" } }, `templateInject ${revision}`],
    ["the host's network", asks, { hostNetwork: true }, "undefined undefined"],
  ] as const)("11.1 what the admission policy gives new pods goes first: %s", (_, labels, sketch, want) => {
    const workload = makeWorkload({ ...sketch, admitted: "1-25-2" });
    const found = effectiveRevision(makeNamespace({ labels }), workload, withDefault);
    expect(`${found.by} ${found.revision}`).toBe(want);
  });

  it("names the tag through which it was resolved", () => {
    const workload = makeWorkload({ labels: { "istio.io/rev": "prod" } });
    expect(effectiveRevision(makeNamespace(), workload, withDefault)).toMatchObject({
      by: "templateRevision",
      name: "prod",
      viaTag: "prod",
      revision: "1-25-2",
    });
  });

  it("a target that is a tag stands for the revision to which it points", () => {
    expect(resolveTarget(withDefault, "prod")).toBe("1-25-2");
    expect(resolveTarget(withDefault, revision)).toBe(revision);
    expect(resolveTarget(withDefault, "toString")).toBe("toString");
  });
});
