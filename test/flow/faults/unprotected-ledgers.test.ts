import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, makeShop, listMovedPaths } from "../shop.ts";

const minute = 60_000;
const protection = { requiredReviews: 0, requiredChecks: [] };
const closed = { ledgerRules: ["deletion", "non_fast_forward", "update"] };
const open = { ledgerRules: ["deletion", "non_fast_forward"] };

async function findWait(flow: FleetFlow) {
  return (await flow.status())?.waiting.find(({ code }) => code === "LedgerUnprotected");
}

/** A shop whose planner follows a GitHub with these rules for the ledger's branch. */
async function openHub(rules: typeof closed) {
  const flow = await makeShop();
  flow.server.keepsClones = true;
  const github = flow.givenGithub(protection);
  github.setLedgerRules(rules);
  await flow.startExecutor().startPlanner().pass(30_000);
  return { flow, github };
}

test("nothing moves while others may push to the ledger's branch, which status says; then it continues by itself", async () => {
  const { flow, github } = await openHub(open);
  flow.whenMerged(file(100));
  await flow.pass(5 * minute);
  expect(await findWait(flow)).toMatchObject({
    scope: "all",
    message: expect.stringContaining("meshroll/ledger allows pushes of others than meshroll") as string,
    command: "meshroll doctor --only github",
  });
  expect([listMovedPaths(flow), (await flow.ledger())?.sequence]).toEqual([[], 1]);
  github.setLedgerRules(closed);
  await flow.untilRunsEnd(1);
  expect([countOn(flow, "new"), await findWait(flow)]).toEqual([6, undefined]);
  await flow.end();
});

test("removing a rule stops further moves; rollback --now works, and is recorded afterwards", async () => {
  const { flow, github } = await openHub(closed);
  const id = flow.whenMerged(file(50)).slice(0, 12);
  await flow.untilRunsEnd(1);
  const moved = countOn(flow, "new");
  github.setLedgerRules(open);
  await flow.killPlanner();
  flow.whenMerged(file(100));
  flow.startPlanner();
  await flow.pass(5 * minute);
  expect([countOn(flow, "new"), (await findWait(flow))?.scope]).toEqual([moved, "all"]);
  await flow.whenAsked({ verb: "rollback", scope: `run/${id}`, now: true });
  await flow.until("all are back", () => countOn(flow, "old") === 6, 5 * minute);
  github.setLedgerRules(closed);
  await flow.until("it is recorded", async () =>
    Object.values((await flow.ledger())?.stops ?? {}).some(({ revertTo }) => revertTo !== undefined),
  );
  await flow.end();
});

test("a planner that starts while GitHub is down continues if its predecessor had read that the branch is protected", async () => {
  const { flow, github } = await openHub(closed);
  await flow.killPlanner();
  github.setUnavailable(true);
  await flow.startPlanner().pass(30_000);
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  expect([countOn(flow, "new"), await findWait(flow)]).toEqual([6, undefined]);
  await flow.end();
});
