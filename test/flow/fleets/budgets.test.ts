import type { KubeModel } from "#fakes/kube";
import type { WorkloadRef } from "#libs/fleet";
import { printWorkloadReason } from "#libs/wording";
import { describe, expect, it } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { file, openShop, running, settingsOf, listMovedPaths } from "../shop.ts";

type Shape = Parameters<KubeModel["addDeployment"]>[0];
type Budget = Omit<Parameters<KubeModel["addPdb"]>[0], "ns" | "name" | "matchLabels">;

const labels = { "istio.io/rev": "old" };
const web = (kind: WorkloadRef["kind"]): WorkloadRef => ({ namespace: "guarded", kind, name: "web" });
const settings = settingsOf("batchSize: 2, readinessTimeout: 60s");

/** One workload `guarded/web` with a PodDisruptionBudget. */
function prepare(kind: WorkloadRef["kind"], shape: Partial<Shape>, budget: Budget) {
  const options: Shape = { ns: "guarded", name: "web", labels, readyMs: 5000, ...shape };
  return (model: KubeModel): void => {
    if (kind === "Deployment") model.addDeployment(options);
    else if (kind === "StatefulSet") model.addStatefulSet(options);
    else model.addDaemonSet(options);
    model.addPdb({ ns: "guarded", name: "web", matchLabels: { app: "web" }, ...budget });
  };
}

/** The lowest number of Ready pods of the workload until the run is done. */
async function countLeast(flow: FleetFlow, ref: WorkloadRef): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  await flow.until("the run ends", async () => {
    const ready = flow
      .model("one")
      .podsOf(ref)
      .filter((pod) => pod.ready).length;
    least = Math.min(least, ready);
    return (await flow.runs())[0]?.state === "done";
  });
  return least;
}

async function listSkipped(flow: FleetFlow): Promise<readonly string[]> {
  const skipped = (await flow.runs())[0]?.outcome?.skipped ?? [];
  return skipped.map(({ workload, ...reason }) => `${workload} ${printWorkloadReason(reason)}`);
}

const surging = { maxSurge: 1, maxUnavailable: 0 };

describe("a rollout that never goes below its budget is carried out", () => {
  it.each<[name: string, kind: WorkloadRef["kind"], shape: Partial<Shape>, budget: Budget]>([
    ["one replica that must stay", "Deployment", { replicas: 1, ...surging }, { minAvailable: 1 }],
    ["a budget that never allows anything", "Deployment", { replicas: 3, ...surging }, { maxUnavailable: 0 }],
    ["all of them must stay", "Deployment", { replicas: 4, ...surging }, { minAvailable: "100%" }],
    ["Kubernetes' defaults for two replicas", "Deployment", { replicas: 2 }, { minAvailable: 2 }],
    ["a DaemonSet that surges", "DaemonSet", { replicas: 3, ...surging }, { minAvailable: 3 }],
    ["a StatefulSet whose budget has room for one", "StatefulSet", { replicas: 3 }, { maxUnavailable: 1 }],
    ["a Deployment that takes as many as may go", "Deployment", { replicas: 8 }, { minAvailable: 6 }],
  ])("%s", async (_name, kind, shape, budget) => {
    const ref = web(kind);
    const flow = await openShop({ names: [], settings, prepare: prepare(kind, shape, budget) });
    const { replicas = 0 } = shape;
    const [room] = [budget.maxUnavailable, budget.minAvailable === 6 ? 2 : 0].filter((each) => each !== undefined);
    flow.whenMerged(file(100));

    const least = await countLeast(flow, ref);

    expect(running(flow, ref)).toEqual(["new"]);
    expect(await listSkipped(flow)).toEqual([]);
    expect(least).toBeGreaterThanOrEqual(replicas - Number(room));
    await flow.end();
  });
});

describe("a rollout that would go below its budget waits, by name, and is then skipped", () => {
  const nothing = (takes: string) => {
    const [kind = "", ...pods] = takes.split(" ");
    const why = `its PodDisruptionBudget allows no disruption, and its rollout takes ${pods.join(" ")} away at once`;
    return `guarded/${kind}/web ${why}, for too long`;
  };

  it.each<[name: string, kind: WorkloadRef["kind"], shape: Partial<Shape>, budget: Budget, want: string]>([
    [
      "Recreate",
      "Deployment",
      { replicas: 3, recreate: true },
      { maxUnavailable: 2 },
      "guarded/Deployment/web its PodDisruptionBudget allows 2 pods to be missing, and its rollout takes 3 away at once, for too long",
    ],
    [
      "a StatefulSet under a budget that never allows",
      "StatefulSet",
      { replicas: 3 },
      { maxUnavailable: 0 },
      nothing("StatefulSet 1 pod"),
    ],
    [
      "a DaemonSet of which all must stay",
      "DaemonSet",
      { replicas: 3 },
      { minAvailable: "100%" },
      nothing("DaemonSet 1 pod"),
    ],
    [
      "a Deployment that takes two where one may go",
      "Deployment",
      { replicas: 8 },
      { maxUnavailable: 1 },
      "guarded/Deployment/web its PodDisruptionBudget allows 1 pod to be missing, and its rollout takes 2 away at once, for too long",
    ],
  ])("%s", async (_name, kind, shape, budget, want) => {
    const flow = await openShop({ names: ["a"], settings, prepare: prepare(kind, shape, budget) });
    flow.whenMerged(file(100));
    await flow.untilRunsEnd(1);

    expect(await listSkipped(flow)).toEqual([want]);
    expect(listMovedPaths(flow).some((path) => path.includes("guarded"))).toBe(false);
    await flow.end();
  });
});

describe("who may allow a rollout below its budget", () => {
  const stateful = prepare("StatefulSet", { replicas: 2 }, { maxUnavailable: 0 });

  it("a campaign, for the namespaces that it names", async () => {
    const flow = await openShop({ names: [], settings, prepare: stateful });
    flow.whenCampaignMerged({
      "campaigns/up.yml": `apiVersion: meshroll.dev/v1
kind: Campaign
metadata: { name: up }
spec:
  target: new
  replaces: [old]
  ignoreBudgets: [{ pattern: "guard.*", reason: agreed with them }]
  stages: [{ name: all, set: { production: 100 } }]
`,
    });
    flow.whenMerged(file(100));
    await flow.untilRunsEnd(1);

    expect([running(flow, web("StatefulSet")), await listSkipped(flow)]).toEqual([["new"], []]);
    await flow.end();
  });
});
