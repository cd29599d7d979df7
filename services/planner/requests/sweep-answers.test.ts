import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createVirtualClock } from "#fakes/runtime";
import { BusRefused, type KeyValue } from "#libs/bus";
import { createLogger } from "#libs/runtime";
import { expect, test } from "vitest";

import { createAnswerSweeper } from "./sweep-answers.ts";

const minute = 60_000;

function makeBench(limit: (bucket: KeyValue) => KeyValue = (bucket) => bucket) {
  const [clock, server] = [createVirtualClock(), createFakeBusServer()];
  const status = openFakeBus(server).bucket("status");
  const log = createLogger("test", [], "silent");
  const startSweeper = () => createAnswerSweeper(limit(status), clock, log);
  let sweep = startSweeper();
  const restart = (): void => void (sweep = startSweeper());
  /** What a planner does each minute: it writes its status, then sweeps. */
  const live = async (minutes: number): Promise<void> => {
    for (let passed = 0; passed < minutes; passed += 1) {
      await clock.advance(minute);
      await status.put("fleet", "{}");
      await sweep();
    }
  };
  const has = async (...ids: readonly string[]): Promise<readonly boolean[]> =>
    Promise.all(ids.map(async (id) => (await status.get(`answer.${id}`)) !== undefined));
  return { server, status, live, has, restart };
}

test("7.5 an answer is kept for at least ten and at most twenty minutes", async () => {
  const { status, live, has } = makeBench();
  await status.put("answer.old", "before this planner's time");
  await live(5);
  await status.put("answer.new", "stop v1 on all");
  await live(9);
  const during = await has("old", "new");
  await live(10);
  expect([during, await has("old", "new")]).toEqual([
    [false, true],
    [false, false],
  ]);
  expect((await status.get("fleet"))?.value).toBe("{}");
});

test("7.5 after a restart no answer is swept until the new planner has run for ten minutes", async () => {
  const { status, live, has, restart } = makeBench();
  await live(1);
  await status.put("answer.new", "stop v1 on all");
  await live(8);
  restart();
  await live(10);
  const during = await has("new");
  await live(1);
  expect([during, await has("new")]).toEqual([[true], [false]]);
});

test("7.5 answers that were given after a wipe of the bucket are not swept early", async () => {
  const { server, status, live, has } = makeBench();
  for (let count = 0; count < 100; count += 1) await status.put("fleet", "{}");
  await live(9);
  server.wipe();
  await status.put("answer.new", "stop v1 on all");
  await live(2);
  expect(await has("new")).toEqual([true]);
});

test("7.5 a bus that refuses the sweep does not fail the reconcile", async () => {
  const { status, live, has } = makeBench((bucket) => ({
    ...bucket,
    sweep: async () => Promise.reject(new BusRefused("permissions violation")),
  }));
  await status.put("answer.old", "stop v1 on all");
  await expect(live(30)).resolves.toBeUndefined();
  expect(await has("old")).toEqual([true]);
});
