import { execFileSync } from "node:child_process";
import { get } from "node:http";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { findFreePorts } from "../../../scripts/brokers/free-port.ts";
import type { OwnProcess } from "../../../scripts/brokers/own-process.ts";
import type { OwnCluster } from "../bed/start-cluster.ts";
import { describeForward } from "../bed/port-forwards.ts";
import { until } from "../bed/until.ts";
import type { ClusterProgram, ClusterPrograms } from "../programs/find-programs.ts";
import { type IstiodPorts, renderRevision } from "./istio-objects.ts";

/** A real istiod for one revision. */
export interface OwnIstiod {
  readonly revision: string;
  readonly ports: IstiodPorts;
  /** Ends it by SIGKILL. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

export interface OwnMesh {
  readonly istiods: ReadonlyMap<string, OwnIstiod>;
  /** Points the tag at the revision by `istioctl tag set`. */
  setTag(tag: string, revision: string): void;
  /** Starts a second istiod of a revision, with a pod of its own: proxies connect to one of both. */
  addReplica(revision: string): Promise<OwnIstiod>;
  /** Applies the webhooks of a revision again, for tests that deleted or changed them. */
  restoreWebhooks(revision: string): void;
  /** Applies the chart of a revision again with these settings more, as an upgrade in place does; its istiod goes on. */
  upgrade(revision: string, chart: readonly string[]): void;
}

/** Chart settings, those of one revision too, and variables of istiod, in addition to the usual ones. */
export interface MeshSettings {
  /** False: executors reach no istiod, as without the right to forward a port, so none tells its version. */
  readonly isReached?: boolean;
  readonly chart?: readonly string[];
  readonly chartOf?: Readonly<Record<string, readonly string[]>>;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * For real Envoys that are not Istio's own build: these lack Istio's filters, and would refuse every listener that names one.
 */
export const forPlainEnvoys: MeshSettings = {
  chart: ["values.telemetry.enabled=false"],
  env: { PILOT_ENABLE_METADATA_EXCHANGE: "false", PILOT_ENABLE_ALPN_FILTER: "false" },
};

async function choosePorts(): Promise<IstiodPorts> {
  const [http = 0, webhooks = 0, grpc = 0, xds = 0, monitoring = 0] = await findFreePorts(5);
  return { http, webhooks, grpc, xds, monitoring };
}

async function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const sent = get({ host: "127.0.0.1", port, path: "/ready", timeout: 2000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    sent.on("timeout", () => sent.destroy());
    sent.on("error", () => resolve(false));
  });
}

/** istiod writes the webhook's CA bundle a moment after it reports ready. */
function hasBundle(cluster: OwnCluster, webhook: string): boolean {
  const path = "jsonpath={.webhooks[*].clientConfig.caBundle}";
  return cluster.kubectl(["get", "mutatingwebhookconfigurations", webhook, "-o", path]).trim() !== "";
}

function describeEnvironment(revision: string, replica: number): Readonly<Record<string, string>> {
  return {
    POD_NAME: `istiod-${revision}-${replica}`,
    POD_NAMESPACE: "istio-system",
    REVISION: revision,
    CLUSTER_ID: "Kubernetes",
    PILOT_CERT_PROVIDER: "istiod",
    ISTIOD_CUSTOM_HOST: "localhost,127.0.0.1",
    INJECTION_WEBHOOK_CONFIG_NAME: `istio-sidecar-injector-${revision}`,
    VALIDATION_WEBHOOK_CONFIG_NAME: `istio-validator-${revision}-istio-system`,
  };
}

function describeArguments(kubeconfig: string, ports: IstiodPorts): readonly string[] {
  const at = (port: number) => `127.0.0.1:${port}`;
  const listen = {
    httpAddr: at(ports.http),
    httpsAddr: at(ports.webhooks),
    grpcAddr: at(ports.grpc),
    secureGRPCAddr: at(ports.xds),
    monitoringAddr: at(ports.monitoring),
    ctrlz_port: "0",
    ctrlz_address: "127.0.0.1",
    kubeconfig,
  };
  return ["discovery", ...Object.entries(listen).flatMap(([name, value]) => [`--${name}`, value])];
}

/** istiod writes its certificates into its working directory. */
const inFolder = ["-c", 'cd "$1" && shift && exec "$@"', "sh"];

async function describeIstiod(
  cluster: OwnCluster,
  programs: ClusterPrograms,
  revision: string,
  { env = {}, replica = 0 }: { readonly env: MeshSettings["env"] | undefined; readonly replica?: number },
): Promise<OwnIstiod> {
  const ports = await choosePorts();
  const name = replica === 0 ? `istiod-${revision}` : `istiod-${revision}-replica-${replica}`;
  const folder = join(cluster.folder, name);
  mkdirSync(folder);
  const { path, prefix } = programs("pilot-discovery");
  const command = [...inFolder, folder, path, ...prefix, ...describeArguments(cluster.kubeconfig, ports)];
  let own: OwnProcess | undefined;
  return {
    revision,
    ports,
    async kill() {
      await own?.end("SIGKILL");
    },
    async start() {
      own = cluster.start(name, "/bin/sh", command, { ...describeEnvironment(revision, replica), ...env });
      const process = own;
      await until(`${name} is ready`, async () => {
        if (process.hasEnded()) throw new Error(`${name} ended while it started`);
        return isReady(ports.http);
      });
      const webhook = `istio-sidecar-injector-${revision}`;
      await until(`${webhook} has a bundle`, () => hasBundle(cluster, webhook));
    },
  };
}

const names = "jsonpath={.items[*].metadata.name}";

/** Lets port 15012 of the pod that KWOK simulates for an istiod, the newest one of its revision, lead to its process. */
async function forwardXds(cluster: OwnCluster, { revision, ports }: OwnIstiod, pods = 1): Promise<void> {
  const found = ["-n", "istio-system", "get", "pods", "-l", `app=istiod,istio.io/rev=${revision}`];
  const list = (kind: readonly string[]) =>
    cluster
      .kubectl([...kind, "-o", names])
      .split(" ")
      .filter(Boolean);
  const forwarded = new Set(list(["-n", "istio-system", "get", `portforwards.kwok.x-k8s.io`]));
  const listNew = () => list(found).filter((pod) => !forwarded.has(pod));
  await until(`istiod ${revision} has its pod ${pods}`, () => list(found).length >= pods && listNew().length > 0);
  for (const pod of listNew()) apply(cluster, describeForward("istio-system", pod, 15_012, ports.xds));
}

function apply(cluster: OwnCluster, yaml: string): void {
  cluster.kubectl(["apply", "--server-side", "--force-conflicts", "-f", "-"], yaml);
}

function setTag({ path, prefix }: ClusterProgram, { kubeconfig }: OwnCluster, tag: string, revision: string): void {
  const set = ["tag", "set", tag, "--revision", revision, "--overwrite", "--skip-confirmation"];
  execFileSync(path, [...prefix, ...set, "--kubeconfig", kubeconfig], { encoding: "utf8" });
}

function fail(revision: string): never {
  throw new Error(`no istiod of ${revision}`);
}

/** Installs these revisions of one release, each with an istiod of its own. */
export async function startMesh(
  cluster: OwnCluster,
  programs: ClusterPrograms,
  revisions: readonly string[],
  { isReached = true, chart = [], chartOf = {}, env }: MeshSettings = {},
): Promise<OwnMesh> {
  const istioctl = programs("istioctl");
  cluster.kubectl(["create", "namespace", "istio-system"]);
  const istiods = new Map<string, OwnIstiod>();
  const webhooks = new Map<string, string>();
  for (const revision of revisions) {
    const istiod = await describeIstiod(cluster, programs, revision, { env });
    const objects = renderRevision(istioctl, revision, istiod.ports, [...chart, ...(chartOf[revision] ?? [])]);
    if (istiods.size === 0) {
      apply(cluster, objects.crds);
      cluster.kubectl(["wait", "--for=condition=Established", "crd", "--all", "--timeout=60s"]);
    }
    // Applied before istiod starts: without its ConfigMaps it reports ready without an injector, and does not read them
    // later.
    apply(cluster, objects.others);
    webhooks.set(revision, objects.webhooks);
    istiods.set(revision, istiod);
  }
  await Promise.all([...istiods.values()].map(async (istiod) => istiod.start()));
  if (isReached) for (const istiod of istiods.values()) await forwardXds(cluster, istiod);
  return {
    istiods,
    upgrade(revision, more) {
      const { ports } = istiods.get(revision) ?? fail(revision);
      apply(cluster, renderRevision(istioctl, revision, ports, [...chart, ...more]).others);
    },
    async addReplica(revision) {
      const istiod = await describeIstiod(cluster, programs, revision, { env, replica: 1 });
      await istiod.start();
      cluster.kubectl(["-n", "istio-system", "scale", "deployment", `istiod-${revision}`, "--replicas=2"]);
      await forwardXds(cluster, istiod, 2);
      return istiod;
    },
    restoreWebhooks: (revision) => apply(cluster, webhooks.get(revision) ?? ""),
    setTag: (tag, revision) => setTag(istioctl, cluster, tag, revision),
  };
}
