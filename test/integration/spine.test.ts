import type { FleetStatus } from "#libs/plan";
import { afterEach, expect, test } from "vitest";

import { useOwnBroker } from "./own-broker.ts";

import { RealFleet } from "./real-fleet.ts";

const file = (weight: number) => `production:\n  old: ${100 - weight}\n  new: ${weight}\n`;
const settings =
  "defaults:\n  batch: { batchSize: 3, delayBetweenBatches: 10s, readinessTimeout: 2m, failurePolicy: ContinueOnError }\n";
const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
const bad = { namespace: "shop-d", kind: "Deployment", name: "web" } as const;

// Own servers: the other files use the same bucket names on the shared ones, at the same time.
const redis = useOwnBroker("redis");
const nats = useOwnBroker("nats");

let fleet: RealFleet | undefined;

afterEach(async () => {
  const ended = fleet;
  fleet = undefined;
  await ended?.end();
});

async function startFleet(name: string): Promise<RealFleet> {
  const made = new RealFleet({ redisUrl: redis().url, natsUrl: nats().url }, name, 30);
  fleet = made;
  made.model.addIstiod("old");
  made.model.addIstiod("new");
  for (const each of names) {
    const labels = { "istio.io/rev": "old" };
    made.model.addDeployment({ ns: `shop-${each}`, name: "web", replicas: 2, labels, readyMs: 30_000 });
  }
  made.model.addDeployment({ ns: "kube-system", name: "dns", replicas: 2 });
  made.model.breakWorkload(bad, { how: "neverReady", whenRevision: "new" });
  await made.start({ "rollouts.yml": file(0), "meshroll.yml": settings });
  return made;
}

function revisions({ model }: RealFleet): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.map((each) => {
      const pods = model.podsOf({ namespace: `shop-${each}`, kind: "Deployment", name: "web" });
      return [each, [...new Set(pods.map((pod) => pod.revision))].join("+")];
    }),
  );
}

/** How the run must end: everybody arrived but the bad one, which carries the mark that the ledger read off it. */
const wantedRun = {
  state: "done",
  outcome: {
    arrived: 7,
    aside: [{ workload: "shop-d/Deployment/web", reason: expect.stringMatching(/^ReadinessTimeout at /) as string }],
  },
};

/** Each workload arrived, but the bad one, which was put back. */
const wanted = Object.fromEntries(names.map((each) => [each, each === "d" ? "old" : "new"]));

test("one merge moves a cluster through real processes, and the bad workload is put back and marked", async () => {
  const made = await startFleet("spine-plain");
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
    { revision: "old", asked: 0, actual: 12.5 },
    { revision: "new", asked: 100, actual: 87.5 },
  ]);
  expect(observed.clusters).toMatchObject([{ name: "cluster", mode: "observe", rolling: 0 }]);
  expect(run).toMatchObject({ id: sha.slice(0, 12), ...wantedRun });
  expect(revisions(made)).toEqual(wanted);
  // Seven moves, the bad one's move and its undo: one write each.
  expect(made.model.writes.filter(({ status }) => status < 300)).toHaveLength(9);
});

for (const victim of ["planner", "executor"] as const) {
  test(`kill -9 of the ${victim} in the middle of a batch: nothing is restarted twice, nothing is lost`, async () => {
    const made = await startFleet(`spine-kill-${victim}`);
    made.startService("executor");
    made.startService("planner");
    await made.merge({ "rollouts.yml": file(100) });
    await made.until("something moves", () => made.model.writes.some(({ status }) => status < 300));

    await made.kill(victim);
    made.startService(victim);
    const run = await made.untilRunEnds();

    expect(run).toMatchObject(wantedRun);
    expect(revisions(made)).toEqual(wanted);
    expect(made.model.writes.filter(({ status }) => status < 300)).toHaveLength(9);
  });
}
