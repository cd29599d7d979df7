import type { FleetStatus } from "#libs/plan";
import { afterEach, expect, test } from "vitest";

import { file, openShop, readEnd, undisturbed } from "./faults/passes/shop.ts";
import { useOwnBroker } from "./own-broker.ts";
import { RealFleet } from "./fleet/real-fleet.ts";

// Own servers: the other files use the same bucket names on the shared ones at the same time.
const redis = useOwnBroker("redis", ["spine"]);
const nats = useOwnBroker("nats", ["spine"]);

let fleet: RealFleet | undefined;

afterEach(async () => {
  const open = fleet;
  fleet = undefined;
  await open?.close();
});

test(
  "one merge moves a cluster through real processes, and the bad workload is undone and marked",
  { timeout: 120_000 },
  async () => {
    const made = new RealFleet({ redis: redis(), nats: nats() }, "spine", 30);
    fleet = made;
    await openShop(made, "withBad", true);
    made.startService("executor");
    made.startService("planner");

    const sha = await made.merge({ "rollouts.yml": file(100) });
    const run = await made.untilRunEnds();
    const kubeconfig = ["--kubeconfig", `${made.folder}/kubeconfig`];
    const plan = await made.meshroll("plan", ...kubeconfig, "--from", "main~1", "--to", "main");
    const status = JSON.parse(await made.meshroll("status", "-o", "json")) as FleetStatus;
    const observed = JSON.parse(await made.meshroll("status", ...kubeconfig, "-o", "json")) as FleetStatus;

    expect(plan).toContain("8 namespaces move, 0 of them back, 0 stay: the fewest possible");
    expect(status.where[0]?.shares).toMatchObject([
      { revision: "old", requested: 0, actual: 12.5 },
      { revision: "new", requested: 100, actual: 87.5 },
    ]);
    expect(observed.clusters).toMatchObject([{ name: "cluster", mode: "observe", rolling: 0 }]);
    expect([run.id, run.outcome?.migrated]).toEqual([sha.slice(0, 12), 7]);
    expect(run.outcome?.skipped).toMatchObject([{ workload: "shop-d/Deployment/web", code: "ReadinessTimeout" }]);
    // Seven moves, and the bad one's move and undo: one write each. The tests of faults compare with this end.
    expect(await readEnd(made)).toEqual(undisturbed.withBad);
    await made.end();
  },
);
