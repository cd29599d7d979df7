import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createFakeRemote, openFakeRepository } from "#fakes/git";
import { createModel, fakeCluster, type KubeModel } from "#fakes/kube";
import { createFakeQueueServer, openFakeQueue, serveFakeBatches } from "#fakes/queue";
import { createVirtualClock, type VirtualClock } from "#fakes/runtime";
import { type BatchJob, printAsk } from "#libs/events";
import { openLedger } from "#libs/ledger";
import { type Ask, type FleetStatus, makeBaseline, printRecordedStop } from "#libs/plan";
import { expect, onTestFinished, test } from "vitest";

import { runExecutor } from "../../services/executor/service.ts";
import { runPlanner } from "../../services/planner/service.ts";
import { file, refOf, settingsOf } from "./shop.ts";
import { createSilentLogger } from "./silent-logger.ts";

const [one, other] = ["onemeshroll0", "othermeshrol"];
const [system, claim, entries] = ["meshroll-system", "meshroll-installation", "meshroll-recorded-stops"];

/** One bus and one queue for all. */
function makeServers() {
  const clock = createVirtualClock();
  return { clock, bus: createFakeBusServer(), queue: createFakeQueueServer(clock) };
}

function makeModel(clock: VirtualClock): KubeModel {
  const model = createModel({ clock });
  const labels = { "istio.io/rev": "old" };
  for (const revision of ["old", "new"]) model.addIstiod(revision);
  for (const name of ["a", "b"])
    model.addDeployment({ ns: `shop-${name}`, name: "web", replicas: 2, labels, readyMs: 5000 });
  return model;
}

/** A repository with its ledger, and its processes for a cluster `one`; `served`: what they are told that they serve. */
async function open(
  { clock, bus, queue }: ReturnType<typeof makeServers>,
  model: KubeModel,
  id: string,
  served: string = id,
) {
  const remote = createFakeRemote({ now: () => clock.now() });
  const merge = (percent: number): string => {
    const files = { "rollouts.yml": file(percent), "meshroll.yml": settingsOf("batchSize: 1") };
    return remote.commitToMain({ files, message: `to ${percent}`, author: "ana", at: clock.now() });
  };
  const repository = openFakeRepository(remote);
  await openLedger(repository).record(makeBaseline(merge(0), clock.now(), "ana", id), undefined);
  const stop = new AbortController();
  const log = createSilentLogger([]);
  const parts = () => ({ installation: served, repository: openFakeRepository(remote), clock, log });
  const client = openFakeBus(bus, served);
  const running = [
    runPlanner(
      { ...parts(), bus: client, queue: openFakeQueue<BatchJob>(queue, served), gitPollMs: 10_000 },
      stop.signal,
    ),
    runExecutor(
      {
        ...parts(),
        bus: openFakeBus(bus, served),
        clusters: [fakeCluster(model, "one", { monotonic: () => clock.monotonic() })],
        mode: "act",
        serve: serveFakeBatches<BatchJob>(queue, served),
      },
      stop.signal,
    ),
  ];
  const end = async () => {
    stop.abort();
    await clock.advance(10_000);
    await Promise.all(running);
  };
  onTestFinished(end);
  const readLedger = async () => openLedger(repository).load((await repository.fetch()).ledger ?? "");
  const status = async () => {
    const entry = await client.bucket("status").get("fleet");
    return entry?.value === undefined ? undefined : (JSON.parse(entry.value) as FleetStatus);
  };
  const waits = async () => ((await status())?.waitingFor ?? []).map(({ code }) => code);
  return { merge, end, client, readLedger, waits };
}

function revisionsOf(model: KubeModel): readonly (string | undefined)[] {
  return [...new Set(["a", "b"].flatMap((name) => model.podsOf(refOf(name)).map(({ revision }) => revision)))];
}

function makeStop(clock: VirtualClock): Ask {
  const at = new Date(clock.now()).toISOString();
  return { id: "stop-1", verb: "stop", scope: "all", strength: "move", who: "ana", why: "look", at };
}

const wroteTo = (model: KubeModel) => model.writes.filter(({ path }) => path.includes("/deployments/"));

test("two installations on one bus, with clusters of one name, each move their own and hear nothing of the other", async () => {
  const servers = makeServers();
  const { clock, bus } = servers;
  const models = [makeModel(clock), makeModel(clock)] as const;
  const [a, b] = [await open(servers, models[0], one), await open(servers, models[1], other)];
  await clock.advance(30_000);
  await a.client.bucket("control").put("ask.stop-1", printAsk(makeStop(clock)));
  a.merge(100);
  b.merge(100);
  await clock.advance(180_000);
  expect([revisionsOf(models[0]), revisionsOf(models[1])]).toEqual([["old"], ["new"]]);
  expect(Object.keys((await a.readLedger()).stops)).toEqual(["stop-1"]);
  expect((await b.readLedger()).stops).toEqual({});
  expect(await a.waits()).toContain("Stopped");
  expect(await b.waits()).not.toContain("Stopped");
  // A wiped bus changes nothing of that.
  bus.wipe();
  await clock.advance(120_000);
  expect(revisionsOf(models[0])).toEqual(["old"]);
  expect(Object.keys((await b.readLedger()).stops)).toEqual([]);
});

test("a repository that is begun anew on an old bus neither obeys nor records what the old one left", async () => {
  const servers = makeServers();
  const { clock } = servers;
  const model = makeModel(clock);
  const old = await open(servers, model, one);
  await clock.advance(30_000);
  old.merge(50);
  await clock.advance(5_000);
  await old.end();
  const asked = printAsk(makeStop(clock));
  await old.client.bucket("control").put("ask.stop-1", asked);
  const moved = wroteTo(model).length;

  // The cluster is the old one's, until a person hands it over.
  const fresh = await open(servers, model, other);
  await clock.advance(30_000);
  fresh.merge(100);
  await clock.advance(60_000);
  expect(wroteTo(model)).toHaveLength(moved);
  expect(await fresh.waits()).toContain("ClusterOfOther");

  model.deleteConfigMap(system, claim);
  await clock.advance(300_000);
  expect(revisionsOf(model)).toEqual(["new"]);
  expect((await fresh.readLedger()).stops).toEqual({});
  expect(await old.client.bucket("control").get("ask.stop-1")).toMatchObject({ value: asked });
});

const left = [
  { name: "another installation left is not obeyed, not recorded, not overwritten", whose: one, wantStops: 0 },
  {
    name: "a person wrote, with no installation in it, holds whoever serves the cluster",
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
  const fresh = await open(servers, model, other);
  await clock.advance(30_000);
  fresh.merge(100);
  await clock.advance(180_000);
  expect(Object.keys((await fresh.readLedger()).stops)).toHaveLength(wantStops);
  expect(revisionsOf(model)).toEqual([wantStops === 0 ? "new" : "old"]);
  const cluster = fakeCluster(model, "one");
  const look = new AbortController();
  await cluster.start(() => undefined, look.signal);
  expect(cluster.view.facts().stops.recorded[id]).toBe(text);
  look.abort();
});

test("processes that are told another installation than their ledger's move nothing, record nothing, and say so", async () => {
  const servers = makeServers();
  const { clock } = servers;
  const model = makeModel(clock);
  const wrong = await open(servers, model, one, other);
  await clock.advance(30_000);
  wrong.merge(100);
  await clock.advance(120_000);
  expect(wroteTo(model)).toEqual([]);
  expect((await wrong.readLedger()).runs).toEqual({});
  expect(await wrong.waits()).toContain("OtherInstallation");
});
