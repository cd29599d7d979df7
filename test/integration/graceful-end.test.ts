import { testInstallation } from "#libs/input";
import { openQueue } from "#libs/queue";
import type { BatchJob } from "#libs/events";
import { afterEach, expect, test } from "vitest";

import { useOwnBroker } from "./own-broker.ts";
import { RealFleet } from "./fleet/real-fleet.ts";

const redis = useOwnBroker("redis", ["graceful-end"]);
const nats = useOwnBroker("nats", ["graceful-end"]);
const file = (weight: number) => `production:\n  old: ${100 - weight}\n  new: ${weight}\n`;
const names = ["a", "b", "c", "d", "e", "f"];

let fleet: RealFleet | undefined;

afterEach(async () => {
  const ended = fleet;
  fleet = undefined;
  await ended?.end();
});

test("an executor that gets SIGTERM in the middle of a batch gives it back at once and exits with 0 within 10 s", async () => {
  const made = new RealFleet({ redis: redis(), nats: nats() }, "graceful-end", 30);
  fleet = made;
  for (const revision of ["old", "new"]) made.model.addIstiod(revision);
  for (const each of names) {
    const labels = { "istio.io/rev": "old" };
    made.model.addDeployment({ ns: `shop-${each}`, name: "web", replicas: 2, labels, readyMs: 60_000 });
  }
  const settings = "defaults:\n  batch: { batchSize: 3, delayBetweenBatches: 10s, readinessTimeout: 10m }\n";
  await made.start({ "rollouts.yml": file(0), "meshroll.yml": settings });
  made.startService("executor");
  made.startService("planner");
  const queue = openQueue<BatchJob>({ installation: testInstallation, url: redis().url });
  await made.merge({ "rollouts.yml": file(100) });
  const moves = () => made.writes;
  await made.until("a batch rolls", () => moves().length > 0);
  const held = (await queue.inspect(made.cluster))?.state;

  const executor = made.services.get("executor");
  const asked = performance.now();
  executor?.signal("SIGTERM");
  const code = await executor?.ended;
  const ms = performance.now() - asked;
  const after = (await queue.inspect(made.cluster))?.state;
  made.startService("executor");
  const run = await made.untilRunEnds();
  await queue.close();

  expect([held, after, code]).toEqual(["active", "waiting", 0]);
  expect(ms).toBeLessThan(10_000);
  expect(run).toMatchObject({ state: "done", outcome: { migrated: 6 } });
  expect(moves()).toHaveLength(6);
});
