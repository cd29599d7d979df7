import { istioKeys, type Namespace, parseAnnotations, type PodTemplate, readRunning, type Workload } from "#libs/fleet";
import type { UnmanagedReason } from "#libs/wording";

import { type ControlPlane, effectiveRevision, isInjectionOff } from "../sites/effective-revision.ts";

export type Managed = { readonly managed: true } | { readonly managed: false; readonly reason: UnmanagedReason };

export interface ManagedQuestion {
  /** True when the namespace passes the selector of `meshroll.yml`, else the reason why it does not. */
  readonly namespaceManaged: true | string;
  readonly namespace: Namespace;
  readonly workload: Workload;
  readonly cluster: ControlPlane;
  /** `meshroll.yml: gateways`; absent = `hold`. */
  readonly gateways?: "move" | "hold";
}

const yes: Managed = { managed: true };

function refuse(reason: UnmanagedReason): Managed {
  return { managed: false, reason };
}

/** Whether the template is a gateway's. Gateways carry traffic of others, and move only where `meshroll.yml` says so. */
export function isGatewayTemplate({ labels, annotations }: PodTemplate): boolean {
  const templates = annotations[istioKeys.templates]?.split(",").map((name) => name.trim()) ?? [];
  return templates.includes("gateway") || labels[istioKeys.managedGateway] !== undefined;
}

/** Our write is in place: pods that lost their sidecar by it failed, and do not count as "not in the mesh". */
function isMovedByUs(workload: Workload): boolean {
  const marks = parseAnnotations(workload);
  return marks.kind === "read" && marks.run !== undefined && marks.previous !== undefined;
}

function isInMesh({ namespace, workload, cluster }: ManagedQuestion): boolean {
  const { kind } = readRunning(workload);
  if (kind === "all" || kind === "mixed") return true;
  return effectiveRevision(namespace, workload, cluster).injected || isMovedByUs(workload);
}

/** A gateway that istiod deploys follows the label of its Gateway or namespace: istiod would overwrite our change. */
function mayMoveGateway({ gateways, workload }: ManagedQuestion): boolean {
  return gateways === "move" && workload.template.labels[istioKeys.managedGateway] === undefined;
}

/** Whether meshroll may move it at all. What is not in the mesh today is never touched. */
export function judgeManaged(question: ManagedQuestion): Managed {
  const { namespaceManaged, namespace, workload } = question;
  if (namespaceManaged !== true) return refuse({ code: "Namespace", why: namespaceManaged });
  if (workload.template.isVms === true) return isInMesh(question) ? yes : refuse({ code: "NotInMesh" });
  if (isInjectionOff(workload.template)) return refuse({ code: "InjectionOff" });
  if (namespace.labels[istioKeys.injection] === "disabled") {
    return refuse({ code: "InjectionOff", namespace: namespace.name });
  }
  if (workload.template.hostNetwork) return refuse({ code: "HostNetwork" });
  if (isGatewayTemplate(workload.template) && !mayMoveGateway(question)) return refuse({ code: "Gateway" });
  return isInMesh(question) ? yes : refuse({ code: "NotInMesh" });
}
