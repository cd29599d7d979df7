import { lookUp } from "#libs/input";
import type { ManagerEntry, StringMap } from "./objects.ts";

/** Field paths are kept short: thousands of objects hold them. */
const PREFIXES = {
  label: ["f:metadata", "f:labels"],
  annotation: ["f:metadata", "f:annotations"],
  templateLabel: ["f:spec", "f:template", "f:metadata", "f:labels"],
  templateAnnotation: ["f:spec", "f:template", "f:metadata", "f:annotations"],
  templateSpec: ["f:spec", "f:template", "f:spec"],
  spec: ["f:spec"],
} as const;

export type FieldPlace = keyof typeof PREFIXES;

/** Who writes, and by which operation: what ends up in managedFields. */
export interface Writer {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
}

export function nameFields(place: FieldPlace, keys: readonly string[]): string[] {
  return keys.map((key) => `${place} ${key}`);
}

/** Keys whose value differs between the two maps, in either direction. */
export function findChanged(before: StringMap, after: StringMap): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => lookUp(before, key) !== lookUp(after, key));
}

/** The writer now alone owns the changed fields; removed fields have no owner. */
export function recordOwnership(
  entries: readonly ManagerEntry[],
  writer: Writer,
  time: number,
  changed: readonly string[],
  removed: readonly string[],
): readonly ManagerEntry[] {
  if (changed.length + removed.length === 0) return entries;
  const gone = new Set([...changed, ...removed]);
  const kept = entries.map((entry) => ({ ...entry, fields: entry.fields.filter((field) => !gone.has(field)) }));
  const own = kept.find((entry) => entry.manager === writer.manager && entry.operation === writer.operation);
  const others = kept.filter((entry) => entry !== own && entry.fields.length > 0);
  const fields = [...(own?.fields ?? []), ...changed];
  return fields.length === 0 ? others : [...others, { ...writer, time, fields }];
}

/** Times as the API server writes them: in whole seconds. */
export function renderTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** The entry of the controller that writes the status. */
export function renderStatusManager(at: number, apiVersion: string): object {
  const fieldsV1 = { "f:status": {} };
  const writer = { manager: "kube-controller-manager", operation: "Update", subresource: "status" };
  return { ...writer, apiVersion, time: renderTime(at), fieldsType: "FieldsV1", fieldsV1 };
}

/** metadata.managedFields as the API server shows them. */
export function renderManagedFields(entries: readonly ManagerEntry[], apiVersion: string): object[] {
  return entries.map(({ manager, operation, time, fields }) => ({
    manager,
    operation,
    apiVersion,
    time: renderTime(time),
    fieldsType: "FieldsV1",
    fieldsV1: renderFields(fields),
  }));
}

interface FieldTree {
  [key: string]: FieldTree;
}

function renderFields(fields: readonly string[]): FieldTree {
  const root: FieldTree = {};
  for (const field of fields) {
    const [place = "spec", key = ""] = field.split(" ");
    let node = root;
    for (const step of [...PREFIXES[place as FieldPlace], `f:${key}`]) {
      const next = lookUp(node, step) ?? {};
      Object.defineProperty(node, step, { value: next, enumerable: true, configurable: true, writable: true });
      node = next;
    }
  }
  return root;
}
