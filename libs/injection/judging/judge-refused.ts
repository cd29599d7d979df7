import { type Namespace, parseAnnotations, type Planes, type ReadAnnotations, type Workload } from "#libs/fleet";
import type { RefusedReason } from "#libs/wording";

import type { ControlPlane } from "../sites/effective-revision.ts";
import { findConflict } from "../sites/find-conflict.ts";
import { findSite, supportedNow } from "../sites/find-site.ts";
import { explainUnreadable } from "../writes/object-change.ts";
import { findProxySkew } from "./find-proxy-skew.ts";

/** What decides about injection, and about the versions of proxies and istiods. */
export type JudgedPlane = ControlPlane & Planes;

export type Refusal =
  | { readonly refused: false }
  /** `excluded`: by its owner's wish. `refused`: a move would do harm, or is not possible. */
  | { readonly refused: true; readonly kind: "excluded" | "refused"; readonly reason: RefusedReason };

const free: Refusal = { refused: false };

function refuse(reason: RefusedReason, kind: "excluded" | "refused" = "refused"): Refusal {
  return { refused: true, kind, reason };
}

/** The owner's exclusion, on the workload or on its namespace. */
function findExclusion(marks: ReadAnnotations, where: string, target: string): Refusal | undefined {
  if (marks.optOut !== undefined) {
    const said = marks.optOut === "" || marks.optOut === "true" ? {} : { said: marks.optOut };
    return refuse({ code: "OptedOut", where, annotation: "meshroll.dev/opt-out", ...said }, "excluded");
  }
  const { skipMigration, malformed } = marks.sail;
  if (skipMigration !== undefined)
    return refuse({ code: "OptedOut", where, annotation: `${skipMigration}=true` }, "excluded");
  if (malformed !== undefined) {
    const why = `${where} has an annotation ${malformed.key} that means nothing (${malformed.why}); fix or remove it`;
    return refuse({ code: "UnreadableAnnotation", why });
  }
  const { pin } = marks;
  return pin === undefined || pin === target ? undefined : refuse({ code: "Pinned", where, pin }, "excluded");
}

function findObstacle(namespace: Namespace, workload: Workload, cluster: JudgedPlane, target: string) {
  if (namespace.terminating) return refuse({ code: "Terminating", namespace: namespace.name });
  const { templateOf } = workload.argo ?? {};
  if (templateOf !== undefined) return refuse({ code: "TemplateElsewhere", templateOf });
  if (workload.managedByRollout === true) return refuse({ code: "ManagedByRollout" });
  const why = findConflict(namespace, workload, cluster, target);
  if (why !== undefined) return refuse({ code: "ContradictoryLabels", why });
  if (workload.selectsRevision) return refuse({ code: "SelectsRevision" });
  if (workload.onDelete) return refuse({ code: "OnDelete" });
  const support = supportedNow(findSite(namespace, workload, cluster, target));
  if (!support.ok) return refuse(support.reason);
  const skew = findProxySkew(workload.template, target, cluster);
  return skew === undefined ? undefined : refuse(skew);
}

/** Why a managed workload must not be moved to this target, judged before anything is written to it. */
export function judgeRefused(namespace: Namespace, workload: Workload, cluster: JudgedPlane, target: string): Refusal {
  const own = parseAnnotations(workload);
  if (own.kind === "unreadable")
    return refuse({ code: "UnreadableAnnotation", why: explainUnreadable(own, "the workload") });
  const shared = parseAnnotations(namespace);
  if (shared.kind === "unreadable") {
    const why = explainUnreadable(shared, `namespace ${namespace.name}`);
    return refuse({ code: "UnreadableAnnotation", why });
  }
  return (
    findExclusion(own, "the workload", target) ??
    findExclusion(shared, `namespace ${namespace.name}`, target) ??
    findObstacle(namespace, workload, cluster, target) ??
    free
  );
}
