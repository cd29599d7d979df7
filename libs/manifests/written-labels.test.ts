import { describe, expect, it } from "vitest";

import { mutateText } from "./test-question.ts";
import { plain, writeWorkload } from "./test-workload.ts";

const marks =
  '  annotations:\n    meshroll.dev/mutated-at: "2026-11-24T10:00:00Z"\n    meshroll.dev/spec-commit: "0123456789ab"\n';
const label = '        istio.io/rev: "1-25-2"\n';

const wrapPod = (metadata: string) =>
  `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Pod","metadata":${metadata}}]}`;

const written: Record<string, { readonly text: string; readonly want: string }> = {
  "a label that is missing becomes the first one": {
    text: writeWorkload(plain),
    want: writeWorkload(`    metadata:\n      labels:\n${label}        app: cart\n`).replace(
      "metadata:\n  name",
      `metadata:\n${marks}  name`,
    ),
  },
  "a label that is old keeps its place, its quotes and its comment": {
    text: writeWorkload("    metadata:\n      labels:\n        istio.io/rev: '1-24-5' # the mesh\n", { above: marks }),
    want: writeWorkload("    metadata:\n      labels:\n        istio.io/rev: '1-25-2' # the mesh\n", { above: marks }),
  },
  "a template without labels gets them": {
    text: writeWorkload("    metadata:\n      annotations: {a: b}\n", { above: marks }),
    want: writeWorkload(`    metadata:\n      labels:\n${label}      annotations: {a: b}\n`, { above: marks }),
  },
  "a template without metadata gets it": {
    text: writeWorkload("", { above: marks }),
    want: writeWorkload(`    metadata:\n      labels:\n${label}`, { above: marks }),
  },
  "labels on one line": {
    text: writeWorkload("    metadata:\n      labels: {app: cart}\n", { above: marks }),
    want: writeWorkload('    metadata:\n      labels: {istio.io/rev: "1-25-2", app: cart}\n', { above: marks }),
  },
  "labels that are empty": {
    text: writeWorkload("    metadata:\n      labels: {} # none\n", { above: marks }),
    want: writeWorkload('    metadata:\n      labels: {istio.io/rev: "1-25-2"} # none\n', { above: marks }),
  },
  "labels by an alias of the selector's are written out, and the selector stays": {
    text: `apiVersion: apps/v1
kind: Deployment
metadata:
${marks}  name: cart
  namespace: shop
spec:
  selector:
    matchLabels: &l {app: cart}
  template:
    metadata:
      labels: *l
    spec: {}
`,
    want: `apiVersion: apps/v1
kind: Deployment
metadata:
${marks}  name: cart
  namespace: shop
spec:
  selector:
    matchLabels: &l {app: cart}
  template:
    metadata:
      labels: {"istio.io/rev": "1-25-2", "app": "cart"}
    spec: {}
`,
  },
  "an entry of its own overrides a merge": {
    text: `apiVersion: apps/v1
kind: Deployment
metadata:
${marks}  name: cart
  namespace: shop
spec:
  selector:
    matchLabels: &l
      app: cart
  template:
    metadata:
      labels:
        <<: *l
    spec: {}
`,
    want: `apiVersion: apps/v1
kind: Deployment
metadata:
${marks}  name: cart
  namespace: shop
spec:
  selector:
    matchLabels: &l
      app: cart
  template:
    metadata:
      labels:
${label}        <<: *l
    spec: {}
`,
  },
  "JSON, as a printer lays it out": {
    text: '{\n  "apiVersion": "v1",\n  "kind": "Pod",\n  "metadata": {\n    "name": "p",\n    "namespace": "shop"\n  }\n}\n',
    want: `{
  "apiVersion": "v1",
  "kind": "Pod",
  "metadata": {
    "annotations": {
      "meshroll.dev/mutated-at": "2026-11-24T10:00:00Z",
      "meshroll.dev/spec-commit": "0123456789ab"
    },
    "labels": {
      "istio.io/rev": "1-25-2"
    },
    "name": "p",
    "namespace": "shop"
  }
}
`,
  },
  "JSON on one line": {
    text: wrapPod('{"labels":{},"namespace":"shop"}'),
    want: wrapPod(
      '{"annotations":{"meshroll.dev/mutated-at":"2026-11-24T10:00:00Z","meshroll.dev/spec-commit":"0123456789ab"},' +
        '"labels":{"istio.io/rev": "1-25-2"},"namespace":"shop"}',
    ),
  },
};

describe("mutateManifests", () => {
  it.each(Object.entries(written))("writes: %s", (_, { text, want }) => {
    expect(mutateText(text, { verify: true })?.text).toBe(want);
    // A second run writes nothing, at any time.
    expect(mutateText(want, { stamp: { mutatedAt: "2027-01-01T00:00:00Z" } })?.text).toBe(want);
    const crlf = (each: string) => each.replaceAll("\n", "\r\n");
    expect(mutateText(crlf(text))?.text).toBe(crlf(want));
  });

  const kinds = [
    ["apps/v1", "Deployment"],
    ["apps/v1", "StatefulSet"],
    ["apps/v1", "DaemonSet"],
    ["apps/v1", "ReplicaSet"],
    ["batch/v1", "Job"],
    ["argoproj.io/v1alpha1", "Rollout"],
  ] as const;
  it.each(kinds)("writes into the template of %s %s", (apiVersion, kind) => {
    const want = writeWorkload(`    metadata:\n      labels:\n${label}        app: cart\n`, {
      kind,
      apiVersion,
      above: marks,
    });
    expect(mutateText(writeWorkload(plain, { kind, apiVersion, above: marks }))?.text).toBe(want);
  });

  it("writes into the template of a CronJob's job, and on the object of the CronJob", () => {
    const text = `apiVersion: batch/v1
kind: CronJob
metadata:
  name: c
  namespace: shop
spec:
  jobTemplate:
    metadata: {}
    spec:
      template:
        spec: {}
`;
    const want = text
      .replace("metadata:\n  name", `metadata:\n${marks}  name`)
      .replace(
        "      template:\n",
        '      template:\n        metadata:\n          labels:\n            istio.io/rev: "1-25-2"\n',
      );
    expect(mutateText(text, { verify: true })?.text).toBe(want);
  });

  it("an unknown commit is not recorded", () => {
    const text = writeWorkload("    metadata:\n      labels:\n        istio.io/rev: old\n", { above: marks });
    const mutated = mutateText(text, { stamp: { mutatedAt: "2027-01-01T00:00:00Z" } });
    expect(mutated?.text).toContain('meshroll.dev/spec-commit: "unknown"\n');
    expect(mutated?.text).toContain('meshroll.dev/mutated-at: "2027-01-01T00:00:00Z"\n');
  });
});
