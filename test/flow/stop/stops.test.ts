import { expect, test } from "vitest";

import { countOn, countRolling, file, openShop, settingsOf, listMovedPaths } from "../shop.ts";

const stop = ["meshroll-system", "meshroll-stop"] as const;

test("7.3 kubectl's ConfigMap stops its cluster whatever its content, until it is removed", async () => {
  const flow = await openShop();
  flow.whenMerged(file(100));
  await flow.until("something moves", () => listMovedPaths(flow).length > 0);

  flow.model("one").setConfigMap(...stop, {});
  await flow.pass(1000);
  const before = listMovedPaths(flow).length;
  await flow.pass(900_000);
  const during = listMovedPaths(flow).length;
  const waiting = (await flow.status())?.waiting.map(({ code, command }) => `${code}: ${command}`);
  const stopped = await flow.runs();
  flow.model("one").deleteConfigMap(...stop);
  const runs = await flow.untilRunsEnd(1);

  expect(during).toBe(before);
  expect(waiting).toEqual(["Stopped: kubectl -n meshroll-system delete configmap meshroll-stop"]);
  expect(stopped.map(({ state }) => state)).toEqual(["open"]);
  expect(runs.map(({ state, outcome }) => [state, outcome?.migrated])).toEqual([["done", 6]]);
  await flow.end();
});

test("3.2 a stop never ends a run, and workloads in flight still arrive", async () => {
  const flow = await openShop({ readyMs: 60_000 });
  flow.whenMerged(file(100));
  await flow.until("a batch moves", () => listMovedPaths(flow).length === 2);

  await flow.whenAsked({ verb: "stop", scope: "all" });
  await flow.pass(1_200_000);
  const during = [countOn(flow, "new"), (await flow.runs())[0]?.state];
  await flow.whenAsked({ verb: "resume", scope: "all" });
  const runs = await flow.untilRunsEnd(1);

  expect(during).toEqual([2, "open"]);
  expect(runs.map(({ state, outcome }) => [state, outcome?.migrated])).toEqual([["done", 6]]);
  await flow.end();
});

for (const scope of ["cluster/one", "run", "all"] as const) {
  test(`4.1 a stop on ${scope} ends a job at once while it only waits for its workloads`, async () => {
    const flow = await openShop({ readyMs: 120_000 });
    const id = flow.whenMerged(file(100)).slice(0, 12);
    await flow.until("a batch is patched", () => listMovedPaths(flow).length === 2);
    const held = await flow.job();

    await flow.whenAsked({ verb: "stop", scope: scope === "run" ? `run/${id}` : scope });
    await flow.pass(3000);

    expect([held, await flow.job(), countRolling(flow)]).toEqual(["active", undefined, 2]);
    await flow.pass(300_000);
    expect(listMovedPaths(flow)).toHaveLength(2);
    await flow.end();
  });
}

test("7.1 a freeze that begins in the middle of a batch lets that batch arrive; no other batch begins before it ends", async () => {
  const freeze = "  freezes: [{ reason: sale, from: 2026-01-01T00:01:30Z, to: 2026-01-01T00:06:00Z }]\n";
  const flow = await openShop({ readyMs: 60_000, settings: settingsOf("batchSize: 2", freeze) });
  flow.whenMerged(file(100));
  await flow.until("a batch is patched", () => listMovedPaths(flow).length === 2);
  const began = flow.clock.now();
  await flow.pass(Date.parse("2026-01-01T00:05:00Z") - began);

  expect(began).toBeLessThan(Date.parse("2026-01-01T00:01:30Z"));
  expect([countOn(flow, "new"), countRolling(flow), listMovedPaths(flow).length]).toEqual([2, 0, 2]);
  expect((await flow.status())?.waiting.map(({ code }) => code)).toEqual(["Frozen"]);
  await flow.untilRunsEnd(1);
  expect(countOn(flow, "new")).toBe(6);
  await flow.end();
});
