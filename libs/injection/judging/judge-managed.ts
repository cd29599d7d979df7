import { istioKeys, type Namespace, parseAnnotations, readRunning, type Workload } from "#libs/fleet";

import { type ControlPlane, effectiveRevision, isInjectionOff } from "../sites/effective-revision.ts";

export type UnmanagedCode = "Namespace" | "InjectionOff" | "HostNetwork" | "Gateway" | "NotInMesh";

export type Managed =
  | { readonly managed: true }
  | { readonly managed: false; readonly code: UnmanagedCode; readonly reason: string };

export interface ManagedQuestion {
  /** True when the namespace passes the selector of `meshroll.yml`, else the reason why it does not. */
  readonly namespaceManaged: true | string;
  readonly namespace: Namespace;
  readonly workload: Workload;
  readonly cluster: ControlPlane;
}

const yes: Managed = { managed: true };

function refuse(code: UnmanagedCode, reason: string): Managed {
  return { managed: false, code, reason };
}

/** Gateways move traffic of others: only a stage that names them may move them. */
function isGateway(workload: Workload): boolean {
  const { labels, annotations } = workload.template;
  const templates = annotations[istioKeys.templates]?.split(",").map((name) => name.trim()) ?? [];
  return templates.includes("gateway") || labels[istioKeys.managedGateway] !== undefined;
}

/** A write of ours stands: pods that lost their sidecar through it are our failure, never "not in the mesh". */
function isMovedByUs(workload: Workload): boolean {
  const marks = parseAnnotations(workload.annotations);
  return marks.kind === "read" && marks.run !== undefined && marks.previous !== undefined;
}

function isInMesh({ namespace, workload, cluster }: ManagedQuestion): boolean {
  const { kind } = readRunning(workload);
  if (kind === "all" || kind === "mixed") return true;
  return effectiveRevision(namespace, workload, cluster).injected || isMovedByUs(workload);
}

/** Is it ours to move at all? What is not in the mesh today is never touched (architecture §4, Managed). */
export function judgeManaged(question: ManagedQuestion): Managed {
  const { namespaceManaged, namespace, workload } = question;
  if (namespaceManaged !== true) return refuse("Namespace", namespaceManaged);
  if (isInjectionOff(workload.template)) return refuse("InjectionOff", "sidecar.istio.io/inject says no");
  if (namespace.labels[istioKeys.injection] === "disabled") {
    return refuse("InjectionOff", `namespace ${namespace.name} has istio-injection=disabled`);
  }
  if (workload.template.hostNetwork) return refuse("HostNetwork", "its pods use the host's network: never injected");
  if (isGateway(workload)) return refuse("Gateway", "it is a gateway: moved only by a stage that names it");
  return isInMesh(question) ? yes : refuse("NotInMesh", "no pod has a sidecar, and no label would give it one");
}
