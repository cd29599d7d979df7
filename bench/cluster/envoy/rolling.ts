import { setTimeout as sleep } from "node:timers/promises";

import { stringify } from "yaml";

import type { OwnCluster } from "../../../test/cluster/bed/start-cluster.ts";
import { until } from "../../../test/cluster/bed/until.ts";
import type { Envoy } from "../../../test/vm/envoys/find-envoys.ts";
import { openLoad, type Tally } from "../../../test/vm/traffic/open-load.ts";
import type { ApiClient } from "../api-client.ts";
import { before, managedLabel } from "../fleet.ts";
import { type Front, startFront } from "./front.ts";
import { Kubelet, playedAnnotations, playedLabel } from "./kubelet.ts";

const replicas = 6;
const clients = 32;
const thinkMs = 5;
/** The load goes on this long after the last pod is there, ms: what ends late is seen too. */
const tailMs = 4_000;
/** Begins the name of its namespace. */
export const frontPrefix = "front";
export const frontNamespace = `${frontPrefix}-shop`;

/** A Service, and a Deployment as an owner writes it who wants no gap: a surge, and a hook that waits until nothing is sent any more. */
function describeWeb(): string {
  const labels = { app: "web", "istio.io/rev": before, ...playedLabel };
  const lifecycle = { preStop: { sleep: { seconds: 2 } } };
  const template = {
    metadata: { labels, annotations: playedAnnotations },
    spec: {
      terminationGracePeriodSeconds: 10,
      containers: [{ name: "app", image: "registry.example/app:1", lifecycle }],
    },
  };
  const strategy = { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
  const selector = { matchLabels: { app: "web" } };
  const metadata = { namespace: frontNamespace, name: "web" };
  const objects = [
    {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: frontNamespace, labels: { [managedLabel]: "managed" } },
    },
    { apiVersion: "v1", kind: "Service", metadata, spec: { selector: { app: "web" }, ports: [{ port: 80 }] } },
    { apiVersion: "apps/v1", kind: "Deployment", metadata, spec: { replicas, selector, strategy, template } },
  ];
  return objects.map((each) => stringify(each)).join("---\n");
}

/** A real Envoy in front of the real processes of a Deployment. */
export class RollingBench {
  readonly #cluster: OwnCluster;
  readonly #kubelet: Kubelet;
  readonly #front: Front;
  readonly #stop: AbortController;

  private constructor(cluster: OwnCluster, kubelet: Kubelet, front: Front, stop: AbortController) {
    this.#cluster = cluster;
    this.#kubelet = kubelet;
    this.#front = front;
    this.#stop = stop;
  }

  static async open(cluster: OwnCluster, client: ApiClient, envoy: Envoy): Promise<RollingBench> {
    const stop = new AbortController();
    const kubelet = new Kubelet(client);
    cluster.kubectl(["apply", "-f", "-"], describeWeb());
    await kubelet.start(frontNamespace);
    const findPort = (address: string) => kubelet.findPort(address);
    const front = await startFront(cluster, client, { ...envoy, namespace: frontNamespace }, findPort, stop.signal);
    const bench = new RollingBench(cluster, kubelet, front, stop);
    await bench.#untilWhole();
    return bench;
  }

  /** All replicas are there, no other pod is, and Envoy has them all. */
  async #untilWhole(): Promise<void> {
    const list = () => this.#cluster.kubectl(["-n", frontNamespace, "get", "pods", "-o", "name"]).trim().split("\n");
    await until("all pods of the front are there", () => {
      return this.#front.countEndpoints() === replicas && list().length === replicas;
    });
  }

  /** Loads it while something is done to its pods. Every request counts, and none is repeated. */
  async loadDuring(act: () => Promise<void>): Promise<Tally> {
    const load = openLoad([{ host: "127.0.0.1", port: this.#front.port }], clients, thinkMs);
    try {
      await sleep(1_000);
      await act();
      await this.#untilWhole();
      await sleep(tailMs);
      return await load.end();
    } finally {
      await load.terminate();
    }
  }

  /** Deletes every pod at once, as a restart does that knows no rollout. */
  async deleteAll(): Promise<void> {
    this.#cluster.kubectl(["-n", frontNamespace, "delete", "pods", "--all", "--wait=false"]);
    await until("they are on their way", () => this.#front.countEndpoints() < replicas);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#kubelet.close();
  }
}
