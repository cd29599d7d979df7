import type { KubeModel, WriteRecord } from "#fakes/kube";
import { printRequest } from "#libs/events";
import { lookUp } from "#libs/input";
import { expect, test } from "vitest";

import { listChanges, refOf } from "../shop.ts";
import { makeModel, makeServers, one, openInstallation, other, revisionsOf } from "./installation-bench.ts";

// Annotations on workloads name a run and a revision, but no installation: how the next installation treats those it finds
// (ADR 25).

const batch = "batchSize: 1, readinessTimeout: 1m, failurePolicy: ContinueOnError";

const writesTo = (model: KubeModel, name: string): readonly WriteRecord[] =>
  listChanges(model).filter(
    ({ path, status }) => status < 300 && path.includes(`/namespaces/shop-${name}/deployments/`),
  );

const labelOf = (model: KubeModel, name: string): string | undefined =>
  lookUp(model.templateOf(refOf(name)).labels, "istio.io/rev");

/**
 * Hands the cluster over as a person does: the first installation's processes have ended, and the ConfigMap with its id is
 * deleted.
 */
async function handOver(servers: ReturnType<typeof makeServers>, model: KubeModel) {
  model.deleteConfigMap("meshroll-system", "meshroll-installation");
  const next = await openInstallation(servers, model, other, other, batch);
  await servers.clock.advance(60_000);
  return next;
}

test("a workload that failed under the first installation stays skipped under the next one, by name, until a person's retry", async () => {
  const servers = makeServers();
  const { clock } = servers;
  const model = makeModel(clock);
  const first = await openInstallation(servers, model, one, one, batch);
  const heal = model.breakWorkload(refOf("a"), { how: "neverReady", whenRevision: "new" });
  await clock.advance(30_000);
  first.merge(100);
  await clock.advance(300_000);
  await first.end();
  heal();
  expect([labelOf(model, "a"), labelOf(model, "b")]).toEqual(["old", "new"]);
  const before = [writesTo(model, "a").length, writesTo(model, "b").length];

  const next = await handOver(servers, model);
  const id = next.merge(100).slice(0, 12);
  await clock.advance(300_000);
  const run = lookUp((await next.readLedger()).runs, id);
  expect(run).toMatchObject({ state: "done" });
  expect(run?.outcome?.skipped).toMatchObject([{ code: "ReadinessTimeout" }]);
  expect([writesTo(model, "a").length, writesTo(model, "b").length]).toEqual(before);

  const at = new Date(clock.now()).toISOString();
  const retry = {
    id: "retry-1",
    verb: "retry",
    scope: `run/${id}`,
    strength: "move",
    who: "ana",
    why: "fixed",
    at,
  } as const;
  await next.client.bucket("control").put("request.retry-1", printRequest(retry));
  await clock.advance(120_000);
  expect([revisionsOf(model), writesTo(model, "a").length]).toEqual([["new"], (before[0] ?? 0) + 1]);
});

test("a move that the first installation had in hand is not reverted by the next one, whose run takes the workload over", async () => {
  const servers = makeServers();
  const { clock } = servers;
  const model = makeModel(clock);
  const first = await openInstallation(servers, model, one, one, batch);
  await clock.advance(30_000);
  first.merge(100);
  while (model.writes.every(({ path }) => !path.includes("/deployments/"))) await clock.advance(500);
  await first.end();
  const moved = ["a", "b"].filter((name) => labelOf(model, name) === "new");
  expect(moved).toHaveLength(1);

  const next = await handOver(servers, model);
  await clock.advance(300_000);
  // Its main wants `old`, so the difference is drift, which no run changes.
  expect([
    writesTo(model, "a").length + writesTo(model, "b").length,
    moved.map((name) => labelOf(model, name)),
  ]).toEqual([1, ["new"]]);

  next.merge(100);
  await clock.advance(180_000);
  expect([revisionsOf(model), writesTo(model, "a").length, writesTo(model, "b").length]).toEqual([["new"], 1, 1]);
  next.merge(0);
  await clock.advance(180_000);
  expect([revisionsOf(model), writesTo(model, "a").length, writesTo(model, "b").length]).toEqual([["old"], 2, 2]);
  expect(Object.values((await next.readLedger()).runs).map(({ state }) => state)).toEqual(["done", "done"]);
});
