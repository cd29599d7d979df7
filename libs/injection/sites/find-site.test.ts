import { makeControlPlane, makeMeshWorkload, makeNamespace, type WorkloadSketch } from "#fakes/fleet";
import { describe, expect, it } from "vitest";

import type { ControlPlane } from "./effective-revision.ts";
import { findSite, type Site, supportedNow } from "./find-site.ts";
import { planMove } from "../patches/plan-move.ts";

const old = "1-24-5";
const target = "1-25-2";
const tagged = makeControlPlane([old, target], { default: old, prod: old, canary: target });
const mutated = { "meshroll.dev/mutated-at": "2026-11-01T00:00:00Z" };

/** On an object after a move that wrote the template's label. */
const written = {
  "meshroll.dev/run": `0123456789ab ${target}`,
  "meshroll.dev/previous": `{"template":{"labels":{"istio.io/rev":"${old}"}}}`,
};

interface Case {
  readonly namespace?: Readonly<Record<string, string>>;
  readonly workload?: WorkloadSketch;
  readonly cluster?: ControlPlane;
  readonly target?: string;
  readonly want: Site;
}

const cases: Record<string, Case> = {
  "5.1 template: a revision label on the template": {
    workload: { labels: { "istio.io/rev": old } },
    want: { kind: "template", label: "istio.io/rev" },
  },
  "5.1 template: inject true without a revision": {
    workload: { labels: { "sidecar.istio.io/inject": "true" } },
    want: { kind: "template", label: "sidecar.istio.io/inject" },
  },
  "5.1 template: a revision that is not served any more still decides": {
    workload: { labels: { "istio.io/rev": "1-20-0" } },
    want: { kind: "template", label: "istio.io/rev" },
  },
  "5.2 namespace: a revision label on the namespace": {
    namespace: { "istio.io/rev": old },
    want: { kind: "namespace", label: "istio.io/rev" },
  },
  "5.2 namespace: istio-injection=enabled with a default tag": {
    namespace: { "istio-injection": "enabled" },
    want: { kind: "namespace", label: "istio-injection" },
  },
  "5.2 namespace: istio-injection=enabled without a default tag": {
    namespace: { "istio-injection": "enabled" },
    cluster: makeControlPlane(["default"]),
    want: { kind: "namespace", label: "istio-injection" },
  },
  "5.2 namespace: it beats a label of the template": {
    namespace: { "istio.io/rev": old },
    workload: { labels: { "istio.io/rev": target } },
    want: { kind: "namespace", label: "istio.io/rev" },
  },
  "5.3 tag: on the namespace": {
    namespace: { "istio.io/rev": "prod" },
    want: { kind: "tag", tag: "prod", revision: old, on: "namespace" },
  },
  "5.3 tag: on the template": {
    workload: { labels: { "istio.io/rev": "prod" } },
    want: { kind: "tag", tag: "prod", revision: old, on: "template" },
  },
  "5.3 tag: the default tag, named": {
    workload: { labels: { "istio.io/rev": "default" } },
    want: { kind: "tag", tag: "default", revision: old, on: "template" },
  },
  "5.3 tag: a tag wins over a manifest of CI": {
    workload: { labels: { "istio.io/rev": "prod" }, annotations: mutated },
    want: { kind: "tag", tag: "prod", revision: old, on: "template" },
  },
  "5.3 tag: rollouts.yml names tags as revisions, so the label moves between them": {
    workload: { labels: { "istio.io/rev": "prod" } },
    target: "canary",
    want: { kind: "template", label: "istio.io/rev" },
  },
  "5.4 manifest: a label that CI wrote": {
    workload: { labels: { "istio.io/rev": old }, annotations: mutated },
    want: { kind: "manifest", mutatedAt: "2026-11-01T00:00:00Z" },
  },
  "5.4 manifest: without a revision label it is no manifest site": {
    workload: { labels: { "sidecar.istio.io/inject": "true" }, annotations: mutated },
    want: { kind: "template", label: "sidecar.istio.io/inject" },
  },
  "11.1 admission: the namespace asks for meshroll's injector": {
    namespace: { "meshroll.dev/inject": "enabled" },
    want: { kind: "admission" },
  },
  "11.1 template: what the admission policy gives its new pods changes no site": {
    workload: { labels: { "istio.io/rev": old }, admitted: "prod" },
    want: { kind: "template", label: "istio.io/rev" },
  },
  "11.1 admission: a label of its own wins": {
    namespace: { "meshroll.dev/inject": "enabled" },
    workload: { labels: { "istio.io/rev": old } },
    want: { kind: "template", label: "istio.io/rev" },
  },
  "none: istio-injection=disabled disables meshroll's injector too": {
    namespace: { "meshroll.dev/inject": "enabled", "istio-injection": "disabled" },
    want: { kind: "none", reason: "namespace label istio-injection=disabled keeps every injector away" },
  },
  "template: its owner took away the label that a move wrote": {
    workload: { annotations: written },
    want: { kind: "template", label: "istio.io/rev" },
  },
  "none: a restart of ours wrote no label that could have been taken away": {
    workload: { annotations: { ...written, "meshroll.dev/previous": '{"template":{"annotations":{}}}' } },
    want: { kind: "none", reason: "no label selects an injector" },
  },
  "none: it took the label away, and its namespace turned injection off": {
    namespace: { "istio-injection": "disabled" },
    workload: { annotations: written },
    want: { kind: "none", reason: "namespace label istio-injection=disabled keeps every injector away" },
  },
  "none: injected by hand": { want: { kind: "none", reason: "no label selects an injector" } },
};

describe("findSite", () => {
  it.each(Object.entries(cases))("%s", (_, { namespace = {}, workload = {}, cluster = tagged, want, ...given }) => {
    const site = findSite(makeNamespace({ labels: namespace }), makeMeshWorkload(old, workload), cluster, given.target);
    expect(site).toEqual(want);
  });
});

describe("supportedNow", () => {
  const kinds = (sites: readonly Site[]) => sites.filter((site) => supportedNow(site).ok).map((site) => site.kind);

  it("moves templates, manifests of CI, namespaces, tags, and what has no label yet", () => {
    expect(kinds(Object.values(cases).map((each) => each.want))).toEqual(
      Object.values(cases)
        .map((each) => each.want.kind)
        .filter((kind) => kind !== "none"),
    );
  });

  it.each([
    ["without a site there is nothing to write", { kind: "none", reason: "no label selects an injector" }, "NoSite"],
  ] as const)("%s", (_, site, code) => {
    expect(supportedNow(site)).toMatchObject({ ok: false, reason: { code } });
    const order = { run: "0123456789ab", target, attempt: 1 };
    expect(planMove(makeMeshWorkload(old), site, order).kind).toBe("refused");
  });
});
