import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createFakeRemote, openFakeRepository } from "#fakes/git";
import { createModel, fakeCluster, type KubeModel } from "#fakes/kube";
import { createFakeQueueServer, openFakeQueue, serveFakeBatches } from "#fakes/queue";
import { createVirtualClock, type VirtualClock } from "#fakes/runtime";
import type { BatchJob } from "#libs/events";
import { openLedger } from "#libs/ledger";
import { type FleetStatus, makeBaseline } from "#libs/plan";
import { onTestFinished } from "vitest";

import { runExecutor } from "../../../services/executor/service.ts";
import { runPlanner } from "../../../services/planner/service.ts";
import { file, refOf, settingsOf } from "../shop.ts";
import { createSilentLogger } from "../parts/silent-logger.ts";

export const [one, other] = ["onemeshroll0", "othermeshrol"];

/** One bus server and one queue server for all installations. */
export function makeServers() {
  const clock = createVirtualClock();
  return { clock, bus: createFakeBusServer(), queue: createFakeQueueServer(clock) };
}

export function makeModel(clock: VirtualClock): KubeModel {
  const model = createModel({ clock });
  model.addNamespace("meshroll-system");
  const labels = { "istio.io/rev": "old" };
  for (const revision of ["old", "new"]) model.addIstiod(revision);
  for (const name of ["a", "b"])
    model.addDeployment({ ns: `shop-${name}`, name: "web", replicas: 2, labels, readyMs: 5000 });
  return model;
}

/**
 * A repository whose ledger belongs to installation `id`, with a planner and an executor for cluster `one` that are configured
 * with installation `served`.
 */
export async function openInstallation(
  { clock, bus, queue }: ReturnType<typeof makeServers>,
  model: KubeModel,
  id: string,
  served: string = id,
  batch = "batchSize: 1",
) {
  const remote = createFakeRemote({ now: () => clock.now() });
  const merge = (percent: number): string => {
    const files = { "rollouts.yml": file(percent), "meshroll.yml": settingsOf(batch) };
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
      {
        ...parts(),
        holder: { place: id, id },
        bus: client,
        queue: openFakeQueue<BatchJob>(queue, served),
        gitPollMs: 10_000,
      },
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
  const waits = async () => ((await status())?.waiting ?? []).map(({ code }) => code);
  return { merge, end, client, readLedger, waits };
}

export function revisionsOf(model: KubeModel): readonly (string | undefined)[] {
  return [...new Set(["a", "b"].flatMap((name) => model.podsOf(refOf(name)).map(({ revision }) => revision)))];
}
