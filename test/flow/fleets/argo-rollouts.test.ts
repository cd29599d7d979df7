import type { KubeModel } from "#fakes/kube";
import type { WorkloadRef } from "#libs/fleet";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { file, listMovedPaths, listWaits, openShop, running, settingsOf } from "../shop.ts";

const minute = 60_000;
const labels = { "istio.io/rev": "old" };
const roll: WorkloadRef = { namespace: "shop-roll", kind: "Rollout", name: "web" };
const steps = [{ weight: 25 }, { pause: "promotion" }, { weight: 50 }] as const;
const settings = settingsOf("batchSize: 2, readinessTimeout: 5m, failurePolicy: ContinueOnError");

type Options = Partial<Parameters<KubeModel["addRollout"]>[0]>;

/** A shop with a Deployment `web` in namespace `shop-a`, and an Argo Rollout of four pods in `shop-roll`. */
async function openArgo(options: Options, names: readonly string[] = ["a"]): Promise<FleetFlow> {
  return openShop({
    names,
    settings,
    prepare: (model) =>
      model.addRollout({ ns: "shop-roll", name: "web", replicas: 4, labels, readyMs: 5000, ...options }),
  });
}

const until = async (flow: FleetFlow, code: string) =>
  flow.until(`it waits: ${code}`, async () => (await listWaits(flow)).includes(code));

test("an Argo Rollout moves as a Deployment does, by one write, and through its own steps", async () => {
  const flow = await openArgo({ canary: [{ weight: 25 }, { pause: 60_000 }, { weight: 50 }, { pause: 60_000 }] });
  flow.whenMerged(file(100));
  const [run] = await flow.untilRunsEnd(1);

  expect(run).toMatchObject({ state: "done", outcome: { migrated: 2, skipped: [] } });
  expect(running(flow, roll)).toEqual(["new"]);
  expect(listMovedPaths(flow).filter((path) => path.includes("rollouts"))).toEqual(["shop-roll/rollouts/web"]);
  await flow.end();
});

test("a pause with an end that is longer than readinessTimeout fails nothing, also where the executor restarts in it", async () => {
  const flow = await openArgo({ canary: [{ weight: 50 }, { pause: 60 * minute }, { weight: 75 }] });
  flow.whenMerged(file(100));
  await flow.pass(20 * minute);
  await flow.killExecutor();
  flow.startExecutor();
  const [run] = await flow.untilRunsEnd(1);

  expect(run).toMatchObject({ state: "done", outcome: { migrated: 2, skipped: [] } });
  await flow.end();
});

test("a pause without an end is its owner's turn: it is named, skipped in time and not undone, and migrated once promoted", async () => {
  const flow = await openArgo({ canary: steps });
  flow.whenMerged(file(100));
  await until(flow, "AwaitsPromotion");
  const wait = (await flow.status())?.waiting.find(({ code }) => code === "AwaitsPromotion");
  expect(JSON.stringify(wait)).toContain("paused at step 2 of 3: kubectl argo rollouts promote web -n shop-roll");
  const [run] = await flow.untilRunsEnd(1);
  expect(run).toMatchObject({
    outcome: { migrated: 1, skipped: [{ workload: "shop-roll/Rollout/web", code: "AwaitsPromotion" }] },
  });
  expect(new Set(running(flow, roll))).toEqual(new Set(["new", "old"]));

  flow.model("one").promoteRollout(roll);
  await flow.pass(5 * minute);
  expect(running(flow, roll)).toEqual(["new"]);
  expect((await flow.status())?.skipped?.items ?? []).toEqual([]);
  await flow.end();
});

test("one that its owner promotes in time is migrated in its run", async () => {
  const flow = await openArgo({ canary: steps });
  flow.whenMerged(file(100));
  await until(flow, "AwaitsPromotion");
  flow.model("one").promoteRollout(roll);
  const [run] = await flow.untilRunsEnd(1);
  expect(run).toMatchObject({ state: "done", outcome: { migrated: 2, skipped: [] } });
  await flow.end();
});

test("a rollback does not wait for a promotion: the template is put back, and Argo returns to the stable pods", async () => {
  const flow = await openArgo({ canary: steps });
  flow.whenMerged(file(100));
  await until(flow, "AwaitsPromotion");
  flow.whenMerged(file(0));
  await flow.until("it runs the old revision again", () => running(flow, roll).join() === "old");
  await flow.pass(minute);
  expect((await flow.runs()).map(({ state }) => state)).not.toContain("open");
  await flow.end();
});

test("a move that Argo aborts has failed in Argo's words, and its template is put back", async () => {
  const flow = await openArgo({ canary: [{ weight: 25 }, { pause: 60 * minute }] });
  flow.whenMerged(file(100));
  await flow.until("it is paused", () => running(flow, roll).length === 2);
  flow.model("one").abortRollout(roll);
  const [run] = await flow.untilRunsEnd(1);
  const [skipped] = run?.outcome?.skipped ?? [];
  expect(skipped).toMatchObject({ workload: "shop-roll/Rollout/web", code: "RolloutDegraded" });
  expect(JSON.stringify(skipped)).toContain("Rollout aborted update to revision 2");
  expect(running(flow, roll)).toEqual(["old"]);
  expect(flow.model("one").templateOf(roll).labels["istio.io/rev"]).toBe("old");
  await flow.end();
});

test("an update that its owner's analysis aborted is not begun again: it waits for its owner", async () => {
  const flow = await openArgo({ canary: [{ weight: 25 }, { pause: 10 * minute }] });
  flow.model("one").ownerApply(roll, { image: "registry.example/web:2" });
  await flow.pass(minute);
  flow.model("one").abortRollout(roll);
  await flow.pass(minute);
  flow.whenMerged(file(100));
  await until(flow, "RolloutDegraded");
  expect(listMovedPaths(flow).some((path) => path.includes("rollouts"))).toBe(false);
  flow.model("one").ownerApply(roll, { image: "registry.example/web:1" });
  const [run] = await flow.untilRunsEnd(1);
  expect(run).toMatchObject({ state: "done", outcome: { migrated: 2, skipped: [] } });
  await flow.end();
});

test("its owner's own update goes first, with its pause", async () => {
  const flow = await openArgo({ canary: steps });
  flow.model("one").ownerApply(roll, { image: "registry.example/web:2" });
  await flow.pass(minute);
  flow.whenMerged(file(100));
  await until(flow, "AwaitsPromotion");
  expect(listMovedPaths(flow).some((path) => path.includes("rollouts"))).toBe(false);
  await flow.end();
});

test("one that takes a Deployment's template is skipped by name and never written", async () => {
  const flow = await openArgo({ templateOf: "web" });
  flow.whenMerged(file(100));
  const [run] = await flow.untilRunsEnd(1);
  expect(run).toMatchObject({
    state: "done",
    outcome: { migrated: 1, skipped: [{ workload: "shop-roll/Rollout/web", code: "TemplateElsewhere" }] },
  });
  expect(listMovedPaths(flow).some((path) => path.includes("rollouts"))).toBe(false);
  await flow.end();
});

test("in a namespace whose label decides it is restarted by its template, after the label", async () => {
  const flow = await openShop({
    names: ["a"],
    settings,
    prepare: (model) => {
      model.addNamespace("shop-roll", { labels });
      model.addRollout({ ns: "shop-roll", name: "web", replicas: 4, readyMs: 5000 });
    },
  });
  flow.whenMerged(file(100));
  const [run] = await flow.untilRunsEnd(1);
  expect(run).toMatchObject({ state: "done", outcome: { migrated: 2, skipped: [] } });
  expect(flow.model("one").templateOf(roll).annotations).toEqual({ "meshroll.dev/restarted-for": "new" });
  await flow.end();
});
