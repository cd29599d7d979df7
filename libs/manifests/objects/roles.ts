import { istioKeys } from "#libs/fleet";

/**
 * The role of a node in a manifest, as small numbers because the fast reader uses one for each line; `none` decides nothing.
 */
export const roles = {
  none: 0,
  object: 1,
  metadata: 2,
  spec: 3,
  annotations: 4,
  labels: 5,
  template: 6,
  selector: 7,
  jobTemplate: 8,
  templateMetadata: 9,
  templateSpec: 10,
  templateLabels: 11,
  templateAnnotations: 12,
  matchLabels: 13,
  jobSpec: 14,
  items: 15,
  jobsTemplate: 16,
  expressions: 17,
  expression: 18,
  // Scalars from here on.
  apiVersion: 20,
  kind: 21,
  name: 22,
  namespace: 23,
  hostNetwork: 24,
  selectorRevision: 25,
  expressionKey: 26,
  // Scalars that are replaced.
  annotation: 27,
  label: 28,
  templateLabel: 29,
  templateAnnotation: 30,
} as const;

export type Role = number;

type Steps = readonly (readonly [key: string, role: Role])[];

const noSteps: Steps = [];

const templateSteps: Steps = [
  ["metadata", roles.templateMetadata],
  ["spec", roles.templateSpec],
];

/**
 * The role of a child by its parent's role and its key. Independent of the kind, which may come last. They are few, and are
 * compared where they stand in the text, because the fast reader would have to copy each key to find it in a Map.
 */
const steps: readonly Steps[] = listByRole<Steps>(noSteps, {
  [roles.object]: [
    ["apiVersion", roles.apiVersion],
    ["kind", roles.kind],
    ["metadata", roles.metadata],
    ["spec", roles.spec],
    ["items", roles.items],
  ],
  [roles.metadata]: [
    ["name", roles.name],
    ["namespace", roles.namespace],
    ["annotations", roles.annotations],
    ["labels", roles.labels],
  ],
  [roles.spec]: [
    ["template", roles.template],
    ["selector", roles.selector],
    ["jobTemplate", roles.jobTemplate],
    ["hostNetwork", roles.hostNetwork],
  ],
  [roles.template]: templateSteps,
  [roles.jobsTemplate]: templateSteps,
  [roles.templateMetadata]: [
    ["labels", roles.templateLabels],
    ["annotations", roles.templateAnnotations],
  ],
  [roles.templateSpec]: [["hostNetwork", roles.hostNetwork]],
  [roles.selector]: [
    ["matchLabels", roles.matchLabels],
    ["matchExpressions", roles.expressions],
  ],
  [roles.expression]: [["key", roles.expressionKey]],
  [roles.matchLabels]: [[istioKeys.revision, roles.selectorRevision]],
  [roles.jobTemplate]: [["spec", roles.jobSpec]],
  [roles.jobSpec]: [
    ["template", roles.jobsTemplate],
    ["selector", roles.selector],
  ],
});

interface Keyed {
  /** Undefined: all keys. */
  readonly form?: RegExp;
  readonly role: Role;
}

/** Maps of which the keys are read that have a form. Of annotations those of injection too, because a Pod is its own template. */
const keyed: readonly (Keyed | undefined)[] = listByRole<Keyed | undefined>(undefined, {
  [roles.annotations]: {
    form: /^(?:meshroll\.dev|sailoperator\.io|(?:sidecar|inject)\.istio\.io)\//,
    role: roles.annotation,
  },
  [roles.labels]: { role: roles.label },
  [roles.templateLabels]: { form: /^(?:(?:istio|sidecar\.istio|gateway\.istio)\.io\/)/, role: roles.templateLabel },
  [roles.templateAnnotations]: { form: /^(?:sidecar|inject)\.istio\.io\//, role: roles.templateAnnotation },
});

function listByRole<Value>(none: Value, known: Readonly<Record<Role, Value>>): readonly Value[] {
  return Array.from({ length: roles.templateAnnotation + 1 }, (_, role) => known[role] ?? none);
}

/** The role of the value of the key that stands from `at` to `end`, in a map of this role. */
export function stepAt(role: Role, text: string, at: number, end: number): Role {
  const open = keyed[role];
  if (open !== undefined) return open.form?.test(text.slice(at, end)) === false ? roles.none : open.role;
  for (const step of steps[role] ?? noSteps) {
    if (step[0].length === end - at && text.startsWith(step[0], at)) return step[1];
  }
  return roles.none;
}

/** The role of the value of `key` in a map of this role. */
export function stepTo(role: Role, key: string): Role {
  return stepAt(role, key, 0, key.length);
}

/** The role of the items of a list; `none` where it is no list that decides. */
export function stepIntoList(role: Role): Role {
  if (role === roles.items) return roles.object;
  return role === roles.expressions ? roles.expression : roles.none;
}

/** Whether a node of this role is a single value. */
export function isScalarRole(role: Role): boolean {
  return role >= roles.apiVersion;
}

/** Whether an object has several of this role, by their keys. */
export function isKeyedRole(role: Role): boolean {
  return role >= roles.annotation;
}
