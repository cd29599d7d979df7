import { type Namespace, parseAnnotations, type ReadAnnotations, type Workload } from "#libs/fleet";

import type { ControlPlane } from "../sites/effective-revision.ts";
import { findConflict } from "../sites/find-conflict.ts";
import { findSite, supportedNow } from "../sites/find-site.ts";
import { explainUnreadable } from "../writes/object-change.ts";

export type RefusalCode =
  | "UnreadableAnnotation"
  | "Terminating"
  | "ContradictoryLabels"
  | "SelectsRevision"
  | "OnDelete"
  | "SiteUnsupported"
  | "NoSite"
  | "OptedOut"
  | "Pinned";

export type Refusal =
  | { readonly refused: false }
  /** `excluded`: its owner asked for that. `refused`: we would do harm, or cannot. */
  | {
      readonly refused: true;
      readonly kind: "excluded" | "refused";
      readonly code: RefusalCode;
      /** For people: what, and what fixes it. */
      readonly reason: string;
    };

const free: Refusal = { refused: false };

function refuse(code: RefusalCode, reason: string): Refusal {
  return { refused: true, kind: "refused", code, reason };
}

/** The owner's own words, on the workload or on its whole namespace. */
function findExclusion(marks: ReadAnnotations, where: string, target: string): Refusal | undefined {
  if (marks.optOut !== undefined) {
    const said = marks.optOut === "" || marks.optOut === "true" ? "" : `: ${marks.optOut}`;
    return { refused: true, kind: "excluded", code: "OptedOut", reason: `${where} has meshroll.dev/opt-out${said}` };
  }
  const { skipMigration, malformed } = marks.sail;
  if (skipMigration !== undefined) {
    return { refused: true, kind: "excluded", code: "OptedOut", reason: `${where} has ${skipMigration}=true` };
  }
  if (malformed !== undefined) {
    const { key, why } = malformed;
    return refuse(
      "UnreadableAnnotation",
      `${where} has an annotation ${key} that means nothing (${why}); fix or remove it`,
    );
  }
  if (marks.pin === undefined || marks.pin === target) return undefined;
  return { refused: true, kind: "excluded", code: "Pinned", reason: `${where} is pinned to ${marks.pin}` };
}

function findObstacle(namespace: Namespace, workload: Workload, cluster: ControlPlane, target: string) {
  if (namespace.terminating) return refuse("Terminating", `namespace ${namespace.name} is being deleted`);
  const conflict = findConflict(namespace, workload, cluster, target);
  if (conflict !== undefined) return refuse("ContradictoryLabels", conflict);
  if (workload.selectsRevision) {
    const why = "its selector asks for istio.io/rev in matchLabels: pods with another label would be made without end";
    return refuse("SelectsRevision", `${why} (istio#33237); take the label out of the selector`);
  }
  if (workload.onDelete) {
    return refuse("OnDelete", "its updateStrategy is OnDelete: no write restarts it; set RollingUpdate");
  }
  const support = supportedNow(findSite(namespace, workload, cluster, target));
  return support.ok ? undefined : refuse(support.code, support.reason);
}

/** Why a managed workload must not be moved to this target, before anything was written to it. */
export function judgeRefused(namespace: Namespace, workload: Workload, cluster: ControlPlane, target: string): Refusal {
  const own = parseAnnotations(workload.annotations);
  if (own.kind === "unreadable") return refuse("UnreadableAnnotation", explainUnreadable(own, "the workload"));
  const shared = parseAnnotations(namespace.annotations);
  if (shared.kind === "unreadable") {
    return refuse("UnreadableAnnotation", explainUnreadable(shared, `namespace ${namespace.name}`));
  }
  return (
    findExclusion(own, "the workload", target) ??
    findExclusion(shared, `namespace ${namespace.name}`, target) ??
    findObstacle(namespace, workload, cluster, target) ??
    free
  );
}
