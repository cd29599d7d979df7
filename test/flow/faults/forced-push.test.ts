import { expect, test } from "vitest";

import { countOn, file, openShop, refOf, settingsOf, templateOf, listMovedPaths } from "../shop.ts";

const settings = settingsOf("batchSize: 2, readinessTimeout: 60s");
const minute = 60_000;

/** The revision label in a shop's pod template. */
async function labelOf(flow: Awaited<ReturnType<typeof openShop>>, name: string): Promise<string | undefined> {
  return (await templateOf(flow, refOf(name)))?.labels["istio.io/rev"];
}

test("4.6 workloads in flight that fail after a forced push of main are annotated and put back; nothing is moved or retried", async () => {
  const flow = await openShop({ names: ["a", "b", "c", "d"], settings, readyMs: 20_000 });
  const first = flow.remote.head("main") ?? "";
  for (const name of ["a", "b"])
    flow.model("one").breakWorkload(refOf(name), { how: "neverReady", whenRevision: "new" });
  flow.whenMerged(file(100));
  await flow.until("a batch moves", () => listMovedPaths(flow).length === 2);
  const moved = [...listMovedPaths(flow)];

  flow.remote.forceMain(first);
  await flow.pass(3 * minute);
  const waits = (await flow.status())?.waiting.map(({ code }) => code);

  expect(waits).toEqual(["MainRewritten"]);
  expect(moved.toSorted()).toEqual(["shop-a/deployments/web", "shop-b/deployments/web"]);
  // Each was written twice: moved, and put back.
  expect(listMovedPaths(flow).toSorted()).toEqual([...moved, ...moved].toSorted());
  expect([await labelOf(flow, "a"), await labelOf(flow, "b"), countOn(flow, "old", ["c", "d"])]).toEqual([
    "old",
    "old",
    2,
  ]);
  await flow.end();
});

test("1.7 healthy workloads in flight arrive after a forced push and stay there until a person ends the stop", async () => {
  const flow = await openShop({ names: ["a", "b", "c", "d"], settings, readyMs: 20_000 });
  const first = flow.remote.head("main") ?? "";
  flow.whenMerged(file(100));
  await flow.until("a batch moves", () => listMovedPaths(flow).length === 2);
  flow.remote.forceMain(first);
  await flow.pass(2 * minute);
  const during = [listMovedPaths(flow).length, countOn(flow, "new", ["a", "b", "c", "d"])];
  await flow.whenAsked({ verb: "resume", scope: "all" });
  await flow.pass(3 * minute);

  expect(during).toEqual([2, 2]);
  // Main wants `old`, as before the run that is gone, so what the run moved is late and is put back.
  expect(countOn(flow, "old", ["a", "b", "c", "d"])).toBe(4);
  expect((await flow.runs()).map(({ state }) => state)).toEqual(["gone"]);
  await flow.end();
});
