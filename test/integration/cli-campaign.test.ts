import { runCli } from "#test/run-cli";
import { afterEach, expect, test } from "vitest";

import { useOwnBroker } from "./own-broker.ts";
import { RealFleet } from "./fleet/real-fleet.ts";

const campaign = `apiVersion: meshroll.dev/v1
kind: Campaign
metadata: { name: to-new }
spec:
  target: new
  replaces: [old]
  defaults: { gates: [], batch: { batchSize: 2, delayBetweenBatches: 1s, readinessTimeout: 1m } }
  stages:
    - { name: shops, set: { "shop-.*": 100 } }
    - { name: rest, set: { production: 100 } }
`;
const file = (shops: number, rest: number) =>
  `production:\n  old: ${100 - rest}\n  new: ${rest}\n"shop-.*":\n  old: ${100 - shops}\n  new: ${shops}\n`;

const redis = useOwnBroker("redis", ["named"]);
const nats = useOwnBroker("nats", ["named"]);
let fleet: RealFleet | undefined;

afterEach(async () => {
  const ended = fleet;
  fleet = undefined;
  await ended?.end();
});

const places = ["shop-a", "shop-b", "sink"];

function listRevisions({ model }: RealFleet): string {
  const pods = places.flatMap((namespace) => model.podsOf({ namespace, kind: "Deployment", name: "web" }));
  return [...new Set(pods.map(({ revision }) => revision ?? ""))].toSorted().join("+");
}

test("2.2 a campaign is paused, shown and rolled back by its name: every bucket to what main said before its first run", async () => {
  const made = new RealFleet({ redis: redis(), nats: nats() }, "named", 30);
  fleet = made;
  for (const name of ["old", "new"]) made.model.addIstiod(name);
  for (const ns of places) {
    made.model.addDeployment({ ns, name: "web", replicas: 2, labels: { "istio.io/rev": "old" }, readyMs: 5_000 });
  }
  await made.start({ "rollouts.yml": file(0, 0), "campaigns/to-new.yml": campaign });
  made.startService("executor");
  made.startService("planner");
  const meshroll = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await runCli(args, { env: { ...made.env, USER: "ana" }, cwd: made.folder });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return stdout;
  };
  const reason = ["--reason", "a drill"];

  await made.until("the cluster is seen", async () => (await made.status())?.clusters[0]?.fresh === true);
  const planned = await meshroll("plan", "to-new", "--tz", "UTC");
  await made.merge({ "rollouts.yml": file(100, 0) });
  await made.untilRunEnds(1);
  await made.merge({ "rollouts.yml": file(100, 100) });
  await made.untilRunEnds(2);
  await made.until("all run the new one", () => listRevisions(made) === "new");
  const explained = await meshroll("explain", "sink");
  const paused = await meshroll("pause", "to-new", ...reason);
  await meshroll("resume", "to-new", ...reason);
  const rehearsed = await meshroll("rollback", "to-new", "--stage", "shops", "--dry-run", ...reason);
  const rolledBack = await meshroll("rollback", "to-new", "--campaign", "--now", "-y", ...reason);
  await made.until("all run the old one", () => listRevisions(made) === "old");
  await made.merge({ "rollouts.yml": file(0, 0) });
  await made.untilRunEnds(3);
  const history = await meshroll("history", "to-new", "--tz", "UTC");

  expect(planned).toContain("2 namespaces get new, 0 move back, 1 stay.");
  expect(explained).toContain("runs      1 workload, 2 pods: 2 on new ✔");
  expect(paused).toMatch(/stop pause-\w+ on campaign\/to-new/u);
  expect(rehearsed).toMatch(/^Undo run \w+, stage shops of to-new/u);
  expect(rolledBack.match(/^Undo run/gmu)).toHaveLength(2);
  expect(rolledBack).toContain("before the campaign's first run");
  expect(history).toMatch(/stop pause-\w+ on\s+campaign\/to-new/u);
  expect(history).toMatch(/started: change \(ana\)/u);
});
