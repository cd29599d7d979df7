import { randomInt } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { findProxies } from "../../../agent/proxy/process-table.ts";
import type { Report } from "../../../agent/report/report.ts";
import { makePlaces } from "../../../agent/slots/places.ts";
import type { OwnProcess } from "../../../scripts/brokers/own-process.ts";
import type { OwnCluster } from "../bed/start-cluster.ts";
import type { VmArtifacts } from "./vm-artifacts.ts";
import type { VmPlace } from "./vm-objects.ts";
import { parentShutdownSeconds } from "./vm-programs.ts";

const agentMain = fileURLToPath(new URL("../../../agent/main.ts", import.meta.url));

/** A VM of this machine: a folder as its root, its agent as a process, and what that starts. */
export interface MeshVm extends VmPlace {
  readonly root: string;
  readonly agent: OwnProcess;
  /** Writes the tag's file. */
  tag(revision: string): void;
  /** The agent's last report; empty before the first one. */
  report(): Partial<Report>;
  /** Version of the Envoy that serves now; undefined when none answers. */
  readEnvoy(): Promise<string | undefined>;
  /** Ends the agent and the proxies, and removes what they leave behind. */
  end(): Promise<void>;
}

interface VmSettings {
  readonly cluster: OwnCluster;
  readonly artifacts: VmArtifacts;
  readonly place: VmPlace;
  /** Port of the application on 127.0.0.1. */
  readonly application: number;
  /** More variables for the agent. */
  readonly env?: Readonly<Record<string, string>>;
}

interface VmPorts {
  readonly admin: number;
  readonly ready: number;
  readonly prometheus: number;
  readonly status: number;
  readonly otherStatus: number;
}

/** Whether this port can be bound on all addresses now. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}

/** Below the ports that the kernel gives to clients. */
const [firstPort, lastPort] = [20_000, 32_000];

/**
 * Not of the ports that clients have: some are bound only when one proxy takes over from another, and a connection that has the
 * port by then would keep it from that.
 */
async function choosePorts(): Promise<VmPorts> {
  const found: number[] = [];
  for (let port = firstPort + randomInt(lastPort - firstPort); found.length < 5; port += 1) {
    if (await isFree(port)) found.push(port);
  }
  const [admin = 0, ready = 0, prometheus = 0, status = 0, otherStatus = 0] = found;
  return { admin, ready, prometheus, status, otherStatus };
}

/** What `istioctl x workload entry configure` would write for this VM, with ports of its own. */
function describeVm({ group, name, address }: VmPlace, ports: VmPorts, application: number): string {
  const variables = {
    INSTANCE_IP: address,
    POD_NAME: name,
    POD_NAMESPACE: group.namespace,
    SERVICE_ACCOUNT: "default",
    TRUST_DOMAIN: "cluster.local",
    ISTIO_META_CLUSTER_ID: "Kubernetes",
    ISTIO_META_MESH_ID: "cluster.local",
    ISTIO_META_AUTO_REGISTER_GROUP: group.name,
    ISTIO_META_WORKLOAD_NAME: group.name,
    ISTIO_META_INTERCEPTION_MODE: "NONE",
    ISTIO_META_DNS_CAPTURE: "false",
    ISTIO_METAJSON_LABELS: JSON.stringify({ app: group.name, vm: name }),
    ENVOY_STATUS_PORT: String(ports.ready),
    ENVOY_PROMETHEUS_PORT: String(ports.prometheus),
    ADMIN_PORT: String(ports.admin),
    STATUS_PORT: String(ports.status),
    OTHER_STATUS_PORT: String(ports.otherStatus),
    APPLICATION_PORT: String(application),
  };
  const lines = Object.entries(variables).map(([key, value]) => `export ${key}='${value}'\n`);
  return lines.join("");
}

/** Lays down what an installation brings: the VM's settings, its login at istiod, and the root of the artifacts. */
function install(root: string, { cluster, artifacts, place, application }: VmSettings, ports: VmPorts): void {
  const { firstRoot } = makePlaces(root);
  mkdirSync(dirname(firstRoot), { recursive: true });
  writeFileSync(firstRoot, artifacts.store.root);
  const { namespace } = place.group;
  const token = ["create", "token", "default", "-n", namespace, "--audience", "istio-ca", "--duration", "2h"];
  const authority = [
    "get",
    "configmap",
    "istio-ca-root-cert",
    "-n",
    namespace,
    "-o",
    "jsonpath={.data.root-cert\\.pem}",
  ];
  writeFileSync(join(root, "etc/istio-token"), cluster.kubectl(token).trim());
  writeFileSync(join(root, "etc/root-cert.pem"), cluster.kubectl(authority));
  writeFileSync(join(root, "etc/vm.env"), describeVm(place, ports, application));
}

/** Envoy's shared memory outlives its process. */
function removeSharedMemory(baseId: number): void {
  for (const name of readdirSync("/dev/shm")) {
    if (name.startsWith(`envoy_shared_memory_${baseId}`)) rmSync(join("/dev/shm", name), { force: true });
  }
}

/** Ends pilot-agent and the Envoy that it started: as leader of a session, its process group has both. */
async function endProxies(root: string): Promise<void> {
  for (const { pid } of await findProxies(root)) process.kill(-pid, "SIGKILL");
}

function readReport(path: string): Partial<Report> {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Report;
  } catch {
    // None yet.
    return {};
  }
}

async function askEnvoy(admin: number): Promise<string | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${admin}/server_info`);
    const { version } = (await response.json()) as { readonly version: string };
    return version.split("/")[1];
  } catch {
    return undefined;
  }
}

/** Starts the VM's agent, without a tag. `folder` is where its root is made. */
export async function startVm(folder: string, settings: VmSettings): Promise<MeshVm> {
  const { cluster, artifacts, place, env = {} } = settings;
  const root = join(folder, place.name);
  const ports = await choosePorts();
  install(root, settings, ports);
  const baseId = 1000 + (ports.admin % 50_000);
  const agent = cluster.start(`agent-${place.name}`, process.execPath, [agentMain, "--root", root], {
    MESHROLL_AGENT_STORE: artifacts.store.folder,
    MESHROLL_AGENT_READY_URL: `http://127.0.0.1:${ports.ready}/healthz/ready`,
    MESHROLL_AGENT_BASE_ID: String(baseId),
    MESHROLL_AGENT_POLL_SECONDS: "1",
    MESHROLL_AGENT_SETTLE_SECONDS: String(parentShutdownSeconds + 3),
    ...env,
  });
  const { report } = makePlaces(root);
  return {
    ...place,
    root,
    agent,
    tag: (revision) => writeFileSync(join(root, "etc/meshroll-agent/tag"), `${revision}\n`),
    report: () => readReport(report),
    readEnvoy: async () => askEnvoy(ports.admin),
    async end() {
      await agent.end("SIGTERM");
      await endProxies(root);
      removeSharedMemory(baseId);
    },
  };
}
