import { lookUp } from "#libs/input";
import type { FieldManager, MarkManagers } from "#libs/fleet";

import type { ApiManager, ApiMap, FieldTree } from "../api-types.ts";
import { vmRevisionKey } from "./vms/vm-keys.ts";

const REVISION_LABEL = "istio.io/rev";
/** Our annotation with the fields that a move changed. */
const PREVIOUS = "meshroll.dev/previous";
const TEMPLATE = ["f:spec", "f:template"];
const TEMPLATE_REVISION = ["f:spec", "f:template", "f:metadata", "f:labels", "f:istio.io/rev"];
const VM_REVISION = ["f:metadata", "f:annotations", `f:${vmRevisionKey}`];
const NAMESPACE_REVISION = ["f:metadata", "f:labels", "f:istio.io/rev"];
const NAMESPACE_INJECTION = ["f:metadata", "f:labels", "f:istio-injection"];

/**
 * The field manager that wrote the template's `istio.io/rev` last. Where a move of ours wrote it and it is gone: the one that wrote the
 * template last, as a field that was taken away has no manager.
 */
export function findTemplateManager(
  entries: readonly ApiManager[] | undefined,
  annotations: ApiMap | undefined = {},
): FieldManager | undefined {
  const own = findManager(entries, [TEMPLATE_REVISION]);
  if (own !== undefined || lookUp(annotations, PREVIOUS)?.includes(REVISION_LABEL) !== true) return own;
  const others = entries?.filter(({ manager }) => !ourManagers.includes(manager));
  return findManager(others, [TEMPLATE]);
}

/** The field manager that wrote `meshroll.dev/revision` of a WorkloadGroup last. */
export function findVmManager(entries: readonly ApiManager[] | undefined): FieldManager | undefined {
  return findManager(entries, [VM_REVISION]);
}

/** Whether the entry's manager owns `meshroll.dev/revision` of a WorkloadGroup. */
export function ownsVmRevision({ fieldsV1 }: ApiManager): boolean {
  return hasField(fieldsV1, VM_REVISION);
}

/** The field manager that wrote the namespace's `istio.io/rev` or `istio-injection` last. */
export function findNamespaceManager(entries: readonly ApiManager[] | undefined): FieldManager | undefined {
  return findManager(entries, [NAMESPACE_REVISION, NAMESPACE_INJECTION]);
}

/** Our field managers in `managedFields`: `ourManager` for moves, the other for annotations that move nothing. */
export const ourManager = "meshroll";
const ourManagers: readonly (string | undefined)[] = [ourManager, `${ourManager}-record`];

/** With more than ten managers the API server merges the oldest entries under this name, ours perhaps among them. */
const mergedManagers = "ancient-changes";

/** Annotations that decide about more than their own object. */
const marks = ["meshroll.dev/run", "meshroll.dev/arrived", "meshroll.dev/failed"];

/** Marks that another field manager wrote, with its name. A mark without a known manager counts as ours. */
export function findMarkManagers(
  entries: readonly ApiManager[] | undefined,
  annotations: ApiMap | undefined = {},
): MarkManagers | undefined {
  const others = marks.flatMap((key): readonly (readonly [string, string])[] => {
    if (lookUp(annotations, key) === undefined) return [];
    const path = ["f:metadata", "f:annotations", `f:${key}`];
    const owners = entries?.filter(({ fieldsV1 }) => hasField(fieldsV1, path));
    if (owners?.some(({ manager }) => ourManagers.includes(manager)) === true) return [];
    const name = findManager(owners, [path])?.name;
    return name === undefined || name === mergedManagers ? [] : [[key, name]];
  });
  return others.length === 0 ? undefined : Object.fromEntries(others);
}

function findManager(
  entries: readonly ApiManager[] = [],
  paths: readonly (readonly string[])[],
): FieldManager | undefined {
  const owners = entries.filter(({ fieldsV1 }) => paths.some((path) => hasField(fieldsV1, path)));
  // Several managers may own one field with the same value: the newest entry wrote it last.
  const newest = owners.reduce<ApiManager | undefined>(
    (best, entry) => ((entry.time ?? "") >= (best?.time ?? "") ? entry : best),
    undefined,
  );
  if (newest === undefined) return undefined;
  return { name: newest.manager ?? "unknown", operation: newest.operation === "Apply" ? "Apply" : "Update" };
}

function hasField(fields: FieldTree | undefined, path: readonly string[]): boolean {
  let node = fields;
  for (const step of path) node = lookUp(node, step);
  return node !== undefined;
}
