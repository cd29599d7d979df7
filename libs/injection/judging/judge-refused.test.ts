import type { Namespace } from "#libs/fleet";
import { renderWorkloadReason } from "#libs/wording";
import { makeControlPlane, makeMeshWorkload, makeNamespace, type WorkloadSketch } from "#fakes/fleet";
import { describe, expect, it } from "vitest";

import type { ControlPlane } from "../sites/effective-revision.ts";
import { judgeRefused } from "./judge-refused.ts";

const old = "1-24-5";
const target = "1-25-2";
const labels = { "istio.io/rev": old };

interface Case {
  readonly namespace?: Partial<Namespace>;
  readonly workload?: WorkloadSketch;
  readonly cluster?: ControlPlane;
  readonly target?: string;
  readonly want: string;
  readonly wantText?: string;
}

const cases: Record<string, Case> = {
  "a plain workload with a label": { want: "fine" },
  "C14: the revision label is in matchLabels": {
    workload: { selectsRevision: true },
    want: "refused SelectsRevision",
    wantText: "istio#33237",
  },
  "C14: OnDelete": { workload: { kind: "StatefulSet", onDelete: true }, want: "refused OnDelete" },
  "an Argo Rollout with a template of its own": { workload: { kind: "Rollout", argo: {} }, want: "fine" },
  "one that takes a Deployment's": {
    workload: { kind: "Rollout", argo: { templateOf: "Deployment/web" } },
    want: "refused TemplateElsewhere",
    wantText: "its template is that of Deployment/web",
  },
  "an annotation that was edited": {
    workload: { annotations: { "meshroll.dev/run": "yesterday" } },
    want: "refused UnreadableAnnotation",
    wantText: "meshroll.dev/run",
  },
  "an annotation of the namespace that was edited": {
    namespace: { annotations: { "meshroll.dev/failed": "?" } },
    want: "refused UnreadableAnnotation",
    wantText: "namespace shop",
  },
  "a namespace that is being deleted": { namespace: { terminating: true }, want: "refused Terminating" },
  "the template contradicts its namespace": {
    namespace: { labels: { "istio.io/rev": target } },
    want: "refused ContradictoryLabels",
    wantText: "which wins",
  },
  "the template says the same as its namespace, until the namespace's label moves": {
    namespace: { labels },
    want: "refused ContradictoryLabels",
  },
  "template and namespace name one tag": {
    namespace: { labels: { "istio.io/rev": "prod" } },
    workload: { labels: { "istio.io/rev": "prod" } },
    want: "fine",
  },
  "template and namespace name one tag, and rollouts.yml moves labels between tags": {
    namespace: { labels: { "istio.io/rev": "prod" } },
    workload: { labels: { "istio.io/rev": "prod" } },
    target: "canary",
    want: "refused ContradictoryLabels",
  },
  "two tags that point to one revision are still two names": {
    namespace: { labels: { "istio.io/rev": "prod" } },
    workload: { labels: { "istio.io/rev": "stable" } },
    want: "refused ContradictoryLabels",
  },
  "both namespace labels, for different revisions": {
    namespace: { labels: { "istio-injection": "enabled", "istio.io/rev": target } },
    workload: { labels: {} },
    want: "refused ContradictoryLabels",
    wantText: "kubectl label namespace shop istio-injection-",
  },
  "both namespace labels, for one revision": {
    namespace: { labels: { "istio-injection": "enabled", "istio.io/rev": old } },
    workload: { labels: {} },
    want: "fine",
  },
  "a name that is a revision and a tag": {
    cluster: makeControlPlane([old, target], { [old]: target }),
    want: "refused ContradictoryLabels",
    wantText: "both a revision and a revision tag",
  },
  "istio#48643: a default revision next to a default tag": {
    namespace: { labels: { "istio-injection": "enabled" } },
    workload: { labels: {} },
    cluster: makeControlPlane([old, "default"], { default: old }),
    want: "refused ContradictoryLabels",
  },
  "a plain istioctl install: the tag default points to the revision default": {
    namespace: { labels: { "istio-injection": "enabled" } },
    workload: { labels: {} },
    cluster: makeControlPlane(["default", target], { default: "default" }),
    want: "fine",
  },
  "5.4 manifest: what CI wrote is moved": {
    workload: { annotations: { "meshroll.dev/mutated-at": "2026-11-01T00:00:00Z" } },
    want: "fine",
  },
  "injected by hand: a restart would take it out of the mesh": { workload: { labels: {} }, want: "refused NoSite" },
  "its owner opted out": {
    workload: { annotations: { "meshroll.dev/opt-out": "load test until Friday" } },
    want: "excluded OptedOut",
    wantText: "load test until Friday",
  },
  "its namespace opted out": {
    namespace: { annotations: { "meshroll.dev/opt-out": "" } },
    want: "excluded OptedOut",
    wantText: "namespace shop",
  },
  "an opt-out that says false": { workload: { annotations: { "meshroll.dev/opt-out": "false" } }, want: "fine" },
  "Sail's skip-migration": {
    workload: { annotations: { "sailoperator.io/skip-migration": "true" } },
    want: "excluded OptedOut",
  },
  "the same under our prefix, on its namespace": {
    namespace: { annotations: { "meshroll.dev/skip-migration": "true" } },
    want: "excluded OptedOut",
    wantText: "namespace shop has meshroll.dev/skip-migration=true",
  },
  "an invalid value of a Sail annotation": {
    workload: { annotations: { "sailoperator.io/migration-batch": "first" } },
    want: "refused UnreadableAnnotation",
    wantText: "sailoperator.io/migration-batch that means nothing (it is not a whole number",
  },
  "an invalid timeout of its namespace": {
    namespace: { annotations: { "meshroll.dev/readiness-timeout": "10" } },
    want: "refused UnreadableAnnotation",
    wantText: "fix or remove it",
  },
  "pinned to another revision": {
    workload: { annotations: { "meshroll.dev/pin": old } },
    want: "excluded Pinned",
    wantText: old,
  },
  "pinned to the target": { workload: { annotations: { "meshroll.dev/pin": target } }, want: "fine" },
  "its namespace is pinned": { namespace: { annotations: { "meshroll.dev/pin": old } }, want: "excluded Pinned" },
};

const tagged = makeControlPlane([old, target], { default: old, prod: old, stable: old, canary: target });

describe("judgeRefused", () => {
  it.each(Object.entries(cases))(
    "%s",
    (_, { namespace, workload, cluster = tagged, want, wantText = "", ...given }) => {
      const refusal = judgeRefused(
        makeNamespace(namespace),
        makeMeshWorkload(old, { labels, ...workload }),
        cluster,
        given.target ?? target,
      );
      expect(refusal.refused ? `${refusal.kind} ${refusal.reason.code}` : "fine").toBe(want);
      expect(refusal.refused ? renderWorkloadReason(refusal.reason).message : "").toContain(wantText);
    },
  );
});
