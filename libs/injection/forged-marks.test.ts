import { annotationKeys } from "#libs/fleet";
import { makeMeshWorkload, makeNamespace } from "#fakes/fleet";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Site } from "./sites/find-site.ts";
import type { AnnotatedObject, MoveOrder, Planned } from "./writes/object-change.ts";
import { planNamespaceRollback, planRollback } from "./patches/plan-rollback.ts";
import { planUndo } from "./patches/plan-undo.ts";

const [old, target] = ["1-24-5", "1-25-2"];
const order: MoveOrder = { run: "0123456789ab", target: old, attempt: 1 };
const site: Site = { kind: "template", label: "istio.io/rev" };
const revisions = [old, target].map((name) => ({ name, webhook: true, istiod: "ready" as const }));
const cluster = { revisions, tags: {} };
const failure = { revision: target, reason: "ReadinessTimeout", at: "2026-11-20T10:00:00Z" };
const run = `0123456789ab ${target}`;

/** Every key that our writes may have, in the object and in its pod template. */
const own = {
  fields: ["resourceVersion", "annotations", "labels", "template"],
  annotations: [annotationKeys.run, annotationKeys.previous, annotationKeys.failed] as readonly string[],
  labels: ["istio.io/rev", "istio-injection"],
  template: ["labels", "annotations"],
  templateLabels: ["istio.io/rev"],
  templateAnnotations: [annotationKeys.restartedFor] as readonly string[],
};

function listKeys(fields: object | undefined): readonly string[] {
  return Object.getOwnPropertyNames(fields ?? {});
}

/** The keys of a write that are not our own. */
function listForeign(planned: Planned): readonly string[] {
  if (planned.kind !== "write") return [];
  const { change } = planned;
  const groups = [
    [own.fields, change],
    [own.annotations, change.annotations],
    [own.labels, change.labels],
    [own.template, change.template],
    [own.templateLabels, change.template?.labels],
    [own.templateAnnotations, change.template?.annotations],
  ] as const;
  return groups.flatMap(([allowed, fields]) => listKeys(fields).filter((key) => !allowed.includes(key)));
}

/** Every kind of write that uses `previous`, for a workload and a namespace with these annotations. */
function planAll(annotations: Readonly<Record<string, string>>): readonly Planned[] {
  const workload = { ...makeMeshWorkload(old, { labels: { "istio.io/rev": target } }), annotations };
  const namespace = { ...makeNamespace({ labels: { "istio.io/rev": target } }), annotations };
  const objects: readonly AnnotatedObject[] = [workload, namespace];
  return [
    ...objects.flatMap((object) => [planUndo(object, failure), planUndo(object, undefined)]),
    planRollback(workload, site, order, { namespace, cluster }),
    planNamespaceRollback(namespace, workload, order, cluster),
  ];
}

const label = { "istio.io/rev": old };
const forged: readonly { readonly name: string; readonly previous: unknown }[] = [
  {
    name: "an image",
    previous: { template: { labels: label, spec: { containers: [{ name: "app", image: "evil" }] } } },
  },
  { name: "replicas", previous: { template: { labels: label }, replicas: 0 } },
  { name: "replicas inside a spec", previous: { spec: { replicas: 0 }, template: { labels: label } } },
  { name: "a ServiceAccount", previous: { template: { labels: label, spec: { serviceAccountName: "admin" } } } },
  { name: "a foreign label of the pods", previous: { template: { labels: { ...label, app: "billing" } } } },
  {
    name: "no injection for the pods",
    previous: { template: { labels: { ...label, "sidecar.istio.io/inject": "false" } } },
  },
  {
    name: "a foreign annotation of the pods",
    previous: { template: { annotations: { "inject.istio.io/templates": "evil" } } },
  },
  {
    name: "a foreign label of the object",
    previous: { labels: { "pod-security.kubernetes.io/enforce": "privileged" } },
  },
  { name: "an annotation of the object", previous: { annotations: { "meshroll.dev/opt-out": "yes" } } },
  { name: "a label through the prototype", previous: JSON.parse('{"labels":{"__proto__":"privileged"}}') as unknown },
  { name: "another resourceVersion", previous: { template: { labels: label }, resourceVersion: "1" } },
];

describe("a meshroll.dev/previous that the owner forged", () => {
  it.each(forged)("that would write $name restores nothing at all", ({ previous }) => {
    const plans = planAll({ [annotationKeys.run]: run, [annotationKeys.previous]: JSON.stringify(previous) });
    expect(plans.map(({ kind }) => kind)).not.toContain("write");
  });

  it("of any JSON adds only our own keys to a write", () => {
    const keys = fc.constantFrom("template", "labels", "annotations", "restored", "spec", "istio.io/rev", "app");
    const json = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, fc.constantFrom(old, target, null, true, 0), tie("fields")),
      fields: fc.dictionary(keys, tie("value"), { maxKeys: 3 }),
    })).fields;
    fc.assert(
      fc.property(json, (previous) => {
        const plans = planAll({ [annotationKeys.run]: run, [annotationKeys.previous]: JSON.stringify(previous) });
        expect(plans.flatMap(listForeign)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("in our own form is restored, so these checks would notice a write", () => {
    const previous = JSON.stringify({ template: { labels: label } });
    const plans = planAll({ [annotationKeys.run]: run, [annotationKeys.previous]: previous });
    expect(plans.filter(({ kind }) => kind === "write").length).toBeGreaterThan(1);
    expect(plans.flatMap(listForeign)).toEqual([]);
  });
});

describe("a meshroll.dev/run that the owner forged", () => {
  const runs = [
    { name: "without a revision", text: "0123456789ab" },
    { name: "with words after the revision", text: `${run} replicas=0` },
    { name: "with an invalid run id", text: `constructor ${target}` },
    { name: "with an impossible number of the try", text: `${run} #99999999` },
    { name: "with a second line", text: `${run}\nimage: evil` },
    { name: "with a revision that no label can hold", text: `0123456789ab ../../evil` },
    { name: "with nothing in it", text: "" },
  ];

  it.each(runs)("$name is unreadable, and nothing is restored by it", ({ text }) => {
    const previous = JSON.stringify({ template: { labels: label } });
    const plans = planAll({ [annotationKeys.run]: text, [annotationKeys.previous]: previous });
    expect(plans.map(({ kind }) => kind)).not.toContain("write");
  });

  it("of another run or revision restores nothing that it did not write", () => {
    const previous = JSON.stringify({ template: { labels: label } });
    const annotations = { [annotationKeys.run]: "ffffffffffff 1-26-0", [annotationKeys.previous]: previous };
    const templates = planAll(annotations).map((planned) =>
      planned.kind === "write" ? planned.change.template : undefined,
    );
    // The label has another revision than the annotation names, so its owner wrote it.
    expect(templates.slice(0, 4)).toEqual([undefined, undefined, undefined, undefined]);
  });
});
