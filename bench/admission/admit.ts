import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { type OwnCluster, startCluster } from "../../test/cluster/bed/start-cluster.ts";
import { findPrograms } from "../../test/cluster/programs/find-programs.ts";
import { kubeModule } from "../../test/cluster/programs/modules.ts";
import { ProgramsMissing } from "../../test/go/go-tools.ts";
import { atLeastPeer, type Bench, type Figure, takeMedian } from "../bench.ts";
import { PodMaker } from "./pod-maker.ts";

/** Pods made per second on a real API server, with the policies that label new pods and without them. */
export const admitBench: Bench = { name: "admit", run: runAdmit };

const policies = new URL("../../deploy/kubernetes/admission/pods.yaml", import.meta.url);
const [rounds, podsOfRound] = [15, 200];
const namespace = "shop";
const bindings = ["meshroll-admission", "meshroll-admission-unlabelled"];

const owner = {
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  name: "web-5d9f7c6b8",
  uid: "00000000-0000-4000-8000-000000000001",
};
const container = {
  name: "app",
  image: "registry.example/app:1",
  ports: [{ containerPort: 8080 }],
  env: [{ name: "PORT", value: "8080" }],
  resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "256Mi" } },
};

/** As a ReplicaSet makes them; no scheduler takes them. */
const template = {
  metadata: {
    labels: { app: "web", "pod-template-hash": "5d9f7c6b8", "istio.io/rev": "1-30" },
    ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
  },
  spec: { schedulerName: "none", containers: [container] },
};

function prepare(cluster: OwnCluster): void {
  cluster.kubectl(["create", "namespace", namespace]);
  cluster.kubectl(["create", "namespace", "meshroll-system"]);
  const literals = ["revision=1-31", "Deployment.web=5d9f7c6b8"].map((each) => `--from-literal=${each}`);
  cluster.kubectl(["-n", namespace, "create", "configmap", "meshroll-admission", ...literals]);
  cluster.kubectl(["-n", namespace, "wait", "--for=create", "serviceaccount/default", "--timeout=60s"]);
}

/** Puts the policies in force or not, and waits until the API server says so by a pod. */
async function switchPolicies(cluster: OwnCluster, maker: PodMaker, isOn: boolean): Promise<void> {
  if (isOn) cluster.kubectl(["apply", "-f", "-"], readFileSync(policies, "utf8"));
  else cluster.kubectl(["delete", "mutatingadmissionpolicybinding", "--ignore-not-found", ...bindings]);
  while ((await maker.make(namespace, template)) !== (isOn ? "1-31" : "1-30")) await sleep(50);
}

/** Pods made per second in a round; each must have the label that belongs to it. */
async function timeRound(maker: PodMaker, want: string): Promise<number> {
  const began = performance.now();
  const labels = await Promise.all(Array.from({ length: podsOfRound }, async () => maker.make(namespace, template)));
  const seconds = (performance.now() - began) / 1000;
  if (labels.some((label) => label !== want)) throw new Error(`a pod has not the label ${want}`);
  return podsOfRound / seconds;
}

async function measure(cluster: OwnCluster): Promise<Readonly<Record<"with" | "without", readonly number[]>>> {
  const maker = new PodMaker(cluster);
  // Its garbage collector would take the pods away meanwhile: their owner does not exist.
  const thaw = cluster.freeze("kube-controller-manager");
  const made = { with: [] as number[], without: [] as number[] };
  try {
    await switchPolicies(cluster, maker, true);
    await timeRound(maker, "1-31");
    for (let round = 0; round < rounds; round++) {
      await switchPolicies(cluster, maker, false);
      made.without.push(await timeRound(maker, "1-30"));
      await switchPolicies(cluster, maker, true);
      made.with.push(await timeRound(maker, "1-31"));
    }
    return made;
  } finally {
    thaw();
    maker.end();
  }
}

async function runAdmit(): Promise<readonly Figure[]> {
  const log = (line: string) => console.error(`bench: ${line}`);
  try {
    const cluster = await startCluster(await findPrograms(kubeModule, { env: process.env, log }));
    try {
      prepare(cluster);
      const made = await measure(cluster);
      const [ours, peer] = [takeMedian(made.with, "pods/s"), takeMedian(made.without, "pods/s")];
      return [atLeastPeer("pods made while a policy labels them", ours, "without it", peer, 0.95)];
    } finally {
      await cluster.end();
    }
  } catch (error) {
    if (!(error instanceof ProgramsMissing)) throw error;
    log(`admit is left out: ${error.message}`);
    return [];
  }
}
