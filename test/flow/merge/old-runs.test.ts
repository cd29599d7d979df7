import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, openShop, refOf, running } from "../shop.ts";

/** Nine more runs after the first, each one percent more; resolves when all are over. */
async function runNineMore(flow: FleetFlow, from: number): Promise<void> {
  for (let more = 1; more <= 9; more += 1) flow.whenMerged(file(from + more));
  await flow.untilRunsEnd(10);
}

const names = ["a", "b", "c", "d"];

test("2.4 rollback --now of the tenth newest run is carried out at once, also while the ledger takes no push", async () => {
  const flow = await openShop({ names });
  const id = flow.whenMerged(file(91)).slice(0, 12);
  await runNineMore(flow, 91);
  const before = countOn(flow, "new", names);

  flow.pushesRefused = "the server says no";
  await flow.whenAsked({ verb: "rollback", scope: `run/${id}`, now: true });
  await flow.until("all are back", () => countOn(flow, "old", names) === 4, 300_000);

  expect(before).toBe(4);
  expect((await flow.status())?.waiting.map(({ code }) => code)).toContain("LedgerDown");
  // The rollback is recorded as soon as the ledger takes a push.
  flow.pushesRefused = undefined;
  await flow.pass(120_000);
  await flow.end();
});

test("3.3 retry opens the tenth newest run again", async () => {
  const flow = await openShop({ names });
  const fix = flow.model("one").breakWorkload(refOf("a"), { how: "neverReady", whenRevision: "new" });
  const id = flow.whenMerged(file(91)).slice(0, 12);
  await flow.until("its failure stops it", async () => Object.values((await flow.ledger())?.stops ?? {}).length > 0);
  await flow.whenAsked({ verb: "resume", scope: `run/${id}` });
  await flow.untilRunsEnd(1);
  await runNineMore(flow, 91);
  const before = running(flow, refOf("a"));

  fix();
  await flow.whenAsked({ verb: "retry", scope: `run/${id}` });
  await flow.until("it runs what main asks for", () => countOn(flow, "new", names) === 4, 300_000);

  expect(before).toEqual(["old"]);
  await flow.end();
});
