import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createModel, fakeCluster } from "#fakes/kube";
import { createVirtualClock } from "#fakes/runtime";
import { createLogger } from "#libs/runtime";
import { expect, test } from "vitest";

import { createTroubles } from "../messages/troubles.ts";
import { createPublisher } from "./publish-inventory.ts";

test("11.1 until the admission maps are read the cluster says so", async () => {
  const clock = createVirtualClock();
  const cluster = fakeCluster(createModel({ clock }), "one", { monotonic: () => clock.monotonic() });
  const inventory = openFakeBus(createFakeBusServer()).bucket("inventory");
  const log = createLogger("test", [], "error", () => undefined);
  const troubles = createTroubles(() => undefined);
  let areRead = false;
  const parts = { cluster, mode: "act" as const, inventory, troubles, clock, log, areMapsRead: () => areRead };
  const publisher = createPublisher(parts);
  const stop = new AbortController();
  await cluster.start((name) => publisher.note(name), stop.signal);
  void publisher.run(stop.signal);
  await clock.advance(1000);
  const says = async () => (await inventory.get("one._"))?.value?.includes('"mapsUnread":true');
  const first = await says();
  areRead = true;
  await clock.advance(60_000);
  expect([first, await says()]).toEqual([true, false]);
  stop.abort();
});
