import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, openShop, refOf, settingsOf, written } from "../shop.ts";

const findWait = async (flow: FleetFlow) => (await flow.status())?.waitingFor.find(({ code }) => code === "JobFailed");

test("2.3 a rollback that is refused for one namespace brings all others back, and is tried less and less often", async () => {
  const flow = await openShop();
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  const policy = flow.model("one").faults.refuseWrites("shop-a");
  flow.whenMerged(file(0));

  await flow.until("all others are back", () => countOn(flow, "old") === 5, 120_000);
  await flow.pass(150_000);
  const refused = policy.count();
  await flow.until("it says why", async () => (await findWait(flow)) !== undefined, 10_000);
  const wait = await findWait(flow);
  policy.end();
  await flow.untilRunsEnd(2);

  // With the others, after them, and then 10 s, 20 s, 40 s later …, each written twice: a refusal counts when a server says it that
  // was asked whether it is ready.
  expect(refused).toBeGreaterThan(4);
  expect(refused).toBeLessThan(18);
  expect(wait).toMatchObject({ owner: "the operator of one", until: expect.stringMatching(/^2026-/) });
  expect(wait?.message).toMatch(
    /^\d batches of the rollback in a row .* shop-a\/Deployment\/web: admission policy "frozen" denied/,
  );
  expect(countOn(flow, "old")).toBe(6);
  await flow.end();
});

/** How often a write was tried that is refused for ever, in five minutes of a rollback under a planner that is killed each so many ms. */
async function countTries(everyMs: number): Promise<number> {
  const flow = await openShop();
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  const policy = flow.model("one").faults.refuseWrites("shop-a");
  flow.whenMerged(file(0));
  await flow.until("all others are back", () => countOn(flow, "old") === 5, 120_000);
  const before = policy.count();
  for (let passed = 0; passed < 300_000; passed += 1000) {
    await flow.pass(1000);
    if ((passed + 1000) % everyMs !== 0) continue;
    await flow.killPlanner();
    flow.startPlanner();
  }
  const tries = policy.count() - before;
  policy.end();
  await flow.untilRunsEnd(2);
  expect(countOn(flow, "old")).toBe(6);
  await flow.end();
  return tries;
}

test("2.3 a planner that is killed each 8 s tries what broke as often as one that lives on", async () => {
  const undisturbed = await countTries(3_600_000);

  expect(undisturbed).toBeGreaterThan(2);
  expect(await countTries(8_000)).toBe(undisturbed);
});

test("2.3 a batch of another run that waits for slow pods makes room at once for what is broken and is rolled back", async () => {
  const two = (d: number, a: number) => `"shop-[abc]": { old: ${100 - a}, new: ${a} }\n${file(d)}`;
  const flow = await openShop({ settings: settingsOf("batchSize: 3, readinessTimeout: 10m"), readyMs: 100_000 });
  flow.whenMerged(two(0, 0));
  const broke = flow.whenMerged(two(100, 0)).slice(0, 12);
  await flow.untilRunsEnd(1);
  flow.whenMerged(two(100, 100));
  await flow.until("the other bucket moves", () => written(flow).length === 6);
  flow.model("one").breakWorkload(refOf("d"), { how: "crash", whenRevision: "new" });
  await flow.pass(5000);

  await flow.whenAsked({ verb: "rollback", scope: `run/${broke}`, now: true });
  await flow.until("the broken one is written", () => written(flow).length > 6, 10_000);
  const first = written(flow)[6];
  await flow.until("all of its run are back", () => countOn(flow, "old", ["d", "e", "f"]) === 3, 600_000);
  const runs = await flow.untilRunsEnd(3);

  expect(first).toContain("shop-d");
  expect(countOn(flow, "new", ["a", "b", "c"])).toBe(3);
  expect(runs.flatMap(({ outcome }) => outcome?.skipped ?? [])).toEqual([]);
  await flow.end();
});
