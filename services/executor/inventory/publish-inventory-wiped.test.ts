import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createModel, fakeCluster } from "#fakes/kube";
import { createVirtualClock } from "#fakes/runtime";
import type { KeyValue } from "#libs/bus";
import { createInventoryFold } from "#libs/events";
import { NamespaceTree } from "#libs/plan";
import { createLogger } from "#libs/runtime";
import { expect, test } from "vitest";

import { createPublisher } from "./publish-inventory.ts";
import { createTroubles } from "../messages/troubles.ts";

test("9.1 a bucket that is wiped in the middle of a round never looks complete before all is there again", async () => {
  const clock = createVirtualClock();
  const server = createFakeBusServer();
  const model = createModel({ clock });
  for (const ns of ["a", "b", "c"]) model.addDeployment({ ns, name: "web" });
  const bucket = openFakeBus(server).bucket("inventory");
  const fold = createInventoryFold(NamespaceTree.empty);
  const seen: (readonly [boolean, boolean])[] = [];
  let wipeAt: string | undefined;
  const inventory: KeyValue = {
    ...bucket,
    async put(key, value, expected) {
      const done = await bucket.put(key, value, expected);
      fold.apply(key, value, 0);
      if (key === wipeAt) {
        wipeAt = undefined;
        server.wipe();
        fold.reset();
        // The publisher's own watch reports it before the round is over.
        for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      }
      const [cluster] = fold.clusters();
      if (cluster !== undefined)
        seen.push([cluster.complete, ["a", "b", "c"].every((ns) => cluster.namespaces.has(ns))]);
      return done;
    },
  };
  const stop = new AbortController();
  const cluster = fakeCluster(model, "one", { monotonic: () => clock.monotonic() });
  const log = createLogger("test", [], "warn", () => undefined);
  const troubles = createTroubles(() => undefined);
  const publisher = createPublisher({
    cluster,
    mode: "act",
    inventory,
    troubles,
    clock,
    log,
  });
  await cluster.start((name) => publisher.note(name), stop.signal);
  void publisher.run(stop.signal);
  await clock.advance(1000);

  publisher.note("a");
  publisher.note("b");
  wipeAt = "one.a";
  await clock.advance(3000);
  stop.abort();

  expect(wipeAt).toBeUndefined();
  expect(seen.filter(([complete, whole]) => complete && !whole)).toEqual([]);
  expect(seen.at(-1)).toEqual([true, true]);
});
