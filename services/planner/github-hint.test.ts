import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createFakeRemote, openFakeRepository } from "#fakes/git";
import { createFakeQueueServer, openFakeQueue } from "#fakes/queue";
import { createVirtualClock } from "#fakes/runtime";
import { type BatchJob, makeEvent, nameSubject } from "#libs/events";
import { testInstallation } from "#libs/input";
import { createLogger } from "#libs/runtime";
import { expect, onTestFinished, test } from "vitest";

import { runPlanner } from "./service.ts";

/** A planner that polls once an hour, and counts of its fetches and reconciles. */
async function startPlanner() {
  const clock = createVirtualClock();
  const busServer = createFakeBusServer();
  const bus = openFakeBus(busServer);
  const remote = createFakeRemote();
  remote.commitToMain({
    files: { "rollouts.yml": "production:\n  old: 100\n" },
    message: "first",
    author: "ana",
    at: 0,
  });
  const repository = openFakeRepository(remote);
  const seen = { fetches: 0, reconciles: 0 };
  const parts = {
    repository: {
      ...repository,
      fetch: async (signal?: AbortSignal) => {
        seen.fetches += 1;
        return repository.fetch(signal);
      },
    },
    installation: testInstallation,
    holder: { place: "here", id: "1" },
    bus,
    queue: openFakeQueue<BatchJob>(createFakeQueueServer(clock)),
    clock,
    log: createLogger("planner", [], "silent"),
    gitPollMs: 3_600_000,
    onReconcile: () => void (seen.reconciles += 1),
  };
  const stop = new AbortController();
  const done = runPlanner(parts, stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await clock.advance(5_000);
    await done;
  });
  await clock.advance(5_000);
  let count = 0;
  const hint = async (body?: string): Promise<void> => {
    count += 1;
    const event = makeEvent("githubHint", `hint-${count}`, clock.now(), { main: true, pulls: false });
    await bus.publish(nameSubject(event), body ?? JSON.stringify(event));
  };
  return { clock, seen, hint };
}

test("a hint makes the planner fetch at once; without one it waits for its poll", async () => {
  const { clock, seen, hint } = await startPlanner();
  await clock.advance(600_000);
  expect(seen.fetches).toBe(1);
  expect(seen.reconciles).toBeGreaterThan(500);
  await hint();
  await clock.advance(1);
  await clock.advance(200);
  expect(seen.fetches).toBe(2);
});

test("a flood of hints and invalid messages costs at most two fetches a second", async () => {
  const { clock, seen, hint } = await startPlanner();
  await clock.advance(10_000);
  const before = seen.fetches;
  for (let tick = 0; tick < 100; tick += 1) {
    await hint(tick % 2 === 0 ? undefined : "{ torn");
    await hint();
    await clock.advance(100);
  }
  expect(seen.fetches - before).toBeGreaterThan(5);
  expect(seen.fetches - before).toBeLessThanOrEqual(21);
});

test("a hint that comes while main is fetched is not lost", async () => {
  const { clock, seen, hint } = await startPlanner();
  await clock.advance(10_000);
  const before = seen.fetches;
  await hint();
  await clock.advance(150);
  await hint();
  await clock.advance(2_000);
  expect(seen.fetches - before).toBe(2);
});
