import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { runCli } from "#test/run-cli";

import { type OwnCluster, readAudit, startCluster } from "../bed/start-cluster.ts";
import { ClusterFleet } from "../fleet/cluster-fleet.ts";
import { createWorkloads, readInjected, type Workload } from "../fleet/workloads.ts";
import { findPrograms } from "../programs/find-programs.ts";
import { istioModule, kubeModule } from "../programs/modules.ts";
import { startMesh } from "./start-mesh.ts";

const finding = { env: process.env, log: () => undefined };
const [before, after] = ["1-30", "1-31"];
const policy = readFileSync(new URL("../../../deploy/chart/rights/admission/pods.yaml", import.meta.url), "utf8");
const file = (revision: string) => `production:\n  ${revision}: 100\n`;
const settingsOf = (delay: string) =>
  `defaults:\n  batch: { batchSize: 1, delayBetweenBatches: ${delay}, readinessTimeout: 60s }\n` +
  "admission: { minDeploymentAge: 20s }\n";
const ageMs = 20_000;

const labels = { "istio.io/rev": before };
const web: Workload = { namespace: "shop", name: "web", replicas: 2, labels };
const api: Workload = { namespace: "shop", name: "api", replicas: 2, labels };
const db: Workload = { namespace: "shop", name: "db", kind: "StatefulSet", replicas: 2, labels };
const ads: Workload = { namespace: "ads", name: "ads", replicas: 2, labels };
const workloads = [web, api, db, ads];
const namespaces = { shop: {}, ads: {} };

describe("new pods of old manifests, labelled by a policy in a real API server before two real istiods inject them", () => {
  let [opened, openedFleet]: [OwnCluster?, ClusterFleet?] = [];
  const bed = (): OwnCluster => {
    if (opened === undefined) throw new Error("no cluster");
    return opened;
  };
  const fleet = (): ClusterFleet => {
    if (openedFleet === undefined) throw new Error("no fleet");
    return openedFleet;
  };
  const injected = (each: Workload) => readInjected(bed(), each);
  const listMap = (namespace: string): Readonly<Record<string, string>> => {
    const get = ["-n", namespace, "get", "configmap", "meshroll-admission", "--ignore-not-found", "-o", "json"];
    const text = bed().kubectl(get);
    return text === "" ? {} : ((JSON.parse(text) as { data?: Readonly<Record<string, string>> }).data ?? {});
  };
  const untilMap = async (
    namespace: string,
    what: string,
    isTrue: (map: Readonly<Record<string, string>>) => boolean,
  ) => fleet().until(`the map of ${namespace} says ${what}`, () => isTrue(listMap(namespace)));
  /** Deletes the pods, as a node that is drained does. */
  const churn = ({ namespace, name }: Workload) => {
    bed().kubectl(["-n", namespace, "delete", "pods", "-l", `app=${name}`, "--wait=true", "--timeout=60s"]);
  };
  const isFull = ({ namespace, name, replicas = 1 }: Workload) => {
    const get = ["-n", namespace, "get", "pods", "-l", `app=${name}`, "--field-selector=status.phase=Running", "-o"];
    return (
      bed()
        .kubectl([...get, "name"])
        .trim()
        .split("\n").length === replicas
    );
  };
  const churned = async (each: Workload): Promise<string> => {
    churn(each);
    await fleet().until(`${each.name} is whole again`, () => isFull(each));
    return injected(each);
  };
  /** The API server reads the maps by a watch, which may be behind. */
  const untilLabelled = async (each: Workload) =>
    fleet().until(`new pods of ${each.name} are labelled`, async () => (await churned(each)) === after);
  const ask = async (...args: readonly string[]) => {
    const answer = await runCli(args, { env: fleet().env, cwd: fleet().folder });
    expect({ code: answer.code, stderr: answer.stderr }).toEqual({ code: 0, stderr: "" });
  };

  beforeAll(async () => {
    opened = await startCluster(await findPrograms(kubeModule, finding));
    await startMesh(bed(), await findPrograms(istioModule, finding), [before, after]);
    bed().kubectl(["create", "namespace", "meshroll-system"]);
    bed().kubectl(["apply", "-f", "-"], policy);
    createWorkloads(bed(), namespaces, workloads);
    openedFleet = await ClusterFleet.open(bed(), { "rollouts.yml": file(before), "meshroll.yml": settingsOf("60s") });
    for (const namespace of Object.keys(namespaces))
      await untilMap(namespace, "the revision that all run", ({ revision }) => revision === before);
  });
  afterAll(async () => {
    await openedFleet?.close();
    await opened?.end();
  });

  it("11.1 new pods during a pause keep the old revision, however old their manifests are", async () => {
    await ask("pause", "all", "--reason", "first look");
    await fleet().merge({ "rollouts.yml": file(after) });
    await fleet().until("there is a run", async () => ((await fleet().status())?.runs.length ?? 0) > 0);
    await sleep(ageMs);
    const ends = [await churned(web), await churned(db), await churned(ads)];
    expect(ends).toEqual([before, before, before]);
    expect([listMap("shop"), listMap("ads")]).toEqual([{ revision: before }, { revision: before }]);
  });

  it("11.1 new pods in an open wave keep the old revision until their namespace moves", async () => {
    await ask("resume", "all", "--reason", "go");
    const isBegun = (namespace: string) =>
      workloads.some((each) => each.namespace === namespace && injected(each).includes(after));
    await fleet().until("the first workload moves", () => isBegun("shop") || isBegun("ads"));
    const later = isBegun("shop") ? ads : web;
    expect([await churned(later), listMap(later.namespace)]).toEqual([before, { revision: before }]);
    await fleet().merge({ "meshroll.yml": settingsOf("1s") });
    const run = await fleet().untilRunEnds();
    expect([run.outcome?.migrated, ...workloads.map(injected)]).toEqual([4, after, after, after, after]);
    for (const namespace of Object.keys(namespaces))
      await untilMap(namespace, "the new revision alone", (map) => JSON.stringify(map) === `{"revision":"${after}"}`);
  });

  it("11.1 a recent deploy keeps its own label, and gets the namespace's revision after minDeploymentAge", async () => {
    createWorkloads(bed(), namespaces, [web, db, ads]);
    await fleet().until("their pods run the old one", () => [web, db, ads].every((each) => injected(each) === before));
    expect([await churned(web), listMap("shop")]).toEqual([before, { revision: after }]);

    const isOld = (map: Readonly<Record<string, string>>) => "Deployment.web" in map && "StatefulSet.db" in map;
    await untilMap("shop", "which templates are old", isOld);
    await untilLabelled(web);
    expect([await churned(web), await churned(db), injected(ads)]).toEqual([after, after, before]);
    const read = (kind: string, path: string) =>
      bed().kubectl(["-n", "shop", "get", kind, "-l", "app=web", "-o", `jsonpath={.items[*]${path}}`]);
    expect(read("pods", ".metadata.labels.istio\\.io/rev").split(" ")).toEqual([after, after]);
    const template = bed().kubectl([
      "-n",
      "shop",
      "get",
      "deployment",
      "web",
      "-o",
      "jsonpath={.spec.template.metadata.labels}",
    ]);
    expect(JSON.parse(template)).toEqual({ app: "web", "istio.io/rev": before });
  });

  it("11.1 a workload whose pods are all back is no drift; without the map, and without the executor, the last word counts", async () => {
    const countPutBack = async () => (await fleet().status())?.putBack?.workloads;
    await fleet().until("only the one that was not churned is put back", async () => (await countPutBack()) === 1);
    await fleet().kill("executor");
    expect(await churned(web)).toBe(after);
    bed().kubectl(["-n", "shop", "delete", "configmap", "meshroll-admission"]);
    await fleet().until("new pods keep their label", async () => (await churned(web)) === before);
    fleet().start("executor");
    await untilMap("shop", "which templates are old", (map) => "Deployment.web" in map && "StatefulSet.db" in map);
    await fleet().until("the other two are drift", async () => (await countPutBack()) === 2);
    await untilLabelled(web);
    await fleet().until("it is no drift", async () => (await countPutBack()) === 1);
  });

  it("11.1 an owner's deploy and its rollback use the revision of the manifest", async () => {
    const onShop = (...args: readonly string[]) => bed().kubectl(["-n", "shop", ...args]);
    onShop("set", "image", "deployment/web", "app=registry.example/app:2");
    onShop("rollout", "status", "deployment/web", "--timeout=60s");
    await fleet().until("the deploy runs alone", () => isFull(web));
    const deployed = injected(web);
    await untilMap("shop", "nothing of it", (map) => !("Deployment.web" in map));
    onShop("rollout", "undo", "deployment/web");
    onShop("rollout", "status", "deployment/web", "--timeout=60s");
    await fleet().until("the rollback runs alone", () => isFull(web));
    expect([deployed, injected(web), injected(db)]).toEqual([before, before, after]);
  });

  it("without the policy the manifest's label wins, and status names what is missing", async () => {
    await untilMap("shop", "that it is old", (map) => "Deployment.web" in map);
    bed().kubectl(["delete", "mutatingadmissionpolicybinding", "meshroll-admission"]);
    const isNamed = async () => JSON.stringify(await fleet().status()).includes("AdmissionPolicyMissing");
    await fleet().until("status names it", isNamed);
    expect(await churned(web)).toBe(before);
    bed().kubectl(["apply", "-f", "-"], policy);
    await fleet().until("status names it no more", async () => !(await isNamed()));
    await untilLabelled(web);
    expect(await churned(web)).toBe(after);
  });

  it("11.1 a rollback takes the map back, and restarts who has the old label and pods on the new revision", async () => {
    expect([injected(web), injected(db), injected(api)]).toEqual([after, after, after]);
    await fleet().merge({ "rollouts.yml": file(before) });
    await fleet().untilRunEnds(2);
    expect(workloads.map(injected)).toEqual([before, before, before, before]);
    const path = "jsonpath={.spec.template.metadata.annotations.meshroll\\.dev/restarted-for}";
    expect(bed().kubectl(["-n", "shop", "get", "deployment", "web", "-o", path])).toBe(before);
    await untilMap("shop", "the old revision alone", (map) => JSON.stringify(map) === `{"revision":"${before}"}`);
  });

  it("wrote each map a few times, was refused nothing, and may write no other map", () => {
    const own = readAudit(bed()).filter(({ user }) => user.username.endsWith(":meshroll-executor"));
    const maps = own.filter(({ objectRef }) => objectRef?.name === "meshroll-admission");
    const countIn = (name: string) => maps.filter(({ objectRef }) => objectRef?.namespace === name).length;
    expect(own.filter(({ responseStatus }) => responseStatus?.code === 403)).toEqual([]);
    expect(countIn("ads")).toBeGreaterThan(1);
    expect(countIn("ads")).toBeLessThan(12);
    const asExecutor = ["--as", "system:serviceaccount:meshroll-system:meshroll-executor"];
    const make = (namespace: string, name: string) => () =>
      bed().kubectl([...asExecutor, "-n", namespace, "create", "configmap", name, "--from-literal", "revision=x"]);
    expect(make("shop", "other")).toThrow(/forbidden/);
    expect(make("meshroll-system", "other")).toThrow(/meshroll writes no ConfigMap but its own/);
  });
});
