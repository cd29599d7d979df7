import { setTimeout as sleep } from "node:timers/promises";

import { openCluster } from "#libs/kube";
import { openClock } from "#libs/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { checkClusters } from "../../cli/doctor/check-clusters.ts";
import { printSentence } from "../../cli/terminal/sentence.ts";
import { type OwnCluster, startCluster } from "../cluster/bed/start-cluster.ts";
import { ClusterFleet } from "../cluster/fleet/cluster-fleet.ts";
import { logInAs } from "../cluster/fleet/executor-login.ts";
import { createWorkloads } from "../cluster/fleet/workloads.ts";
import { findPrograms } from "../cluster/programs/find-programs.ts";
import { kubeModule } from "../cluster/programs/modules.ts";
import { listProblems, readServiceSchemas } from "../guards/service-schemas.ts";
import { makeSecrets, readVariables } from "./follow-page.ts";
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
  const programs = await findPrograms(kubeModule, { env: process.env, log: () => undefined });
  cluster = await startCluster(programs);
  makeSecrets(cluster, programs("kubectl"));
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
    left: ["ConfigMap meshroll-system meshroll-installation"],
  },
  {
    helm: "helm4",
    namespace: "tools",
    account: "mover",
    left: ["ConfigMap tools kube-root-ca.crt", "Namespace <none> tools", "ServiceAccount tools default"],
  },
];

it("the Secrets that the page makes are all that the services of its values lack", async () => {
  const place = ["--namespace", "meshroll-system", "--kubeconfig", bed().kubeconfig];
  expect(runHelm("helm3", ["install", "meshroll", folder, ...place], needed)).toMatchObject({ code: 0 });
  for (const { name, schema } of (await readServiceSchemas()).filter((each) => each.name !== "agent")) {
    const given = readVariables(bed(), "meshroll-system", name);
    const repository = name === "executor" ? {} : { MESHROLL_GITHUB_REPOSITORY: "acme/rollouts" };
    expect([name, listProblems(schema, { ...given, ...repository })]).toEqual([name, []]);
    expect(given["MESHROLL_NATS_URL"]).toMatch(`nats://${name}:`);
  }
  expect(runHelm("helm3", ["uninstall", "meshroll", "--wait", ...place])).toMatchObject({ code: 0 });
});

describe.each(places)("by $helm in $namespace", ({ helm, namespace, account, left }) => {
  let before: readonly string[] = [];
  let kubeconfig = "";
  const run = (...args: readonly string[]) => {
    const values = {
      ...needed,
      executor: { clusters: "one", serviceAccount: { name: account }, act: args.includes("upgrade") },
      planner: { replicas: 2 },
      rights: { labelNewPods: true },
    };
    const place = ["--namespace", namespace, "--kubeconfig", bed().kubeconfig];
    const done = runHelm(helm, [...args, ...place], args.includes("uninstall") ? {} : values);
    expect(done).toMatchObject({ code: 0 });
    return done.printed;
  };
  /** What the API server answers to the executor that writes this label into a workload's pod template. */
  const write = async (label: string) => {
    const adapter = openCluster({ name: "one", kubeconfig: { path: kubeconfig }, clock: openClock(undefined) });
    const path = "jsonpath={.metadata.resourceVersion}";
    const resourceVersion = bed().kubectl(["-n", "shop", "get", "deployment", "web", "-o", path]);
    const change = { resourceVersion, template: { labels: { [label]: `r-${helm}` } } };
    return adapter.patchWorkload({ namespace: "shop", kind: "Deployment", name: "web" }, change);
  };

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
    const files = { "rollouts.yml": "production:\n  1-24-5: 100\n" };
    const fleet = await ClusterFleet.open(bed(), files, { kubeconfig });
    try {
      const seen = async () => (await fleet.status())?.clusters[0];
      const found = await until(seen, (each) => (each?.workloads ?? 0) > 0);
      expect(found).toMatchObject({ name: "one", mode: "observe", fresh: true });
      expect(JSON.stringify(found)).not.toMatch(/forbidden/u);
    } finally {
      await fleet.close();
    }
    expect(await write("istio.io/rev")).toMatchObject({ kind: "refused", why: expect.stringContaining("forbidden") });
    const checks = await checkClusters({ kubeconfig, clusters: "one" }, { ...process, env: {}, cwd: process.cwd() });
    const missing = checks.filter(({ state }) => state !== "ok");
    expect(missing.map(({ code }) => code).toSorted()).toEqual(["MR9061", "MR9067", "MR9072", "MR9073"]);
    for (const { fix } of missing) expect(fix.map(printSentence).at(-1)).toMatch(/ --set executor\.act=true$/u);
  });

  it("after the upgrade it may move, change what it owns, and nothing else", async () => {
    // As docs/how-to/upgrade.md has it: no two builds side by side.
    bed().kubectl(["-n", namespace, "scale", "deployment", "--all", "--replicas=0"]);
    run("upgrade", "meshroll", folder, "--wait", "--timeout", "2m");
    const deployments = bed().kubectl(["-n", namespace, "get", "deployments", "--no-headers"]);
    expect(deployments.match(/\d\/\d/gu)).toEqual(["1/1", "1/1", "1/1", "2/2"]);
    const executor = bed().kubectl(["-n", namespace, "get", "deployment", "meshroll-executor", "-o", "yaml"]);
    expect(executor).toContain("- --act");
    const options = { kubeconfig, clusters: "one" };
    const doctor = async () => {
      const all = await checkClusters(options, { ...process, env: {}, cwd: process.cwd() });
      return all.filter(({ state }) => state !== "ok").map(({ message }) => message);
    };
    expect(await until(doctor, (failed) => failed.length === 0)).toEqual([]);
    const adapter = openCluster({ name: "one", kubeconfig: { path: kubeconfig }, clock: openClock(undefined) });
    // The release of the other Helm left it, as the page says.
    bed().kubectl(["-n", "meshroll-system", "delete", "configmap", "meshroll-installation", "--ignore-not-found"]);
    expect(await adapter.claim("testmeshroll")).toMatchObject({ kind: "written" });
    const why = expect.stringContaining("meshroll changes no label of a pod template but istio.io/rev") as string;
    expect(
      await until(
        async () => write("team"),
        ({ kind }) => kind === "refused",
      ),
    ).toMatchObject({ why });
    expect(await write("istio.io/rev")).toMatchObject({ kind: "written" });
  });

  it("leaves nothing that is not documented when it is uninstalled", async () => {
    run("uninstall", "meshroll", "--wait");
    const more = () => listObjects().filter((each) => !before.includes(each) && !/ shop web-/u.test(each));
    const wanted = left.filter((each) => !before.includes(each));
    expect(await until(more, (found) => found.length <= wanted.length)).toEqual(wanted);
  });
});

it("where a person has not made it, the namespace of stops comes with the release, and stays", () => {
  bed().kubectl(["delete", "namespace", "meshroll-system"]);
  const place = ["--namespace", "elsewhere", "--kubeconfig", bed().kubeconfig];
  const find = () => bed().kubectl(["get", "namespace", "meshroll-system", "-o", "name"]);
  for (let times = 0; times < 2; times += 1) {
    const install = ["install", "meshroll", folder, "--create-namespace", ...place];
    expect(runHelm("helm4", install, needed)).toMatchObject({ code: 0 });
    expect(runHelm("helm4", ["uninstall", "meshroll", "--wait", ...place])).toMatchObject({ code: 0 });
    expect(find()).toBe("namespace/meshroll-system\n");
  }
});
