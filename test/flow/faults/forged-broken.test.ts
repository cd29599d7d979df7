import { openFakeBus } from "#fakes/bus";
import { openFakeQueue } from "#fakes/queue";
import { type BatchJob, nameBrokenKey, printBrokenBatches } from "#libs/events";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, openShop, refOf, settingsOf } from "../shop.ts";

const names = Array.from({ length: 16 }, (_, at) => `w${at}`);
const minute = 60_000;

/** As who may write KV `status` and read the queue: all of the rollback broke a million times, the batch in the queue with them. */
async function forge(flow: FleetFlow, run: string, last: string | undefined): Promise<void> {
  const workloads = names.map((name) => `${refOf(name).namespace}/Deployment/web`);
  const until = new Date(flow.clock.now() + 365 * 24 * 60 * minute).toISOString();
  const record = { run, times: 1_000_000, reason: "the API server is tired", workloads, until };
  const text = printBrokenBatches({ ...record, ...(last === undefined ? {} : { last }) });
  await openFakeBus(flow.bus).bucket("status").put(nameBrokenKey("one"), text);
}

/** Codes of the waits that say when they end. */
async function listTimed(flow: FleetFlow): Promise<readonly string[]> {
  const waits = (await flow.status())?.waitingFor ?? [];
  return waits.filter(({ until }) => until !== undefined).map(({ code }) => code);
}

/** All run `new`, and main rolls back; the record is forged before the planner starts, and then each second. */
async function rollBackForged(isForged: boolean) {
  const flow = await openShop({ names, settings: settingsOf("batchSize: 2"), readyMs: 1000 });
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  const [queue, began] = [openFakeQueue<BatchJob>(flow.queue), flow.clock.now()];
  await flow.killPlanner();
  const run = flow.whenMerged(file(0)).slice(0, 12);
  if (isForged) await forge(flow, run, undefined);
  flow.startPlanner();
  let last: string | undefined;
  const named = new Set<string>();
  const isBack = (): boolean => countOn(flow, "old", names) === names.length;
  while (!isBack() && flow.clock.now() - began < 600 * minute) {
    await flow.pass(1000);
    last = (await queue.inspect("one"))?.id ?? last;
    if (isForged) await forge(flow, run, last);
    for (const code of await listTimed(flow)) named.add(code);
  }
  const tookMs = flow.clock.now() - began;
  await flow.untilRunsEnd(2);
  await flow.end();
  return { tookMs, named: [...named] };
}

test("2.3 who forges what broke in a rollback holds it for 20 minutes in all, by name, and no longer", async () => {
  const free = await rollBackForged(false);
  const forged = await rollBackForged(true);

  expect(forged.named).toContain("JobFailed");
  expect(forged.tookMs - free.tookMs).toBeGreaterThan(4 * minute);
  expect(forged.tookMs - free.tookMs).toBeLessThanOrEqual(21 * minute);
});
