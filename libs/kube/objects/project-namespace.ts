import type { Namespace } from "#libs/fleet";

import type { ApiObject } from "../api-types.ts";
import { findMarkManagers, findNamespaceManager } from "./field-manager.ts";
import type { Interner } from "./interner.ts";
import { isOwnAnnotation } from "./project-workload.ts";

/** Reads a namespace; undefined when it has no name. */
export function projectNamespace({ metadata = {}, status = {} }: ApiObject, interner: Interner): Namespace | undefined {
  const { name, uid, resourceVersion, labels = {} } = metadata;
  if (name === undefined || uid === undefined || resourceVersion === undefined) return undefined;
  const manager = findNamespaceManager(metadata.managedFields);
  const marksBy = findMarkManagers(metadata.managedFields, metadata.annotations);
  return {
    name: interner.text(name),
    uid,
    resourceVersion,
    labels,
    annotations: interner.map(metadata.annotations, isOwnAnnotation),
    ...(marksBy === undefined ? {} : { marksBy: interner.value(marksBy) }),
    terminating: metadata.deletionTimestamp !== undefined || status.phase === "Terminating",
    ...(manager === undefined ? {} : { revisionManager: interner.value(manager) }),
  };
}
