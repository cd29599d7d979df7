import { setTimeout as sleep } from "node:timers/promises";

import { openCluster } from "#libs/kube";
import { openClock } from "#libs/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { checkClusters } from "../../cli/doctor/check-clusters.ts";
import { type OwnCluster, startCluster } from "../cluster/bed/start-cluster.ts";
import { ClusterFleet } from "../cluster/fleet/cluster-fleet.ts";
import { logInAs } from "../cluster/fleet/executor-login.ts";
import { createWorkloads } from "../cluster/fleet/workloads.ts";
import { findPrograms } from "../cluster/programs/find-programs.ts";
import { kubeModule } from "../cluster/programs/modules.ts";
import { copyChart, type Helm, needed, runHelm } from "./helm.ts";

// The chart on a real control plane: its pods are KWOK's, its rights are real. The executor is a process of this machine with the
// token of the ServiceAccount that the chart made.

const { folder, remove } = copyChart();
let cluster: OwnCluster | undefined;

function bed(): OwnCluster {
  if (cluster === undefined) throw new Error("there is no cluster");
  return cluster;
}

beforeAll(async () => {
  cluster = await startCluster(await findPrograms(kubeModule, { env: process.env, log: () => undefined }));
  cluster.kubectl(["create", "namespace", "istio-system"]);
  createWorkloads(cluster, { shop: {} }, [{ namespace: "shop", name: "web" }]);
});
afterAll(async () => {
  await cluster?.end();
  remove();
});

/** What comes and goes by itself. */
const passing = /^(?:events|leases|endpoints|endpointslices|componentstatuses|nodes|controllerrevisions)(?:\.|$)/u;

/** Every object of the cluster, as `Kind namespace name`. */
function listObjects(): readonly string[] {
  const kinds = bed().kubectl(["api-resources", "--verbs=list", "-o", "name"]).trim().split("\n");
  const columns = "custom-columns=K:.kind,NS:.metadata.namespace,N:.metadata.name";
  const wanted = kinds.filter((kind) => !passing.test(kind)).join(",");
  const lines = bed().kubectl(["get", wanted, "-A", "--no-headers", "-o", columns]).trim().split("\n");
  return lines.map((line) => line.replaceAll(/\s+/gu, " ").trim()).toSorted();
}

async function until<T>(look: () => T | Promise<T>, isRight: (found: T) => boolean): Promise<T> {
  const end = performance.now() + 60_000;
  for (;;) {
    const found = await look();
    if (isRight(found) || performance.now() > end) return found;
    await sleep(300);
  }
}

interface Place {
  readonly helm: Helm;
  readonly namespace: string;
  readonly account: string;
  /** What is left after the release is uninstalled. */
  readonly left: readonly string[];
}

/** In the namespace that the rights' files name, and in another one. */
const places: readonly Place[] = [
  {
    helm: "helm3",
    namespace: "meshroll-system",
    account: "meshroll-executor",
    left: [
      "ConfigMap meshroll-system kube-root-ca.crt",
      "ConfigMap meshroll-system meshroll-installation",
      "Namespace <none> meshroll-system",
      "ServiceAccount meshroll-system default",
    ],
  },
  {
    helm: "helm4",
    namespace: "tools",
    account: "mover",
    left: [
      "ConfigMap meshroll-system kube-root-ca.crt",
      "ConfigMap meshroll-system meshroll-installation",
      "ConfigMap tools kube-root-ca.crt",
      "Namespace <none> meshroll-system",
      "Namespace <none> tools",
      "ServiceAccount meshroll-system default",
      "ServiceAccount tools default",
    ],
  },
];

describe.each(places)("by $helm in $namespace", ({ helm, namespace, account, left }) => {
  let before: readonly string[] = [];
  let kubeconfig = "";
  const run = (...args: readonly string[]) => {
    const done = runHelm(helm, [...args, "--namespace", namespace, "--kubeconfig", bed().kubeconfig], {
      ...needed,
      executor: { clusters: "one", serviceAccount: { name: account }, act: args.includes("upgrade") },
      planner: { replicas: 2 },
      rights: { labelNewPods: true },
    });
    expect(done).toMatchObject({ code: 0 });
    return done.printed;
  };
  const asExecutor = ["--as", `system:serviceaccount:${namespace}:${account}`];
  const rename = (label: string) =>
    JSON.stringify({ spec: { template: { metadata: { labels: { [label]: `r-${helm}` } } } } });
  const patch = (text: string) => () =>
    bed().kubectl([...asExecutor, "-n", "shop", "patch", "deployment", "web", "-p", text]);

  it("all services become available", () => {
    before = listObjects();
    const notes = run("install", "meshroll", folder, "--create-namespace", "--wait", "--timeout", "2m");
    expect(notes).toContain(`kubectl -n ${namespace} get deployments -l app.kubernetes.io/name=meshroll`);
    expect(notes).toContain(`helm upgrade meshroll CHART -n ${namespace} --reuse-values --set executor.act=true`);
    expect(notes).toContain("kubectl -n meshroll-system create configmap meshroll-stop");
    const names = bed().kubectl(["-n", namespace, "wait", "--for=condition=Available", "deployment", "--all"]);
    expect(names.trim().split("\n").toSorted()).toEqual(
      ["api", "executor", "notifier", "planner"].map((name) => `deployment.apps/meshroll-${name} condition met`),
    );
    kubeconfig = logInAs(bed(), namespace, account);
  });

  it("the executor observes with the rights that the chart gives, and has none to move", async () => {
    const files = { "rollouts.yml": "shop:\n  1-24-5: 100\n" };
    const fleet = await ClusterFleet.open(bed(), files, { kubeconfig });
    try {
      const seen = async () => (await fleet.status())?.clusters[0];
      const found = await until(seen, (each) => (each?.workloads ?? 0) > 0);
      expect(found).toMatchObject({ name: "one", mode: "observe", fresh: true });
      expect(JSON.stringify(found)).not.toMatch(/forbidden/u);
    } finally {
      await fleet.close();
    }
    expect(patch(rename("istio.io/rev"))).toThrow(/is forbidden/u);
  });

  it("after the upgrade it may move, change what it owns, and nothing else", async () => {
    run("upgrade", "meshroll", folder, "--wait", "--timeout", "2m");
    const args = bed().kubectl(["-n", namespace, "get", "deployment", "meshroll-executor", "-o", "yaml"]);
    expect(args).toContain("- --act");
    const options = { kubeconfig, clusters: "one" };
    const doctor = async () => {
      const all = await checkClusters(options, { ...process, env: {}, cwd: process.cwd() });
      return all.filter(({ state }) => state !== "ok").map(({ message }) => message);
    };
    expect(await until(doctor, (failed) => failed.length === 0)).toEqual([]);
    const adapter = openCluster({ name: "one", kubeconfig: { path: kubeconfig }, clock: openClock(undefined) });
    expect(await adapter.claim("testmeshroll")).toMatchObject({ kind: "written" });
    expect(patch(rename("team"))).toThrow("meshroll changes no label of a pod template but istio.io/rev");
    patch(rename("istio.io/rev"))();
  });

  it("leaves nothing that is not documented when it is uninstalled", async () => {
    run("uninstall", "meshroll", "--wait");
    const more = () => listObjects().filter((each) => !before.includes(each) && !/ shop web-/u.test(each));
    const wanted = left.filter((each) => !before.includes(each));
    expect(await until(more, (found) => found.length <= wanted.length)).toEqual(wanted);
  });
});
