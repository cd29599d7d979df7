import { nameIstiod } from "../writes/mesh.ts";
import type { ApiResponse } from "../objects/messages.ts";
import { type ModelPod, refOf } from "../objects/objects.ts";
import { namePod } from "../render/render-pod.ts";
import type { IstiodTraits, State } from "../state/state.ts";
import { answerStatus } from "../objects/status.ts";

/** A request that the API server passes on to a server in the cluster. */
export interface ProxyTarget {
  readonly resource: "pods/proxy" | "services/proxy";
  readonly name: string;
  readonly port: number;
  readonly path: string;
}

const form = /^\/api\/v1\/namespaces\/istio-system\/(pods|services)\/([^/:]+):(\d+)\/proxy(\/.*)$/;
/** Commit of the build, as `/version` shows it. */
const commit = "0c5f1d2e3b4a59687766554433221100ffeeddcc";
/** A new proxy has its listeners so many ms after its start. */
const syncMs = 2_500;

/** Undefined: nothing that is passed on. Only istiods are asked. */
export function parseProxyPath(path: string): ProxyTarget | undefined {
  const [, kind, name, port, rest] = form.exec(path) ?? [];
  if (name === undefined || rest === undefined) return undefined;
  const resource = kind === "pods" ? "pods/proxy" : "services/proxy";
  return { resource, name: decodeURIComponent(name), port: Number(port), path: rest };
}

/** What the istiod that is meant answers; in the API server's words where none does. */
export function answerProxied(state: State, target: ProxyTarget): ApiResponse {
  const found = findIstiod(state, target);
  if (found === undefined) return answerStatus(404, "NotFound", `${target.resource} "${target.name}" not found`);
  const { pod, traits, revision } = found;
  if (pod?.state !== "ready" || target.port !== 15_014) {
    const message = "error trying to reach service: dial tcp 10.64.0.7:15014: connect: connection refused";
    return answerStatus(503, "ServiceUnavailable", message);
  }
  if (target.path === "/version") return { status: 200, body: `${traits.version}-${commit}-Clean` };
  if (target.path === "/metrics") return { status: 200, body: renderMetrics(state, found.revision, pod, traits) };
  if (!target.path.startsWith("/debug/")) return { status: 404, body: "404 page not found\n" };
  if (traits.login) return { status: 401, body: "" };
  if (target.path !== "/debug/syncz") return { status: 404, body: "404 page not found\n" };
  return { status: 200, body: listProxies(state, revision, pod) };
}

/** The gauge of connected proxies, which no login is wanted for. */
function renderMetrics(state: State, revision: string, pod: ModelPod, { version }: IstiodTraits): string {
  return `pilot_xds{version="${version}"} ${listProxies(state, revision, pod).length}\n`;
}

interface Found {
  readonly revision: string;
  readonly traits: IstiodTraits;
  /** Absent: a Service without an endpoint. */
  readonly pod: ModelPod | undefined;
}

function listIstiods(state: State, revision: string): readonly ModelPod[] {
  const istiods = state.namespaces.get("istio-system")?.workloads;
  return istiods?.get(`Deployment/${nameIstiod(revision)}`)?.pods ?? [];
}

function findIstiod(state: State, { resource, name }: ProxyTarget): Found | undefined {
  for (const [revision, traits] of state.istiods) {
    const pods = listIstiods(state, revision);
    if (resource === "services/proxy" && name === nameIstiod(revision)) {
      return { revision, traits, pod: pods.find(({ state: stands }) => stands === "ready") };
    }
    const pod = resource === "pods/proxy" ? pods.find((each) => namePod(each) === name) : undefined;
    if (pod !== undefined) return { revision, traits, pod };
  }
  return undefined;
}

/** Each proxy holds one connection, to one of the istiods that are ready. */
function listProxies(state: State, revision: string, istiod: ModelPod): readonly object[] {
  const ready = listIstiods(state, revision).filter(({ state: stands }) => stands === "ready");
  const turn = ready.indexOf(istiod);
  const proxies = [...state.namespaces.values()].flatMap(({ workloads }) =>
    [...workloads.values()].flatMap(({ pods }) => pods.filter((pod) => pod.revision === revision)),
  );
  return proxies.filter(({ serial }) => serial % ready.length === turn).map((pod) => renderProxy(state, pod));
}

function isSynced(state: State, pod: ModelPod): boolean {
  if (pod.state === "starting" && state.clock.now() - pod.createdAt < syncMs) return false;
  const ref = refOf(pod.workload);
  return ![...state.breakages].some(
    ({ how, whenRevision, matches }) =>
      how === "nack" && (whenRevision === undefined || whenRevision === pod.revision) && matches(ref),
  );
}

/** As `/debug/syncz` of Istio 1.29 prints a sidecar; routes are requested by few. */
function renderProxy(state: State, pod: ModelPod): object {
  const nonce = (kind: string) => `${kind}${pod.serial.toString(36)}`;
  const synced = isSynced(state, pod);
  const clusters = { sent: nonce("c"), acked: nonce("c") };
  const listeners = { sent: nonce("l"), ...(synced ? { acked: nonce("l") } : {}) };
  return {
    cluster_id: "Kubernetes",
    proxy: `${namePod(pod)}.${pod.workload.namespace.name}`,
    proxy_type: "sidecar",
    istio_version: state.istiods.get(pod.revision ?? "")?.version ?? "unknown",
    cluster_sent: clusters.sent,
    cluster_acked: clusters.acked,
    listener_sent: listeners.sent,
    ...(synced ? { listener_acked: listeners.sent } : {}),
    resources: {
      "type.googleapis.com/envoy.config.cluster.v3.Cluster": clusters,
      "type.googleapis.com/envoy.config.listener.v3.Listener": listeners,
    },
  };
}
