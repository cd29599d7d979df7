import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { parseAllDocuments } from "yaml";

import { type OwnCluster, startCluster } from "../../test/cluster/bed/start-cluster.ts";
import { startMesh } from "../../test/cluster/mesh/start-mesh.ts";
import { findPrograms } from "../../test/cluster/programs/find-programs.ts";
import { istioModule, kubeModule } from "../../test/cluster/programs/modules.ts";
import { ProgramsMissing } from "../../scripts/go/go-tools.ts";
import { atLeastPeer, type Bench, type Figure, findMedian, knownMiss, takeMedian } from "../bench.ts";
import { PodMaker } from "./pod-maker.ts";

/** Pods made per second on a real API server with real istiods, with the policy that labels new pods and without it. */
export const admitBench: Bench = { name: "admit", run: runAdmit };

const policies = new URL("../../deploy/chart/rights/admission/pods.yaml", import.meta.url);
const [rounds, podsOfRound] = [31, 48];
const [before, after] = ["1-30", "1-31"];
const hash = "5d9f7c6b8";
/** The ratio that is kept on a machine whose two cores others use as well (docs/reference/benchmarks.md). */
const reached = 0.85;

/**
 * Namespaces by what the policy does with their pods, and the label in the pods' template. All pods end with the same one, so that one
 * istiod injects them all.
 */
const namespaces = { without: after, kept: after, labelled: before } as const;
type Namespace = keyof typeof namespaces;
const names: readonly Namespace[] = ["without", "kept", "labelled"];

/** As a ReplicaSet makes them. No scheduler takes them. */
const labels = { app: "web", "pod-template-hash": hash };
const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: `web-${hash}`, uid: "u1", controller: true };
const spec = { schedulerName: "none", containers: [{ name: "app", image: "registry.example/app:1" }] };

/** The shipped policies; their bindings leave namespace `without` out. */
function renderPolicies(): string {
  const key = "kubernetes.io/metadata.name";
  const matchExpressions = [{ key, operator: "NotIn", values: ["without"] }];
  return parseAllDocuments(readFileSync(policies, "utf8"))
    .map((document) => {
      if (document.get("kind") === "MutatingAdmissionPolicyBinding")
        document.setIn(["spec", "matchResources"], { namespaceSelector: { matchExpressions } });
      return document.toString();
    })
    .join("---\n");
}

function prepare(cluster: OwnCluster): void {
  for (const name of [...names, "meshroll-system"]) cluster.kubectl(["create", "namespace", name]);
  const put = (namespace: Namespace, ...data: readonly string[]) => {
    const literals = data.map((each) => `--from-literal=${each}`);
    cluster.kubectl(["-n", namespace, "create", "configmap", "meshroll-admission", ...literals]);
  };
  put("kept", `revision=${after}`);
  put("labelled", `revision=${after}`, `Deployment.web=${hash}`);
  cluster.kubectl(["apply", "-f", "-"], renderPolicies());
  for (const name of names) cluster.kubectl(["-n", name, "wait", "--for=create", "serviceaccount/default"]);
}

let count = 0;

/** Makes one pod; returns its revision label, and the ms that it took. */
async function makePod(maker: PodMaker, namespace: Namespace): Promise<readonly [string | undefined, number]> {
  const own = { ...labels, "istio.io/rev": namespaces[namespace] };
  const metadata = { name: `web-${hash}-${count++}`, labels: own, ownerReferences: [owner] };
  const began = performance.now();
  const made = await maker.make(namespace, { metadata, spec });
  return [made.metadata?.labels?.["istio.io/rev"], performance.now() - began];
}

/** Pods made per second, one after the other, in turns in each namespace; the median, because others use the machine as well. */
async function timeRound(maker: PodMaker): Promise<Readonly<Record<Namespace, number>>> {
  const took: Readonly<Record<Namespace, number[]>> = { without: [], kept: [], labelled: [] };
  for (let pod = 0; pod < podsOfRound; pod++)
    // Each comes first as often: what the one before left to do falls to the next.
    for (const name of [...names.slice(pod % names.length), ...names.slice(0, pod % names.length)]) {
      const [label, ms] = await makePod(maker, name);
      if (label !== after) throw new Error(`a pod in namespace ${name} has the label ${label}`);
      took[name].push(ms);
    }
  const rate = (name: Namespace) => 1000 / findMedian(took[name]);
  return { without: rate("without"), kept: rate("kept"), labelled: rate("labelled") };
}

async function measure(cluster: OwnCluster): Promise<readonly Figure[]> {
  const maker = new PodMaker(cluster);
  // Its garbage collector would take the pods away: their owner does not exist.
  const thaw = cluster.freeze("kube-controller-manager");
  try {
    while ((await makePod(maker, "labelled"))[0] !== after) await sleep(50);
    await timeRound(maker);
    const made: Readonly<Record<Namespace, number>>[] = [];
    for (let round = 0; round < rounds; round++) made.push(await timeRound(maker));
    const take = (name: Namespace) =>
      takeMedian(
        made.map((each) => each[name]),
        "pods/s",
      );
    const against = (metric: string, name: Namespace) => {
      const figure = atLeastPeer(metric, take(name), "without it", take("without"), 0.95);
      return knownMiss(figure, Number.parseFloat(figure.ratio) >= reached);
    };
    return [
      against("pods made, one by one: the policy leaves them", "kept"),
      against("pods made, one by one: the policy labels them", "labelled"),
    ];
  } finally {
    thaw();
    maker.end();
  }
}

async function runAdmit(): Promise<readonly Figure[]> {
  const log = (line: string) => console.error(`bench: ${line}`);
  const finding = { env: process.env, log };
  try {
    const [kube, istio] = [await findPrograms(kubeModule, finding), await findPrograms(istioModule, finding)];
    const cluster = await startCluster(kube);
    try {
      await startMesh(cluster, istio, [before, after]);
      prepare(cluster);
      return await measure(cluster);
    } finally {
      await cluster.end();
    }
  } catch (error) {
    if (!(error instanceof ProgramsMissing)) throw error;
    log(`admit is left out: ${error.message}`);
    return [];
  }
}
