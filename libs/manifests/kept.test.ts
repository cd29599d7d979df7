import { describe, expect, it } from "vitest";

import type { ManifestReason } from "#libs/wording";

import type { MutateOptions } from "./mutate.ts";
import { mutateText } from "./test-question.ts";
import { plain, writeWorkload } from "./test-workload.ts";

interface Kept {
  readonly text: string;
  readonly want: ManifestReason | "current" | "no outcome";
  readonly given?: Partial<MutateOptions>;
}

const namespaceWith = (line: string) => `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n${line}---\n`;

const expressions = (key: string) => `spec:
  selector:
    matchExpressions:
      - key: app
        operator: Exists
      - key: ${key}
        operator: DoesNotExist
`;
const selectBy = (key: string) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "cart", namespace: "shop" },
  spec: { selector: { matchExpressions: [{ key, operator: "Exists" }] }, template: { spec: {} } },
});

const kept: Record<string, Kept> = {
  "the label is right already": {
    text: writeWorkload("    metadata:\n      labels:\n        istio.io/rev: 1-25-2\n"),
    want: "current",
  },
  "a sidecar is refused by the label": {
    text: writeWorkload('    metadata:\n      labels:\n        sidecar.istio.io/inject: "false"\n'),
    want: { code: "InjectionOff" },
  },
  "a sidecar is refused by the annotation": {
    text: writeWorkload('    metadata:\n      annotations:\n        sidecar.istio.io/inject: "false"\n'),
    want: { code: "InjectionOff" },
  },
  "the host's network": {
    text: writeWorkload(plain).replace("    spec:\n", "    spec:\n      hostNetwork: true\n"),
    want: { code: "HostNetwork" },
  },
  "a gateway": {
    text: writeWorkload("    metadata:\n      annotations:\n        inject.istio.io/templates: gateway\n"),
    want: { code: "Gateway" },
  },
  "no namespace": { text: writeWorkload(plain, { namespace: "" }), want: { code: "NoNamespace" } },
  "the selector asks for another revision": {
    text: writeWorkload(plain).replace(
      "spec:\n  template",
      "spec:\n  selector:\n    matchLabels:\n      istio.io/rev: 1-24-5\n  template",
    ),
    want: { code: "SelectsRevision", selector: "1-24-5", revision: "1-25-2" },
  },
  "an expression of the selector is about the label": {
    text: writeWorkload(plain).replace("spec:\n  template", `${expressions("istio.io/rev")}  template`),
    want: { code: "SelectsByExpression" },
  },
  "an expression of the selector is about the label, in JSON": {
    text: JSON.stringify(selectBy("istio.io/rev")),
    want: { code: "SelectsByExpression" },
  },
  "an expression of the selector is about the label, in flow maps": {
    text: writeWorkload(plain).replace(
      "spec:\n  template",
      "spec:\n  selector: {matchExpressions: [{operator: DoesNotExist, key: istio.io/rev}]}\n  template",
    ),
    want: { code: "SelectsByExpression" },
  },
  "an expression of the selector is about the label, which is right": {
    text: writeWorkload("    metadata:\n      labels:\n        istio.io/rev: 1-25-2\n").replace(
      "spec:\n  template",
      `${expressions("istio.io/rev")}  template`,
    ),
    want: "current",
  },
  "the owner opted out": {
    text: writeWorkload(plain, { above: '  annotations:\n    meshroll.dev/opt-out: "until spring"\n' }),
    want: { code: "OptedOut", why: "until spring" },
  },
  "the owner opted out in Sail's words": {
    text: writeWorkload(plain, { above: '  annotations:\n    sailoperator.io/skip-migration: "true"\n' }),
    want: { code: "OptedOut", why: "sailoperator.io/skip-migration" },
  },
  "the owner of the namespace opted out": {
    text: namespaceWith("  annotations:\n    meshroll.dev/opt-out: no\n") + writeWorkload(plain),
    want: { code: "OptedOut", why: "no" },
  },
  "the owner is pinned to what it has": {
    text: writeWorkload("    metadata:\n      labels:\n        istio.io/rev: 1-24-5\n", {
      above: "  annotations:\n    meshroll.dev/pin: 1-24-5\n",
    }),
    want: "current",
  },
  "a pin that cannot be read": {
    text: writeWorkload(plain, { above: '  annotations:\n    meshroll.dev/pin: "a b"\n' }),
    want: { code: "UnreadableAnnotation", annotation: "meshroll.dev/pin", why: expect.any(String) as string },
  },
  "the namespace's label decides": {
    text: namespaceWith("  labels:\n    istio-injection: enabled\n") + writeWorkload(plain),
    want: { code: "NamespaceDecides", namespace: "shop", label: "istio-injection", isTwice: false },
  },
  "a label that names a revision tag": {
    text: writeWorkload("    metadata:\n      labels:\n        istio.io/rev: prod\n"),
    given: { tags: new Set(["prod"]) },
    want: { code: "Tag", tag: "prod" },
  },
  "a namespace that is not managed": {
    text: writeWorkload(plain),
    given: { answer: () => ({ kind: "unmanaged", why: "kube-* namespaces are not managed" }) },
    want: { code: "Unmanaged", why: "kube-* namespaces are not managed" },
  },
  "two maps of labels": {
    text: writeWorkload("    metadata:\n      labels:\n        app: a\n      labels:\n        app: b\n"),
    want: { code: "Unclear", why: "duplicateKey" },
  },
  "labels that another place uses too": {
    text: writeWorkload("    metadata:\n      labels: &l\n        app: a\n") + "  extra: *l\n",
    want: { code: "Unclear", why: "sharedAnchor" },
  },
  "a kind of another group": {
    text: writeWorkload(plain, { kind: "Job", apiVersion: "batch.volcano.sh/v1alpha1" }),
    want: "no outcome",
  },
  "an unknown kind": { text: writeWorkload(plain, { kind: "Gizmo" }), want: "no outcome" },
  "a Rollout that refers to a Deployment": {
    text: `apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata:
  name: r
  namespace: shop
spec:
  workloadRef:
    kind: Deployment
`,
    want: "no outcome",
  },
  "a manifest inside a text": {
    text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: c
  namespace: shop
data:
  m: |
${writeWorkload(plain).replaceAll(/^/gm, "    ")}
`,
    want: "no outcome",
  },
};

describe("mutateManifests", () => {
  it.each(Object.entries(kept))("keeps every byte: %s", (_, { text, want, given }) => {
    const mutated = mutateText(text, given);
    expect(mutated?.text).toBe(text);
    const results = mutated?.outcomes.map(({ result }) => (result.kind === "kept" ? result.reason : result.kind));
    expect(results).toEqual(want === "no outcome" ? [] : [want]);
  });

  it.each([
    ["block YAML", writeWorkload(plain).replace("spec:\n  template", `${expressions("tier")}  template`)],
    ["JSON", JSON.stringify(selectBy("tier"))],
  ])("expressions about other labels hinder nothing: %s", (_, text) => {
    expect(mutateText(text)?.outcomes.map(({ result }) => result.kind)).toEqual(["written"]);
  });
});
