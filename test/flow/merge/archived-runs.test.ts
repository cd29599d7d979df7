import { openFakeRepository } from "#fakes/git";
import { openLedger } from "#libs/ledger";
import type { LedgerState } from "#libs/plan";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, openShop, refOf, running } from "../shop.ts";

/** Plays 40 more runs, each for a bucket without namespaces, so that the first run is archived. */
async function runManyMore(flow: FleetFlow, percent: number): Promise<void> {
  for (let more = 1; more <= 40; more += 1) {
    flow.whenMerged(`${file(percent)}"nowhere-.*":\n  old: ${100 - more}\n  new: ${more}\n`);
  }
  await flow.untilRunsEnd(41);
  await flow.pass(5000);
}

/** The ledger as a process reads it that needs nothing of the archive. */
async function readLive(flow: FleetFlow): Promise<LedgerState> {
  const repository = openFakeRepository(flow.remote);
  const { ledger = "" } = await repository.fetch();
  return openLedger(repository).load(ledger);
}

const names = ["a", "b", "c", "d"];

test("2.4 rollback --now of a run in the archive is carried out at once, also while the ledger takes no push", async () => {
  const flow = await openShop({ names });
  const id = flow.whenMerged(file(100)).slice(0, 12);
  await flow.untilRunsEnd(1);
  await runManyMore(flow, 100);
  const live = await readLive(flow);
  const before = countOn(flow, "new", names);

  flow.pushesRefused = "the server says no";
  await flow.whenAsked({ verb: "rollback", scope: `run/${id}`, now: true });
  await flow.until("all are back", () => countOn(flow, "old", names) === 4, 300_000);
  flow.pushesRefused = undefined;
  await flow.until("it is recorded", async () => Object.keys((await readLive(flow)).stops).length > 0, 300_000);
  const after = await readLive(flow);

  expect(before).toBe(4);
  expect(live.runs[id]).toMatchObject({ archived: "facts", clusters: {}, counts: { migrated: 4, skipped: 0 } });
  // The rolled-back run is a live record again, with everything that was recorded of it.
  expect(after.runs[id]).toMatchObject({ clusters: { one: { uid: expect.any(String) } }, outcome: { migrated: 4 } });
  expect(after.runs[id]?.archived).toBeUndefined();
  await flow.end();
});

test("3.3 retry opens an archived run again, with the failures that a person accepted by a resume", async () => {
  const flow = await openShop({ names });
  const fix = flow.model("one").breakWorkload(refOf("a"), { how: "neverReady", whenRevision: "new" });
  const id = flow.whenMerged(file(100)).slice(0, 12);
  await flow.until("its failure stops it", async () => Object.values((await flow.ledger())?.stops ?? {}).length > 0);
  await flow.whenAsked({ verb: "resume", scope: `run/${id}` });
  await flow.untilRunsEnd(1);
  await runManyMore(flow, 100);
  const live = await readLive(flow);
  const before = running(flow, refOf("a"));

  fix();
  await flow.whenAsked({ verb: "retry", scope: `run/${id}` });
  await flow.until("it runs what main asks for", () => countOn(flow, "new", names) === 4, 300_000);
  await flow.untilRunsEnd(41);
  const after = await readLive(flow);

  expect(before).toEqual(["old"]);
  expect([live.runs[id]?.archived, live.stops[`failures-${id}-1`]?.archived]).toEqual(["facts", "facts"]);
  expect(after.runs[id]).toMatchObject({ retried: { "one:shop-a/Deployment/web": 1 }, state: "done" });
  expect(after.stops[`failures-${id}-1`]?.failures).toEqual(["one:shop-a/Deployment/web"]);
  await flow.end();
});

test("8.1 a retry of a run whose archived record is corrupt is answered, and everything else continues", async () => {
  const flow = await openShop({ names });
  const id = flow.whenMerged(file(50)).slice(0, 12);
  await flow.untilRunsEnd(1);
  await runManyMore(flow, 50);
  const live = await readLive(flow);
  const day = live.runs[id]?.startedAt.slice(0, 10).replace(/-(?=\d\d$)/u, "/") ?? "";
  flow.remote.commitTo("meshroll/ledger", { files: { [`archive/runs/${day}/${id}.json`]: "{}" } });
  await flow.pass(30_000);

  await flow.whenAsked({ verb: "retry", scope: `run/${id}` });
  await flow.until("it is answered", async () => Object.keys((await readLive(flow)).requests).length > 0, 300_000);
  const [answered] = Object.values((await readLive(flow)).requests);
  flow.whenMerged(file(100));
  await flow.until("the next merge moves them", () => countOn(flow, "new", names) === 4, 300_000);

  expect(answered?.answer).toMatch(
    /^nothing to retry: the record of run\/[0-9a-f]{12} in the archive .* cannot be read$/u,
  );
  await flow.end([/^evidenceIsWhole: .*the ledger has this run, and the git server never saw its commit/]);
});
