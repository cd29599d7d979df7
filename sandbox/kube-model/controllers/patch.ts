import { lookUp } from "#libs/input";
import { requestReconcile } from "./controller.ts";
import { type FieldPlace, findChanged, nameFields, recordOwnership, type Writer } from "../objects/managed-fields.ts";
import type {
  ModelConfigMap,
  ModelNamespace,
  ModelVmGroup,
  ModelWorkload,
  StringMap,
  Template,
} from "../objects/objects.ts";
import { selects } from "../objects/selector.ts";
import { publish, type State } from "../state/state.ts";

type MapPatch = Readonly<Record<string, string | null>>;

/** A merge patch, narrowed to what the model knows; any other field is refused, so that no test relies on it. */
export interface ParsedPatch {
  readonly resourceVersion?: string;
  readonly labels?: MapPatch;
  readonly annotations?: MapPatch;
  readonly templateLabels?: MapPatch;
  readonly templateAnnotations?: MapPatch;
  readonly replicas?: number;
  readonly paused?: boolean;
  readonly image?: string;
  readonly data?: MapPatch;
}

export type Refusal = { readonly status: 409 | 422; readonly reason: string; readonly message: string };

/** Changes a workload as the API server would; undefined: done (perhaps nothing to do). */
export function patchWorkload(
  state: State,
  workload: ModelWorkload,
  patch: ParsedPatch,
  writer: Writer,
): Refusal | undefined {
  const conflict = checkVersion(workload, patch);
  if (conflict !== undefined) return conflict;
  const before = { ...workload.template, replicas: workload.replicas, paused: workload.paused };
  const template = patchTemplate(workload.template, patch);
  if (!selects({ matchLabels: workload.selector }, template.labels)) return refuseSelector(workload);
  const metadata = patchMetadata(state, workload, patch, writer);
  const fields = [
    ...nameFields("templateLabel", findChanged(before.labels, template.labels)),
    ...nameFields("templateAnnotation", findChanged(before.annotations, template.annotations)),
    ...nameFields("templateSpec", before.image === template.image ? [] : ["image"]),
    ...nameFields("spec", findSpecFields(before, { ...before, ...patch })),
  ];
  if (fields.length > 0) applySpec(state, workload, template, patch, writer, fields);
  if (fields.length > 0 || metadata) publish(state, "MODIFIED", workload);
  return undefined;
}

/** Labels and annotations of a namespace or a WorkloadGroup. */
export function patchLabelled(
  state: State,
  object: ModelNamespace | ModelVmGroup,
  patch: ParsedPatch,
  writer: Writer,
): Refusal | undefined {
  const conflict = checkVersion(object, patch);
  if (conflict !== undefined) return conflict;
  if (patchMetadata(state, object, patch, writer)) publish(state, "MODIFIED", object);
  return undefined;
}

export function patchConfigMap(state: State, map: ModelConfigMap, patch: ParsedPatch): Refusal | undefined {
  const conflict = checkVersion(map, patch);
  if (conflict !== undefined) return conflict;
  const data = mergeMap(map.data, patch.data);
  if (findChanged(map.data, data).length === 0) return undefined;
  map.data = data;
  publish(state, "MODIFIED", map);
  return undefined;
}

/** RFC 7396 for a flat map: null removes. */
function mergeMap(map: StringMap, patch: MapPatch | undefined): StringMap {
  if (patch === undefined) return map;
  const merged = Object.entries({ ...map, ...patch }).filter((entry): entry is [string, string] => entry[1] !== null);
  return Object.fromEntries(merged);
}

function checkVersion(object: { readonly rv: number; readonly name: string }, patch: ParsedPatch): Refusal | undefined {
  // An empty one asks for nothing, as at the API server.
  if (!patch.resourceVersion || patch.resourceVersion === String(object.rv)) return undefined;
  const message =
    `Operation cannot be fulfilled on "${object.name}": the object has been modified; ` +
    `please apply your changes to the latest version and try again`;
  return { status: 409, reason: "Conflict", message };
}

function refuseSelector({ kind, name }: ModelWorkload): Refusal {
  const message =
    `${kind}.apps "${name}" is invalid: spec.template.metadata.labels: Invalid value: ` +
    "`selector` does not match template `labels`";
  return { status: 422, reason: "Invalid", message };
}

function patchTemplate(template: Template, patch: ParsedPatch): Template {
  return {
    ...template,
    labels: mergeMap(template.labels, patch.templateLabels),
    annotations: mergeMap(template.annotations, patch.templateAnnotations),
    image: patch.image ?? template.image,
  };
}

/** True when something changed. Metadata does not raise the generation. */
function patchMetadata(
  state: State,
  object: ModelWorkload | ModelNamespace | ModelVmGroup,
  patch: ParsedPatch,
  writer: Writer,
): boolean {
  const labels = mergeMap(object.labels, patch.labels);
  const annotations = mergeMap(object.annotations, patch.annotations);
  const fields = [
    ...nameFields("label", findChanged(object.labels, labels)),
    ...nameFields("annotation", findChanged(object.annotations, annotations)),
  ];
  object.labels = labels;
  object.annotations = annotations;
  claim(
    state,
    object,
    writer,
    fields,
    (place, key) => lookUp(place === "label" ? labels : annotations, key) !== undefined,
  );
  return fields.length > 0;
}

function applySpec(
  state: State,
  workload: ModelWorkload,
  template: Template,
  patch: ParsedPatch,
  writer: Writer,
  fields: readonly string[],
): void {
  workload.template = template;
  workload.replicas = patch.replicas ?? workload.replicas;
  workload.paused = patch.paused ?? workload.paused;
  workload.generation++;
  claim(state, workload, writer, fields, (place, key) => {
    if (place === "spec" || place === "templateSpec") return true;
    return lookUp(place === "templateLabel" ? template.labels : template.annotations, key) !== undefined;
  });
  requestReconcile(state, workload);
}

function claim(
  state: State,
  object: ModelWorkload | ModelNamespace | ModelVmGroup,
  writer: Writer,
  fields: readonly string[],
  stands: (place: FieldPlace, key: string) => boolean,
): void {
  const changed = fields.filter((field) => {
    const [place = "spec", key = ""] = field.split(" ");
    return stands(place as FieldPlace, key);
  });
  const removed = fields.filter((field) => !changed.includes(field));
  object.managers = recordOwnership(object.managers, writer, state.clock.now(), changed, removed);
}

interface SpecFields {
  readonly replicas: number;
  readonly paused: boolean;
}

function findSpecFields(before: SpecFields, after: SpecFields): string[] {
  const names = ["replicas", "paused"] as const;
  return names.filter((name) => before[name] !== after[name]);
}
