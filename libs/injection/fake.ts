import { lookUp } from "#libs/input";
import type { Namespace, PodTemplate, PreviousFields, Workload } from "#libs/fleet";

import type { ControlPlane } from "./sites/effective-revision.ts";
import type { AnnotatedObject, ObjectChange } from "./writes/object-change.ts";

function merge(now: Readonly<Record<string, string>>, fields: PreviousFields = {}): Readonly<Record<string, string>> {
  const merged = new Map(Object.entries(now));
  for (const [key, value] of Object.entries(fields)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

/** The object after an API server applied a merge patch: a changed template is a new generation. */
export function applyChange<T extends AnnotatedObject>(object: T, change: ObjectChange): T {
  if (change.resourceVersion !== object.resourceVersion) throw new Error("conflict: decided on another state");
  const resourceVersion = String(Number(object.resourceVersion) + 1);
  const annotations = merge(object.annotations, change.annotations);
  if (!("template" in object)) {
    const namespace: Namespace = object;
    return { ...object, resourceVersion, annotations, labels: merge(namespace.labels, change.labels) };
  }
  const workload: Workload = object;
  const template: PodTemplate = {
    ...workload.template,
    labels: merge(workload.template.labels, change.template?.labels),
    annotations: merge(workload.template.annotations, change.template?.annotations),
  };
  const isSame = hashTemplate(template) === hashTemplate(workload.template);
  return { ...object, resourceVersion, annotations, template, generation: workload.generation + (isSame ? 0 : 1) };
}

/** Equal exactly when Kubernetes would use the same ReplicaSet again. */
export function hashTemplate(template: PodTemplate): string {
  const sort = (map: Readonly<Record<string, string>>) => Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([sort(template.labels), sort(template.annotations), template.hostNetwork]);
}

interface Requirement {
  readonly key: string;
  readonly operator: "In" | "NotIn" | "DoesNotExist";
  readonly values?: readonly string[];
}

interface Webhook {
  readonly injects: string;
  readonly namespaceSelector: readonly Requirement[];
  readonly objectSelector: readonly Requirement[];
}

const rev = "istio.io/rev";
const injection = "istio-injection";
const inject = "sidecar.istio.io/inject";

/** The two webhooks that Istio's chart installs for each revision and each tag. */
function renderForName(name: string, injects: string): readonly Webhook[] {
  const notOff: Requirement = { key: inject, operator: "NotIn", values: ["false"] };
  return [
    {
      injects, // rev.namespace.sidecar-injector.istio.io
      namespaceSelector: [
        { key: rev, operator: "In", values: [name] },
        { key: injection, operator: "DoesNotExist" },
      ],
      objectSelector: [notOff],
    },
    {
      injects, // rev.object.sidecar-injector.istio.io
      namespaceSelector: [
        { key: rev, operator: "DoesNotExist" },
        { key: injection, operator: "DoesNotExist" },
      ],
      objectSelector: [notOff, { key: rev, operator: "In", values: [name] }],
    },
  ];
}

/** The two more that the default revision or tag has. */
function renderForDefault(injects: string): readonly Webhook[] {
  return [
    {
      injects, // namespace.sidecar-injector.istio.io
      namespaceSelector: [{ key: injection, operator: "In", values: ["enabled"] }],
      objectSelector: [{ key: inject, operator: "NotIn", values: ["false"] }],
    },
    {
      injects, // object.sidecar-injector.istio.io
      namespaceSelector: [
        { key: injection, operator: "DoesNotExist" },
        { key: rev, operator: "DoesNotExist" },
      ],
      objectSelector: [
        { key: inject, operator: "In", values: ["true"] },
        { key: rev, operator: "DoesNotExist" },
      ],
    },
  ];
}

function matches(labels: Readonly<Record<string, string>>, requirements: readonly Requirement[]): boolean {
  return requirements.every(({ key, operator, values = [] }) => {
    const value = Object.hasOwn(labels, key) ? lookUp(labels, key) : undefined;
    switch (operator) {
      case "In":
        return value !== undefined && values.includes(value);
      case "NotIn":
        return value === undefined || !values.includes(value);
      case "DoesNotExist":
        return value === undefined;
    }
  });
}

/** What istiod refuses after its webhook was called. */
function isRefusedByIstiod(namespace: string, template: PodTemplate): boolean {
  const ignored = ["kube-system", "kube-public", "kube-node-lease", "local-path-storage"];
  const said = template.labels[inject] ?? template.annotations[inject];
  return template.hostNetwork || ignored.includes(namespace) || said === "false";
}

/**
 * The revisions whose injector Istio calls for a new pod and that inject it, each once. Written from the selectors of Istio's
 * chart (revisionLabelPreference: namespace), without any code of the prediction that it checks.
 */
export function injectLikeIstio(
  namespace: Pick<Namespace, "name" | "labels">,
  template: PodTemplate,
  cluster: ControlPlane,
): readonly string[] {
  const revisions = cluster.revisions.filter((each) => each.webhook).map((each) => [each.name, each.name] as const);
  const webhooks = [...revisions, ...Object.entries(cluster.tags)].flatMap(([name, injects]) => [
    ...renderForName(name, injects),
    ...(name === "default" ? renderForDefault(injects) : []),
  ]);
  const called = webhooks.filter(
    (webhook) =>
      matches(namespace.labels, webhook.namespaceSelector) && matches(template.labels, webhook.objectSelector),
  );
  return isRefusedByIstiod(namespace.name, template) ? [] : [...new Set(called.map((webhook) => webhook.injects))];
}
