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

const noSteps: ReadonlyMap<string, Role> = new Map();

const templateSteps: ReadonlyMap<string, Role> = new Map([
  ["metadata", roles.templateMetadata],
  ["spec", roles.templateSpec],
]);

/** The role of a child by its parent's role and its key. Independent of the kind, which may come last. */
const steps: ReadonlyMap<Role, ReadonlyMap<string, Role>> = new Map<Role, ReadonlyMap<string, Role>>([
  [
    roles.object,
    new Map<string, Role>([
      ["apiVersion", roles.apiVersion],
      ["kind", roles.kind],
      ["metadata", roles.metadata],
      ["spec", roles.spec],
      ["items", roles.items],
    ]),
  ],
  [
    roles.metadata,
    new Map<string, Role>([
      ["name", roles.name],
      ["namespace", roles.namespace],
      ["annotations", roles.annotations],
      ["labels", roles.labels],
    ]),
  ],
  [
    roles.spec,
    new Map<string, Role>([
      ["template", roles.template],
      ["selector", roles.selector],
      ["jobTemplate", roles.jobTemplate],
      ["hostNetwork", roles.hostNetwork],
    ]),
  ],
  [roles.template, templateSteps],
  [roles.jobsTemplate, templateSteps],
  [
    roles.templateMetadata,
    new Map<string, Role>([
      ["labels", roles.templateLabels],
      ["annotations", roles.templateAnnotations],
    ]),
  ],
  [roles.templateSpec, new Map<string, Role>([["hostNetwork", roles.hostNetwork]])],
  [
    roles.selector,
    new Map<string, Role>([
      ["matchLabels", roles.matchLabels],
      ["matchExpressions", roles.expressions],
    ]),
  ],
  [roles.expression, new Map<string, Role>([["key", roles.expressionKey]])],
  [roles.matchLabels, new Map<string, Role>([[istioKeys.revision, roles.selectorRevision]])],
  [roles.jobTemplate, new Map<string, Role>([["spec", roles.jobSpec]])],
  [
    roles.jobSpec,
    new Map<string, Role>([
      ["template", roles.jobsTemplate],
      ["selector", roles.selector],
    ]),
  ],
]);

/** Annotations of an object that are read; those of injection too, because a Pod is its own template. */
const readAnnotation = /^(?:meshroll\.dev|sailoperator\.io|(?:sidecar|inject)\.istio\.io)\//;
const injectionLabel = /^(?:(?:istio|sidecar\.istio|gateway\.istio)\.io\/)/;
const injectionAnnotation = /^(?:sidecar|inject)\.istio\.io\//;

/** Maps of which only some keys are read. */
const keyed: ReadonlyMap<Role, { readonly form: RegExp; readonly role: Role }> = new Map([
  [roles.annotations, { form: readAnnotation, role: roles.annotation }],
  [roles.labels, { form: /^/, role: roles.label }],
  [roles.templateLabels, { form: injectionLabel, role: roles.templateLabel }],
  [roles.templateAnnotations, { form: injectionAnnotation, role: roles.templateAnnotation }],
]);

/** The role of the value of `key` in a map of this role. */
export function stepTo(role: Role, key: string): Role {
  if (role === roles.none) return roles.none;
  const open = keyed.get(role);
  if (open !== undefined) return open.form.test(key) ? open.role : roles.none;
  return (steps.get(role) ?? noSteps).get(key) ?? roles.none;
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
