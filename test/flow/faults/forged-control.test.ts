import { printControlState, readControlState, type ControlState } from "#libs/events";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, openShop, settingsOf, listMovedPaths } from "../shop.ts";

/** Overwrites fields of control's state, as any client with write access can. */
async function writeControl(flow: FleetFlow, change: Partial<ControlState>): Promise<void> {
  const bucket = flow.bucket("control");
  const state = readControlState((await bucket.get("state"))?.value ?? "");
  if (state === undefined) throw new Error("control is seeded");
  await bucket.put("state", printControlState({ ...state, beat: `forged-${flow.clock.now()}`, ...change }));
}

const others: readonly { readonly name: string; readonly change: Partial<ControlState> }[] = [
  { name: "names a ledger that git does not have", change: { ledger: "d".repeat(40), writer: "eve" } },
  { name: "says that it is not seeded", change: { seeded: false } },
  { name: "names a main that git does not have", change: { main: "e".repeat(40) } },
];

test.each(others)("a forged state that $name is overwritten within seconds", async ({ change }) => {
  const flow = await openShop();
  flow.whenMerged(file(100));
  await flow.until("it moves", () => listMovedPaths(flow).length > 0);
  await writeControl(flow, change);
  await flow.pass(5000);
  const state = readControlState((await flow.bucket("control").get("state"))?.value ?? "");
  expect(state).not.toMatchObject(change);
  await flow.untilRunsEnd(1);
  await flow.end();
});

test("a forged state with an older main and ledger rolls nothing back, because an executor uses the newest commits it read", async () => {
  const flow = await openShop();
  const old = readControlState((await flow.bucket("control").get("state"))?.value ?? "");
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  await flow.killPlanner();
  for (let round = 0; round < 12; round += 1) {
    await writeControl(flow, { ...old, beat: `forged-${round}` });
    await flow.pass(5000);
  }
  expect(countOn(flow, "new")).toBe(6);
  await flow.end();
});

test("a forged beat in place of a dead planner moves nothing beyond the batch in hand", async () => {
  const flow = await openShop({ settings: settingsOf("batchSize: 2") });
  flow.whenMerged(file(100));
  await flow.until("the first batch moves", () => listMovedPaths(flow).length > 0);
  await flow.killPlanner();
  for (let round = 0; round < 60; round += 1) {
    await writeControl(flow, {});
    await flow.pass(5000);
  }
  expect(new Set(listMovedPaths(flow)).size).toBe(2);
  await flow.end();
});
