import { lookUp } from "#libs/input";
import type { FieldManager } from "#libs/fleet";

import type { ApiManager, FieldTree } from "../api-types.ts";

const TEMPLATE_REVISION = ["f:spec", "f:template", "f:metadata", "f:labels", "f:istio.io/rev"];
const NAMESPACE_REVISION = ["f:metadata", "f:labels", "f:istio.io/rev"];
const NAMESPACE_INJECTION = ["f:metadata", "f:labels", "f:istio-injection"];

/** Who last wrote the template's `istio.io/rev`. */
export function findTemplateManager(entries: readonly ApiManager[] | undefined): FieldManager | undefined {
  return findManager(entries, [TEMPLATE_REVISION]);
}

/** Who last wrote the namespace's `istio.io/rev` or `istio-injection`. */
export function findNamespaceManager(entries: readonly ApiManager[] | undefined): FieldManager | undefined {
  return findManager(entries, [NAMESPACE_REVISION, NAMESPACE_INJECTION]);
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
