import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, openShop, listMovedPaths } from "../shop.ts";

const buckets = ["control", "status", "inventory"] as const;

/** Pictures are of earlier times: new ones are taken all the while, and a purged one is gone. */
const isPicture = (key: string) => /^pictures\.\d/u.test(key);

async function listKeys(flow: FleetFlow): Promise<readonly string[]> {
  const names = await Promise.all(buckets.map(async (name) => [...(await flow.bucket(name).keys(">"))]));
  return names
    .flat()
    .filter((key) => !isPicture(key))
    .toSorted();
}

const cases = [
  { name: "all of it", pattern: ">" },
  { name: "a namespace of a cluster", pattern: "one.shop-f" },
  { name: "a cluster's facts", pattern: "one._" },
  { name: "a part of the table of namespaces", pattern: "namespaces.0" },
  { name: "control's state", pattern: "state" },
];

test.each(cases)(
  "9.1 keys that a person purged from the bus are restored within a minute: $name",
  async ({ pattern }) => {
    const flow = await openShop();
    flow.whenMerged(file(50));
    await flow.until("something moves", () => listMovedPaths(flow).length > 0);
    await flow.pass(60_000);
    const before = await listKeys(flow);

    flow.bus.purge(pattern);
    const purged = await listKeys(flow);
    await flow.pass(61_000);
    const after = await listKeys(flow);
    await flow.killPlanner();
    flow.startPlanner().whenMerged(file(100));
    await flow.until("the rest moves", () => countOn(flow, "new") === 6, 300_000);

    expect(purged.length).toBeLessThan(before.length);
    expect(after).toEqual(before);
    await flow.end();
  },
);
