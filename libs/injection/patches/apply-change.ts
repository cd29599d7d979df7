import type { Namespace, PreviousFields, Workload } from "#libs/fleet";

import { type ControlPlane, type EffectiveRevision, effectiveRevision } from "../sites/effective-revision.ts";
import type { ObjectChange } from "../writes/object-change.ts";

/** The fields with these values; null removes. */
export function applyFields(
  now: Readonly<Record<string, string>>,
  fields: PreviousFields | undefined,
): Record<string, string> {
  const after = new Map(Object.entries(now));
  for (const [key, value] of Object.entries(fields ?? {})) {
    if (value === null) after.delete(key);
    else after.set(key, value);
  }
  return Object.fromEntries(after);
}

/** The workload with these fields in its template. The admission map names the template that it had, and none of a write. */
export function applyTemplate(workload: Workload, change: ObjectChange["template"]): Workload {
  const { labels, annotations } = workload.template;
  if (Object.keys({ ...change?.labels, ...change?.annotations }).length === 0) return workload;
  const written = {
    labels: applyFields(labels, change?.labels),
    annotations: applyFields(annotations, change?.annotations),
  };
  const { admitted: _, ...rest } = workload;
  return { ...rest, template: { ...workload.template, ...written } };
}

/** A write to a workload or to its namespace. */
interface PlannedWrite {
  readonly object: "namespace" | "workload";
  readonly change: ObjectChange;
}

/** A label may have no value. */
function nameLead({ name }: EffectiveRevision): string | undefined {
  return name === "" ? undefined : name;
}

/**
 * The revision or tag whose injector is called for a new pod after this write, served or not. Undefined where no label selects
 * one, and where the write changes nothing that new pods depend on.
 */
export function findLead(
  namespace: Namespace,
  workload: Workload,
  { object, change }: PlannedWrite,
  cluster: ControlPlane,
): string | undefined {
  if (object === "workload") {
    if (change.template === undefined) return undefined;
    return nameLead(effectiveRevision(namespace, applyTemplate(workload, change.template), cluster));
  }
  if (change.labels === undefined) return undefined;
  const relabelled = { ...namespace, labels: applyFields(namespace.labels, change.labels) };
  return nameLead(effectiveRevision(relabelled, workload, cluster));
}
