import type { AuditedObject } from "../../evidence/evidence.ts";
import { readNamespace } from "./replay.ts";

function isInMesh(object: AuditedObject): boolean {
  return (
    object.injectedPods === "unknown" ||
    object.injectedPods > 0 ||
    object.template?.labels["istio.io/rev"] !== undefined ||
    object.template?.labels["sidecar.istio.io/inject"] === "true"
  );
}

/** A gateway that istiod deploys never moves; others move where main allows it. */
function isGateway({ labels, annotations }: NonNullable<AuditedObject["template"]>, mayMove: boolean): boolean {
  if ("gateway.istio.io/managed" in labels) return true;
  return annotations["inject.istio.io/templates"] === "gateway" && !mayMove;
}

/** Why meshroll may not write an object; undefined where it may. `gateways`: main lets gateways move. */
export function whyUnmanaged(path: string, object: AuditedObject | undefined, gateways = false): string | undefined {
  if (/^(kube-.*|istio-system|meshroll-system)$/u.test(readNamespace(path))) return "its namespace is the platform's";
  const template = object?.template;
  if (object === undefined || template === undefined) return undefined;
  if (template.labels["sidecar.istio.io/inject"] === "false") return "it opted out of injection";
  if (template.hostNetwork) return "it uses the host network";
  if (isGateway(template, gateways)) return "it is a gateway";
  return isInMesh(object) ? undefined : "it is not in the mesh";
}
