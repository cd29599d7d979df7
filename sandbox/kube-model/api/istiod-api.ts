import { ISTIOD_ACCOUNT } from "../../../libs/kube/istiods/ask-istiod.ts";
import type { IstiodStatus, ProxyStatus, ResourceStatus } from "../../../libs/kube/objects/mesh/proxy-status.ts";
import { nameIstiod } from "../writes/mesh.ts";
import type { ApiRequest, ApiResponse } from "../objects/messages.ts";
import { type ModelPod, refOf } from "../objects/objects.ts";
import { namePod } from "../render/render-pod.ts";
import type { Guarded } from "../state/faults.ts";
import type { IstiodTraits, State } from "../state/state.ts";
import { answerStatus } from "../objects/status.ts";

/** A request that the API server passes on to a pod of an istiod, or that logs in there. */
export interface IstiodTarget {
  readonly resource: Extract<Guarded, "pods/proxy" | "pods/portforward" | "serviceaccounts/token">;
  readonly name: string;
}

/** What the sandbox's istiods take as a token for them. */
export const ISTIOD_TOKEN = "token-for-istio-ca";

const namespace = "/api/v1/namespaces/istio-system";
/** A new proxy has its listeners so many ms after its start. */
const syncMs = 2_500;
const refusal = "Didn't find a registered implementation for 'istio.metadata_exchange'";

const forms: readonly (readonly [resource: IstiodTarget["resource"], method: string, form: RegExp])[] = [
  ["pods/proxy", "GET", /^\/pods\/([^/:]+):15014\/proxy\/metrics$/],
  ["pods/portforward", "GET", /^\/pods\/([^/]+)\/portforward$/],
  ["serviceaccounts/token", "POST", /^\/serviceaccounts\/([^/]+)\/token$/],
];

/** Undefined: a request for something else. */
export function parseIstiodPath({ method, path }: Pick<ApiRequest, "method" | "path">): IstiodTarget | undefined {
  if (!path.startsWith(`${namespace}/`)) return undefined;
  for (const [resource, wanted, form] of forms) {
    const [, name] = form.exec(path.slice(namespace.length)) ?? [];
    if (name !== undefined && method === wanted) return { resource, name: decodeURIComponent(name) };
  }
  return undefined;
}

/** In the API server's words; 101 where a port of the pod is opened. */
export function answerIstiodTarget(state: State, { resource, name }: IstiodTarget): ApiResponse {
  if (resource === "serviceaccounts/token") {
    if (name !== ISTIOD_ACCOUNT) return answerStatus(404, "NotFound", `serviceaccounts "${name}" not found`);
    return { status: 201, body: { kind: "TokenRequest", status: { token: ISTIOD_TOKEN } } };
  }
  const found = findIstiod(state, name);
  if (found === undefined) return answerStatus(404, "NotFound", `pods "${name}" not found`);
  if (resource === "pods/portforward") return { status: 101, body: "" };
  const { pod, traits, revision } = found;
  if (pod.state !== "ready") return answerStatus(503, "ServiceUnavailable", "error trying to reach service");
  const connected = listProxies(state, revision, pod).length;
  return { status: 200, body: `pilot_xds{version="${traits.version}"} ${connected}\n` };
}

/** What the istiod in this pod says by ADS; undefined: nothing answers there. */
export function readIstiod(state: State, name: string): IstiodStatus | "refused" | undefined {
  const found = findIstiod(state, name);
  if (found === undefined || found.pod.state !== "ready") return undefined;
  const { pod, traits, revision } = found;
  if (traits.refuses) return "refused";
  return {
    version: traits.version,
    proxies: listProxies(state, revision, pod).map((proxy) => describeProxy(state, proxy)),
  };
}

interface Found {
  readonly revision: string;
  readonly traits: IstiodTraits;
  readonly pod: ModelPod;
}

function listIstiods(state: State, revision: string): readonly ModelPod[] {
  const istiods = state.namespaces.get("istio-system")?.workloads;
  return istiods?.get(`Deployment/${nameIstiod(revision)}`)?.pods ?? [];
}

function findIstiod(state: State, name: string): Found | undefined {
  for (const [revision, traits] of state.istiods) {
    const pod = listIstiods(state, revision).find((each) => namePod(each) === name);
    if (pod !== undefined) return { revision, traits, pod };
  }
  return undefined;
}

/** Each proxy holds one connection, to one of the istiods that are ready. */
function listProxies(state: State, revision: string, istiod: ModelPod): readonly ModelPod[] {
  const ready = listIstiods(state, revision).filter(({ state: stands }) => stands === "ready");
  const turn = ready.indexOf(istiod);
  const proxies = [...state.namespaces.values()].flatMap(({ workloads }) =>
    [...workloads.values()].flatMap(({ pods }) => pods.filter((pod) => pod.revision === revision)),
  );
  return proxies.filter(({ serial }) => serial % ready.length === turn);
}

function isRefusing(state: State, pod: ModelPod): boolean {
  const ref = refOf(pod.workload);
  return [...state.breakages].some(
    ({ how, whenRevision, matches }) =>
      how === "nack" && (whenRevision === undefined || whenRevision === pod.revision) && matches(ref),
  );
}

function judgeListeners(state: State, pod: ModelPod): Pick<ResourceStatus, "state" | "error"> {
  if (pod.state === "starting" && state.clock.now() - pod.createdAt < syncMs) return { state: "stale" };
  return isRefusing(state, pod) ? { state: "error", error: refusal } : { state: "synced" };
}

/** As istiod 1.31 lists a sidecar that has asked for no routes. */
function describeProxy(state: State, pod: ModelPod): ProxyStatus {
  const kind = (name: string) => `type.googleapis.com/envoy.config.${name}`;
  return {
    proxy: `${namePod(pod)}.${pod.workload.namespace.name}`,
    resources: [
      { type: kind("cluster.v3.Cluster"), state: "synced" },
      { type: kind("listener.v3.Listener"), ...judgeListeners(state, pod) },
    ],
  };
}
