import { istioKeys, type Namespace, type Workload } from "#libs/fleet";

import {
  type ControlPlane,
  defaultName,
  type EffectiveRevision,
  isServed,
  labelledRevision,
  readTag,
} from "./effective-revision.ts";
import { findSite } from "./find-site.ts";

/** A contradiction between labels, for people: which two, which one counts, what to remove. */
export type Conflict = string;

function resolve(cluster: ControlPlane, name: string): string {
  return readTag(cluster, name) ?? name;
}

/** Both namespace labels, with different revisions: `istio-injection` counts and `istio.io/rev` is ignored. */
function findNamespaceConflict(namespace: Namespace, cluster: ControlPlane): Conflict | undefined {
  const revision = namespace.labels[istioKeys.revision];
  if (namespace.labels[istioKeys.injection] !== "enabled" || revision === undefined) return undefined;
  const byDefault = resolve(cluster, defaultName);
  if (byDefault === resolve(cluster, revision)) return undefined;
  return (
    `namespace ${namespace.name} has istio-injection=enabled (the default revision, here ${byDefault}) and ` +
    `istio.io/rev=${revision}: the first wins; kubectl label namespace ${namespace.name} istio-injection- removes it`
  );
}

/**
 * A template label is ignored below a namespace label that decides. It is no contradiction only where both name the same tag;
 * anything else is wrong now, or would be after the namespace's label moves.
 */
function findTemplateConflict(
  namespace: Namespace,
  workload: Workload,
  cluster: ControlPlane,
  target: string | undefined,
  { by, name }: EffectiveRevision,
): Conflict | undefined {
  const onTemplate = workload.template.labels[istioKeys.revision];
  if (onTemplate === undefined) return undefined;
  if (by !== "namespaceInjection" && by !== "namespaceRevision") return undefined;
  const site = findSite(namespace, workload, cluster, target);
  if (site.kind === "tag" && site.tag === onTemplate) return undefined;
  const winner = by === "namespaceInjection" ? "istio-injection=enabled" : `istio.io/rev=${name}`;
  return (
    `the template has istio.io/rev=${onTemplate}, but its namespace ${namespace.name} has ${winner}, which wins: ` +
    `remove one of the two`
  );
}

/** Two webhooks match one name, and which of them injects is undefined (istio#48643). */
function findNameConflict({ name }: EffectiveRevision, cluster: ControlPlane): Conflict | undefined {
  const pointsTo = name === undefined ? undefined : readTag(cluster, name);
  // A plain `istioctl install` makes the tag `default` for the revision `default`, which is no contradiction.
  if (name === undefined || pointsTo === undefined || pointsTo === name || !isServed(cluster, name)) return undefined;
  return `${name} is both a revision and a revision tag in this cluster: rename one`;
}

/**
 * The first contradiction, or undefined. Such a workload is refused before the run, because a move would have another effect
 * than its owner expects. `target` matters only where `rollouts.yml` names tags as revisions.
 */
export function findConflict(
  namespace: Namespace,
  workload: Workload,
  cluster: ControlPlane,
  target?: string,
): Conflict | undefined {
  const labelled = labelledRevision(namespace, workload, cluster);
  if (workload.template.isVms === true) return findNameConflict(labelled, cluster);
  return (
    findNamespaceConflict(namespace, cluster) ??
    findTemplateConflict(namespace, workload, cluster, target, labelled) ??
    findNameConflict(labelled, cluster)
  );
}
