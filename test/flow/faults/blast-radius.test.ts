import { expect, test } from "vitest";

import { file, listWaits, openShop, refOf, running, settingsOf } from "../shop.ts";

const names = Array.from({ length: 10 }, (_, n) => `n${String(n).padStart(2, "0")}`);

/** How many workloads were written, and how many have pods on `new`. */
const count = (flow: Awaited<ReturnType<typeof openShop>>) => ({
  written: names.filter((name) => flow.model("one").writes.some(({ path }) => path.includes(`/shop-${name}/`))).length,
  onNew: names.filter((name) => running(flow, refOf(name)).includes("new")).length,
});

test("an outage takes three workloads' pods: no other moves until they are back, with a named wait, and none fails", async () => {
  const settings = settingsOf("batchSize: 2, readinessTimeout: 2m, maxUnavailable: 3");
  const flow = await openShop({ names, settings });
  flow.whenMerged(file(100));
  await flow.until("the first have arrived", () => count(flow).onNew >= 2);
  const gone = names.slice(-3);
  const isGone = ({ namespace }: { readonly namespace: string }) => gone.some((name) => namespace === `shop-${name}`);
  const fix = flow.model("one").breakWorkload(isGone, { how: "crash" });
  await flow.until("status names it", async () => (await listWaits(flow)).includes("MaxUnavailable"));
  const { written } = count(flow);
  await flow.pass(10 * 60_000);
  expect(count(flow).written).toBe(written);
  expect(await listWaits(flow)).toContain("MaxUnavailable");

  fix();
  const [run] = await flow.untilRunsEnd(1);
  expect([run?.state, run?.outcome?.skipped, count(flow)]).toEqual(["done", [], { written: 10, onNew: 10 }]);
  await flow.end();
});
