import { readFileSync } from "node:fs";

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";

import { runCli } from "#test/run-cli";

import { type OwnCluster, startCluster } from "../bed/start-cluster.ts";
import { ClusterFleet } from "../fleet/cluster-fleet.ts";
import { readReasons } from "../fleet/read-events.ts";
import { createWorkloads, readInjected, type Workload } from "../fleet/workloads.ts";
import { findPrograms } from "../programs/find-programs.ts";
import { istioModule, kubeModule } from "../programs/modules.ts";
import { startMesh } from "./start-mesh.ts";

const finding = { env: process.env, log: () => undefined };
const [before, after] = ["1-30", "1-31"];
const policy = readFileSync(new URL("../../../deploy/chart/rights/admission/pods.yaml", import.meta.url), "utf8");
const file = (revision: string) => `production:\n  ${revision}: 100\n`;
const settingsOf = (delay: string) =>
  "defaults:\n" +
  `  batch: { batchSize: 1, delayBetweenBatches: ${delay}, readinessTimeout: 20s, failurePolicy: ContinueOnError }\n` +
  "admission: { minDeploymentAge: 20s }\n";

const web: Workload = { namespace: "shop", name: "web", replicas: 2 };
const db: Workload = { namespace: "shop", name: "db", kind: "StatefulSet", replicas: 2 };
const worse: Workload = { namespace: "shop", name: "worse", labels: { "bed.meshroll.dev/breaks-on": after } };
const workloads = [web, db, worse];
const namespaces = { shop: { "meshroll.dev/inject": "enabled" } };

describe("pods without any label, labelled by a policy in a real API server before two real istiods inject them", () => {
  let [opened, openedFleet]: [OwnCluster?, ClusterFleet?] = [];
  const bed = (): OwnCluster => {
    if (opened === undefined) throw new Error("no cluster");
    return opened;
  };
  const fleet = (): ClusterFleet => {
    if (openedFleet === undefined) throw new Error("no fleet");
    return openedFleet;
  };
  const inShop = (...args: readonly string[]) => bed().kubectl(["-n", "shop", ...args]);
  const injected = (each: Workload) => readInjected(bed(), each);
  const labelOf = ({ kind = "Deployment", name }: Workload) =>
    inShop("get", kind, name, "-o", "jsonpath={.spec.template.metadata.labels.istio\\.io/rev}");
  const readMap = (key: string) =>
    inShop("get", "configmap", "meshroll-admission", "--ignore-not-found", "-o", `jsonpath={.data.${key}}`);
  const churned = async (each: Workload): Promise<string> => {
    inShop("delete", "pods", "-l", `app=${each.name}`, "--wait=true", "--timeout=60s");
    const running = ["get", "pods", "-l", `app=${each.name}`, "--field-selector=status.phase=Running", "-o", "name"];
    const isFull = () =>
      inShop(...running)
        .trim()
        .split("\n").length === (each.replicas ?? 1);
    await fleet().until(`${each.name} is whole again`, isFull);
    return injected(each);
  };
  let count = 0;
  /** The revision that a new pod of no workload is injected with. */
  const tryPod = (labels: Readonly<Record<string, string>> = {}, spec: Readonly<Record<string, unknown>> = {}) => {
    const name = `bare-${count++}`;
    const containers = [{ name: "app", image: "registry.example/app:1" }];
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, namespace: "shop", labels: { app: name, ...labels } },
    };
    bed().kubectl(["apply", "-f", "-"], stringify({ ...pod, spec: { containers, ...spec } }));
    const end = injected({ namespace: "shop", name });
    inShop("delete", "pod", name, "--wait=false");
    return end;
  };
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
    await fleet().until("the map has a revision for them", () => readMap("unlabelled") === before);
  });
  afterAll(async () => {
    await openedFleet?.close();
    await opened?.end();
  });

  it("11.2 new pods of a namespace that asks for it get main's revision; who says no, or has the host's network, gets none", async () => {
    await fleet().until("the API server reads the map", () => tryPod() === before);
    expect([await churned(web), await churned(db), await churned(worse)]).toEqual([before, before, before]);
    expect(tryPod({ "sidecar.istio.io/inject": "false" })).toBe("none");
    expect(tryPod({}, { hostNetwork: true })).toBe("none");
    expect(tryPod({ "istio.io/rev": after })).toBe(after);
    expect([labelOf(web), labelOf(db)]).toEqual(["", ""]);
  });

  it("11.2 a pause and a begun run give no new pod the new revision before its workload is moved", async () => {
    await ask("pause", "all", "--reason", "first look");
    await fleet().merge({ "rollouts.yml": file(after) });
    await fleet().until("there is a run", async () => ((await fleet().status())?.runs.length ?? 0) > 0);
    expect([await churned(web), tryPod()]).toEqual([before, before]);
    await ask("resume", "all", "--reason", "go");
    await fleet().until("the first workload moves", () => workloads.some((each) => labelOf(each) === after));
    const later = labelOf(web) === after ? db : web;
    expect([await churned(later), tryPod(), readMap("unlabelled")]).toEqual([before, before, before]);
  });

  it("11.2 each workload is moved by one label of its own, and a failed one has the earlier revision again", async () => {
    await fleet().merge({ "meshroll.yml": settingsOf("1s") });
    const run = await fleet().untilRunEnds();
    const skipped = (run.outcome?.skipped ?? []).map(({ workload }) => workload);
    expect([run.outcome?.migrated, skipped]).toEqual([2, ["shop/Deployment/worse"]]);
    await fleet().until("the failed one is whole", () => injected(worse) === before);
    expect([web, db, worse].map(labelOf)).toEqual([after, after, before]);
    expect([injected(web), injected(db)]).toEqual([after, after]);
    await fleet().until("pods without a label follow", () => readMap("unlabelled") === after && tryPod() === after);
  });

  it("an owner's `kubectl apply` leaves the label where it is", () => {
    createWorkloads(bed(), namespaces, [web, db]);
    expect([labelOf(web), labelOf(db), injected(web), injected(db)]).toEqual([after, after, after, after]);
  });

  it("11.2 a rollback takes all of it back, pods without a label at once", async () => {
    await fleet().merge({ "rollouts.yml": file(before) });
    await fleet().until("pods without a label are back", () => readMap("unlabelled") === before && tryPod() === before);
    await fleet().untilRunEnds(2);
    expect([injected(web), injected(db), injected(worse)]).toEqual([before, before, before]);
    expect([labelOf(web), labelOf(db)]).toEqual([before, before]);
  });

  it("kubectl describe shows the rollback as Events after those of the move", async () => {
    const told = ["RevisionMigrating", "RevisionMigrated", "RevisionMigrating", "RevisionRolledBack"];
    for (const { namespace, name, kind = "Deployment" } of [web, db]) {
      await fleet().until("the last Event is there", () => {
        return readReasons(bed(), { namespace, name, kind }).length >= told.length;
      });
      expect(readReasons(bed(), { namespace, name, kind })).toEqual(told);
      expect(inShop("describe", kind, name)).toMatch(
        /RevisionRolledBack .*meshroll.dev\/executor .*run [0-9a-f]{12} .*rolled it back: all pods run 1-30, before 1-31/u,
      );
    }
  });
});
