import { listChanges } from "../shop.ts";
import { fakeCluster, type KubeModel } from "#fakes/kube";
import type { VirtualClock } from "#fakes/runtime";
import { printRequest } from "#libs/events";
import { printRecordedStop, type VerbRequest } from "#libs/plan";
import { expect, test } from "vitest";

import { makeModel, makeServers, one, openInstallation, other, revisionsOf } from "../apart/installation-bench.ts";

const [system, claim, entries] = ["meshroll-system", "meshroll-installation", "meshroll-recorded-stops"];

function makeStop(clock: VirtualClock): VerbRequest {
  const at = new Date(clock.now()).toISOString();
  return { id: "stop-1", verb: "stop", scope: "all", strength: "move", who: "ana", why: "reconcile", at };
}

const wroteTo = (model: KubeModel) => listChanges(model).filter(({ path }) => path.includes("/deployments/"));

test("two installations on one bus with a cluster of the same name move only their own workloads", async () => {
  const servers = makeServers();
  const { clock, bus } = servers;
  const models = [makeModel(clock), makeModel(clock)] as const;
  const [a, b] = [await openInstallation(servers, models[0], one), await openInstallation(servers, models[1], other)];
  await clock.advance(30_000);
  await a.client.bucket("control").put("request.stop-1", printRequest(makeStop(clock)));
  a.merge(100);
  b.merge(100);
  await clock.advance(180_000);
  expect([revisionsOf(models[0]), revisionsOf(models[1])]).toEqual([["old"], ["new"]]);
  expect(Object.keys((await a.readLedger()).stops)).toEqual(["stop-1"]);
  expect((await b.readLedger()).stops).toEqual({});
  expect(await a.waits()).toContain("Stopped");
  expect(await b.waits()).not.toContain("Stopped");
  // The same holds after a wipe of the bus.
  bus.wipe();
  await clock.advance(120_000);
  expect(revisionsOf(models[0])).toEqual(["old"]);
  expect(Object.keys((await b.readLedger()).stops)).toEqual([]);
});

test("a new installation neither obeys nor records what the old one left on the bus", async () => {
  const servers = makeServers();
  const { clock } = servers;
  const model = makeModel(clock);
  const old = await openInstallation(servers, model, one);
  await clock.advance(30_000);
  old.merge(50);
  await clock.advance(5_000);
  await old.end();
  const asked = printRequest(makeStop(clock));
  await old.client.bucket("control").put("request.stop-1", asked);
  const moved = wroteTo(model).length;

  // The cluster belongs to the old installation until a person hands it over.
  const fresh = await openInstallation(servers, model, other);
  await clock.advance(30_000);
  fresh.merge(100);
  await clock.advance(60_000);
  expect(wroteTo(model)).toHaveLength(moved);
  expect(await fresh.waits()).toContain("ClusterOfOther");

  model.deleteConfigMap(system, claim);
  await clock.advance(300_000);
  expect(revisionsOf(model)).toEqual(["new"]);
  expect((await fresh.readLedger()).stops).toEqual({});
  expect(await old.client.bucket("control").get("request.stop-1")).toMatchObject({ value: asked });
});

test("processes that are configured with another installation than their ledger's move nothing, record nothing, and say so", async () => {
  const servers = makeServers();
  const { clock } = servers;
  const model = makeModel(clock);
  const wrong = await openInstallation(servers, model, one, other);
  await clock.advance(30_000);
  wrong.merge(100);
  await clock.advance(120_000);
  expect(wroteTo(model)).toEqual([]);
  expect((await wrong.readLedger()).runs).toEqual({});
  expect(await wrong.waits()).toContain("OtherInstallation");
});

const left = [
  { name: "another installation left is not obeyed, not recorded, not overwritten", whose: one, wantStops: 0 },
  {
    name: "a person wrote, with no installation in it, holds the executor that serves the cluster",
    whose: undefined,
    wantStops: 1,
  },
];
test.each(left)("a stop in a ConfigMap that $name", async ({ whose, wantStops }) => {
  const servers = makeServers();
  const { clock } = servers;
  const model = makeModel(clock);
  const { id, scope, strength, at, who, why } = makeStop(clock);
  const stop = { id, scope, strength, at, who, why };
  const text = printRecordedStop(whose === undefined ? stop : { ...stop, installation: whose });
  model.setConfigMap(system, entries, { [id]: text });
  const fresh = await openInstallation(servers, model, other);
  await clock.advance(30_000);
  fresh.merge(100);
  await clock.advance(180_000);
  expect(Object.keys((await fresh.readLedger()).stops)).toHaveLength(wantStops);
  expect(revisionsOf(model)).toEqual([wantStops === 0 ? "new" : "old"]);
  const cluster = fakeCluster(model, "one");
  const reading = new AbortController();
  await cluster.start(() => undefined, reading.signal);
  expect(cluster.view.facts().stops.recorded[id]).toBe(text);
  reading.abort();
});
