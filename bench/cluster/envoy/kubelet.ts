import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import type { ApiClient, WatchEvent } from "../api-client.ts";

interface Container {
  readonly name: string;
  readonly image: string;
  readonly restartPolicy?: string;
  readonly lifecycle?: { readonly preStop?: { readonly sleep?: { readonly seconds: number } } };
}

interface Pod {
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
    readonly deletionTimestamp?: string;
  };
  readonly spec: {
    readonly nodeName?: string;
    readonly terminationGracePeriodSeconds: number;
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[];
  };
}

/** The label whose value `played` keeps KWOK from a pod. */
export const playedLabel = { "bed.meshroll.dev/behaviour": "played" };
/** KWOK deletes a pod this long after its deletion began: longer than any bench, as the kubelet here does that. */
export const playedAnnotations = { "bed.meshroll.dev/gone-after": "1h" };

/** Plays the kubelet for pods with `playedLabel`: a real process for each, and its status at the API server. */
export class Kubelet {
  readonly #client: ApiClient;
  readonly #running = new Map<string, ChildProcess>();
  readonly #ending = new Set<string>();
  readonly #ports = new Map<string, number>();
  readonly #stop = new AbortController();
  readonly #faults: unknown[] = [];
  #made = 0;

  constructor(client: ApiClient) {
    this.#client = client;
  }

  async start(namespace: string): Promise<void> {
    const path = `/api/v1/namespaces/${namespace}/pods?labelSelector=${encodeURIComponent("bed.meshroll.dev/behaviour=played")}`;
    await this.#client.watch<Pod>(path, (event) => this.#follow(event), this.#stop.signal);
  }

  /** The loopback port of the process behind a pod's address. */
  findPort(address: string): number | undefined {
    return this.#ports.get(address);
  }

  #follow({ type, object: pod }: WatchEvent<Pod>): void {
    const { uid, deletionTimestamp } = pod.metadata;
    if (type !== "ADDED" && type !== "MODIFIED") return;
    const isNew = !this.#running.has(uid) && pod.spec.nodeName !== undefined;
    const act =
      deletionTimestamp === undefined
        ? isNew && this.#run(pod)
        : !this.#ending.has(uid) && this.#ending.add(uid) && this.#end(pod);
    if (act !== false) act.catch((error: unknown) => this.#faults.push(error));
  }

  async #run(pod: Pod): Promise<void> {
    const entry = fileURLToPath(new URL("backend.ts", import.meta.url));
    const child = fork(entry, [], { execArgv: ["--disable-warning=ExperimentalWarning"], stdio: "ignore" });
    this.#running.set(pod.metadata.uid, child);
    const [port] = (await once(child, "message")) as [number];
    this.#made += 1;
    const address = `10.200.${this.#made >> 8}.${this.#made & 255}`;
    this.#ports.set(address, port);
    await this.#client.call("PATCH", `${locate(pod)}/status`, { status: describeReady(pod, address) });
  }

  /** The hook before the stop, SIGTERM, and SIGKILL when the time of grace is over; then the pod is gone. */
  async #end(pod: Pod): Promise<void> {
    const grace = pod.spec.terminationGracePeriodSeconds * 1000;
    const child = this.#running.get(pod.metadata.uid);
    if (child !== undefined) {
      const ended = once(child, "exit");
      const killed = setTimeout(() => child.kill("SIGKILL"), grace);
      const { preStop } = pod.spec.containers.find(({ lifecycle }) => lifecycle !== undefined)?.lifecycle ?? {};
      await sleep((preStop?.sleep?.seconds ?? 0) * 1000);
      child.kill("SIGTERM");
      await ended;
      clearTimeout(killed);
    }
    const gone = { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } };
    await this.#client.call("DELETE", locate(pod), gone);
  }

  /** Ends the processes. Throws what went wrong meanwhile. */
  async close(): Promise<void> {
    this.#stop.abort();
    for (const child of this.#running.values()) child.kill("SIGKILL");
    if (this.#faults.length > 0) throw new AggregateError(this.#faults, "the kubelet of the bench failed");
  }
}

const locate = ({ metadata: { namespace, name } }: Pod): string => `/api/v1/namespaces/${namespace}/pods/${name}`;

function describeReady({ spec }: Pod, address: string): object {
  const now = new Date().toISOString();
  const condition = (type: string) => ({ type, status: "True", lastTransitionTime: now });
  const describe = ({ name, image }: Container) => ({
    name,
    image,
    imageID: "",
    ready: true,
    started: true,
    restartCount: 0,
    state: { running: { startedAt: now } },
  });
  const describeInit = (each: Container) =>
    each.restartPolicy === "Always"
      ? describe(each)
      : {
          ...describe(each),
          state: { terminated: { exitCode: 0, reason: "Completed", startedAt: now, finishedAt: now } },
        };
  return {
    phase: "Running",
    startTime: now,
    hostIP: "10.63.0.1",
    podIP: address,
    podIPs: [{ ip: address }],
    conditions: ["PodScheduled", "Initialized", "Ready", "ContainersReady"].map(condition),
    containerStatuses: spec.containers.map(describe),
    initContainerStatuses: (spec.initContainers ?? []).map(describeInit),
  };
}
