import { readMessage, ServerUnreachable } from "./api-call.ts";
import { connect } from "./connection.ts";
import type { KubeconfigSource } from "../access/find-kubeconfig.ts";
import { STOPS_NAMESPACE } from "../configmap-names.ts";

/** One right as RBAC has it. */
export interface AccessRight {
  readonly verb: "list" | "watch" | "get" | "patch" | "create";
  /** "" = core. */
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  /** Absent = in every namespace. */
  readonly namespace?: string;
  readonly name?: string;
  /**
   * `look` is needed to observe; `move` and `prove` with `--act`; `stop` for stops. Without `istiod` versions and proxies stay
   * unknown, without `tell` no Events are written, without `argo` Argo Rollouts and without `vms` groups of
   * VMs are not seen, or not moved, without `admission` new pods are not labelled.
   */
  readonly purpose: "look" | "move" | "tell" | "prove" | "stop" | "istiod" | "argo" | "vms" | "admission";
}

function expand(
  purpose: AccessRight["purpose"],
  group: string,
  resources: readonly string[],
  verbs: readonly AccessRight["verb"][],
) {
  return resources.flatMap((resource) => verbs.map((verb): AccessRight => ({ verb, group, resource, purpose })));
}

/** Rights may be granted before the APIs are installed. */
const vmApi = "networking.istio.io";
const argoApi = "argoproj.io";
const apps = ["deployments", "statefulsets", "daemonsets"] as const;
const maps = expand("stop", "", ["configmaps"], ["list", "watch", "create"]);

const ofIstiod = { group: "", namespace: "istio-system", purpose: "istiod" } as const;

/** The rights that an executor uses in a cluster. A test compares them with `deploy/chart/rights/rbac.yaml`. */
export const executorRights: readonly AccessRight[] = [
  ...expand("look", "", ["namespaces", "pods"], ["list", "watch"]),
  ...expand("look", "apps", apps, ["list", "watch"]),
  ...expand("look", "policy", ["poddisruptionbudgets"], ["list", "watch"]),
  ...expand("look", "admissionregistration.k8s.io", ["mutatingwebhookconfigurations"], ["list", "watch"]),
  ...expand("move", "apps", apps, ["patch"]),
  ...expand("move", "", ["namespaces"], ["patch"]),
  ...expand("argo", argoApi, ["rollouts"], ["list", "watch", "patch"]),
  ...expand("vms", vmApi, ["workloadgroups"], ["list", "watch", "patch"]),
  ...expand("vms", vmApi, ["workloadentries"], ["list", "watch"]),
  ...expand("tell", "events.k8s.io", ["events"], ["create"]),
  // As dry runs only, which admission.yaml enforces.
  ...expand("prove", "", ["pods"], ["create"]).map((right) => ({ ...right, namespace: STOPS_NAMESPACE })),
  ...maps.map((right) => ({ ...right, namespace: STOPS_NAMESPACE })),
  {
    verb: "patch",
    group: "",
    resource: "configmaps",
    namespace: STOPS_NAMESPACE,
    name: "meshroll-recorded-stops",
    purpose: "stop",
  },
  ...(["get", "create"] as const).map((verb): AccessRight => {
    return { ...ofIstiod, verb, resource: "pods", subresource: "portforward" };
  }),
  { ...ofIstiod, verb: "create", resource: "serviceaccounts", subresource: "token", name: "meshroll-istiod" },
];

function nameObject(name: string, rights: readonly AccessRight[]): readonly AccessRight[] {
  return rights.map((right) => ({ ...right, name }));
}

/** The additional rights where meshroll.yml has `admission`, as in `deploy/chart/rights/admission/pods.yaml`. */
export const admissionRights: readonly AccessRight[] = [
  ...nameObject("meshroll-admission", expand("admission", "", ["configmaps"], ["get", "create", "patch"])),
  ...["meshroll-admission", "meshroll-admission-unlabelled"].flatMap((name) =>
    nameObject(name, expand("admission", "admissionregistration.k8s.io", ["mutatingadmissionpolicybindings"], ["get"])),
  ),
];

/** Whether the kubeconfig's account has a right. */
export interface AccessReview {
  readonly right: AccessRight;
  readonly allowed: boolean;
}

/** Real ms for one question. */
const limitMs = 10_000;

/**
 * Checks each right at the API server by a SelfSubjectAccessReview: nothing is changed, and every account may ask. Throws
 * `KubeconfigError`, or an error that says why the server gave no answer.
 */
export async function reviewAccess(
  kubeconfig: KubeconfigSource,
  rights: readonly AccessRight[],
): Promise<readonly AccessReview[]> {
  const connection = await connect(kubeconfig, { onBytes: () => undefined, onDate: () => undefined });
  const review = async (right: AccessRight): Promise<AccessReview> => {
    const { purpose: _, ...resourceAttributes } = right;
    const answer = await connection.send({
      method: "POST",
      path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
      contentType: "application/json",
      body: { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview", spec: { resourceAttributes } },
      timeoutMs: limitMs,
    });
    const { status } = answer.body as { readonly status?: { readonly allowed?: unknown } };
    if (typeof status?.allowed !== "boolean") throw new ServerUnreachable(readMessage(answer));
    return { right, allowed: status.allowed };
  };
  return Promise.all(rights.map(review));
}
