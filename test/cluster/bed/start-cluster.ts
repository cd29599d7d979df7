import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { findFreePorts } from "../../../scripts/brokers/free-port.ts";
import { type OwnProcess, startProcess } from "../../../scripts/brokers/own-process.ts";
import type { ClusterPrograms } from "../programs/find-programs.ts";
import { type Certificates, makeCertificates, type Person } from "./certificates.ts";
import {
  auditPolicy,
  describeApiServer,
  describeControllers,
  describeEtcd,
  describeKwok,
  describeScheduler,
  type Ports,
} from "./control-plane.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { describeNodes } from "./nodes.ts";
import { forwardsDefinition } from "./port-forwards.ts";
import { untilReady } from "./wait-ready.ts";

/** A cluster with a real etcd, API server, controllers and scheduler, and pods that KWOK simulates. */
export interface OwnCluster {
  readonly folder: string;
  /** Path of an administrator's kubeconfig. */
  readonly kubeconfig: string;
  readonly server: string;
  readonly certificates: Certificates;
  /** Path of the audit log: one line for each change that was accepted or refused. */
  readonly auditLog: string;
  /** Runs kubectl as an administrator; returns stdout, throws with stderr. */
  kubectl(args: readonly string[], input?: string): string;
  /** Starts another program, which ends with the cluster. */
  start(name: string, program: string, args: readonly string[], env?: Readonly<Record<string, string>>): OwnProcess;
  /** Stops a process by SIGSTOP, as on a node that hangs; the returned function continues it. */
  freeze(name: "kube-controller-manager"): () => void;
  findPid(name: "kube-controller-manager"): number;
  /** Ends a program by SIGKILL, and starts it again with the same data. */
  killAndStart(name: "kube-apiserver"): Promise<void>;
  end(): Promise<void>;
}

/** Ended after their clients: an API server without etcd hangs for a minute. */
const endsLast = ["kube-apiserver", "etcd"];

async function choosePorts(): Promise<Ports> {
  const names = ["etcd", "peer", "api", "controllers", "scheduler", "kwok"] as const;
  const ports = await findFreePorts(names.length);
  return Object.fromEntries(names.map((name, index) => [name, ports[index]])) as unknown as Ports;
}

/** In memory where possible, as the data are not needed later. */
function makeFolder(): string {
  for (const base of ["/dev/shm", tmpdir()]) {
    try {
      return mkdtempSync(join(base, "meshroll-cluster-"));
    } catch {
      // Not writable: the next folder is tried.
    }
  }
  throw new Error(`no folder can be made in ${tmpdir()}`);
}

class ClusterProcesses implements OwnCluster {
  readonly folder = makeFolder();
  readonly auditLog = join(this.folder, "audit.log");
  readonly kubeconfig = join(this.folder, "admin.kubeconfig");
  readonly certificates = makeCertificates(join(this.folder, "certificates"));
  readonly server: string;
  readonly #programs: ClusterPrograms;
  readonly #ports: Ports;
  readonly #processes = new Map<string, OwnProcess>();

  constructor(programs: ClusterPrograms, ports: Ports) {
    this.#programs = programs;
    this.#ports = ports;
    this.server = `https://127.0.0.1:${ports.api}`;
    mkdirSync(join(this.folder, "logs"));
    writeFileSync(`${this.auditLog}.policy`, JSON.stringify(auditPolicy));
  }

  start(
    name: string,
    program: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): OwnProcess {
    const own = startProcess({ path: program, env }, args, join(this.folder, "logs", `${name}.log`));
    this.#processes.set(name, own);
    return own;
  }

  #startOwn(name: string, args: readonly string[]): () => boolean {
    const { path, prefix } = this.#programs(name);
    const own = this.start(name, path, [...prefix, ...args]);
    return () => own.hasEnded();
  }

  #login(person: Person): string {
    return writeKubeconfig(join(this.folder, `${person}.kubeconfig`), this.server, person, this.certificates);
  }

  async #startApiServer(): Promise<void> {
    const { certificates, auditLog } = this;
    const ended = this.#startOwn("kube-apiserver", describeApiServer(this.#ports, certificates, auditLog));
    await untilReady("kube-apiserver", `${this.server}/readyz`, certificates, ended);
  }

  async bringUp(nodes: number): Promise<void> {
    const ports = this.#ports;
    for (const person of ["admin", "controller-manager", "scheduler"] as const) this.#login(person);
    this.#startOwn("etcd", describeEtcd(join(this.folder, "etcd"), ports));
    await this.#startApiServer();
    const controllers = describeControllers(this.#login("controller-manager"), ports, this.certificates);
    const controllersEnded = this.#startOwn("kube-controller-manager", controllers);
    const schedulerEnded = this.#startOwn("kube-scheduler", describeScheduler(this.#login("scheduler"), ports));
    const url = (port: number) => `https://127.0.0.1:${port}/healthz`;
    await untilReady("kube-controller-manager", url(ports.controllers), this.certificates, controllersEnded);
    await untilReady("kube-scheduler", url(ports.scheduler), this.certificates, schedulerEnded);
    const stages = fileURLToPath(new URL("kwok.yaml", import.meta.url));
    // KWOK must find the definition when it starts.
    this.kubectl(["apply", "-f", "-"], forwardsDefinition);
    this.kubectl(["wait", "--for=condition=Established", "crd", "--all", "--timeout=60s"]);
    this.#startOwn("kwok", describeKwok(this.kubeconfig, stages, ports, this.certificates));
    this.kubectl(["apply", "-f", "-"], describeNodes(nodes));
    this.kubectl(["wait", "--for=condition=Ready", "nodes", "--all", "--timeout=60s"]);
  }

  kubectl(args: readonly string[], input = ""): string {
    const { path, prefix } = this.#programs("kubectl");
    const command = [...prefix, "--kubeconfig", this.kubeconfig, ...args];
    const { status, stdout, stderr } = spawnSync(path, command, { input, encoding: "utf8", maxBuffer: 64 * 1024 ** 2 });
    if (status !== 0) throw new Error(`kubectl ${args.join(" ")}: ${stderr}`);
    return stdout;
  }

  findPid(name: "kube-controller-manager"): number {
    const own = this.#processes.get(name);
    if (own === undefined) throw new Error(`${name} was not started`);
    return own.pid;
  }

  freeze(name: "kube-controller-manager"): () => void {
    const pid = this.findPid(name);
    process.kill(pid, "SIGSTOP");
    return () => void process.kill(pid, "SIGCONT");
  }

  async killAndStart(name: "kube-apiserver"): Promise<void> {
    await this.#processes.get(name)?.end("SIGKILL");
    await this.#startApiServer();
  }

  async end(): Promise<void> {
    const first = [...this.#processes].filter(([name]) => !endsLast.includes(name));
    await Promise.all(first.map(async ([, own]) => own.end("SIGTERM")));
    for (const name of endsLast) await this.#processes.get(name)?.end("SIGTERM");
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The last lines of all logs, for the error when a program did not start. */
function readLogs(folder: string): string {
  return execFileSync("sh", ["-c", 'tail -n 5 "$0"/logs/*.log', folder], { encoding: "utf8" });
}

/**
 * Starts a cluster on free loopback ports. When it does not become ready, its processes are ended and the error has their logs.
 */
export async function startCluster(programs: ClusterPrograms, nodes = 5): Promise<OwnCluster> {
  const cluster = new ClusterProcesses(programs, await choosePorts());
  try {
    await cluster.bringUp(nodes);
    return cluster;
  } catch (error) {
    const logs = readLogs(cluster.folder);
    await cluster.end();
    throw new Error(`the cluster did not start: ${error instanceof Error ? error.message : String(error)}\n${logs}`, {
      cause: error,
    });
  }
}

/** Entries of the API server's audit log so far, oldest first. */
export function readAudit(cluster: Pick<OwnCluster, "auditLog">): readonly AuditEntry[] {
  const lines = readFileSync(cluster.auditLog, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as AuditEntry);
}

export interface AuditEntry {
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly userAgent?: string;
  readonly requestURI: string;
  readonly objectRef?: {
    readonly resource: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly subresource?: string;
  };
  /** The body, of changes of workloads, namespaces and ConfigMaps. */
  readonly requestObject?: unknown;
  readonly responseStatus?: { readonly code: number };
  readonly requestReceivedTimestamp: string;
}
