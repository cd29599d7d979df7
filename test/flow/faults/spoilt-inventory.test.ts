import { openFakeBus } from "#fakes/bus";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, openShop } from "../shop.ts";

const readCodes = async (flow: FleetFlow): Promise<readonly string[]> =>
  (await flow.status())?.waitingFor.map(({ code }) => code) ?? [];

const cases = [
  { name: "of a namespace", key: "one.shop-f" },
  { name: "of the cluster", key: "one._" },
];

test.each(cases)("9.1 a key $name that another login deletes is back before anyone has to act", async ({ key }) => {
  const flow = await openShop();
  await openFakeBus(flow.bus).bucket("inventory").delete(key);
  await flow.pass(3000);
  const codes = await readCodes(flow);
  const value = (await flow.bucket("inventory").get(key))?.value;
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);

  expect([codes, value]).toEqual([[], expect.any(String)]);
  expect(countOn(flow, "new")).toBe(6);
  await flow.end();
});

test("9.1 one that is deleted ten times a second keeps no run from its end", async () => {
  const flow = await openShop();
  const bucket = openFakeBus(flow.bus).bucket("inventory");
  flow.whenMerged(file(100));
  for (let tenths = 0; tenths < 1200; tenths += 1) {
    await bucket.delete("one.shop-f");
    await flow.pass(100);
  }
  const [run] = await flow.runs();

  expect([run?.state, countOn(flow, "new")]).toEqual(["done", 6]);
  await flow.end();
});
