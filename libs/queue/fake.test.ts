import { type Bench as QueueBench, describeQueue, describeQueueFaults, type TestJob } from "#conformance/queue";
import { createFakeQueueServer, openFakeQueue, serveFakeBatches } from "#fakes/queue";
import { createVirtualClock } from "#fakes/runtime";
import type { HeldBatch } from "#libs/queue";
import { systemClock } from "#libs/runtime";
import { describe, expect, it } from "vitest";

async function makeServer(): Promise<QueueBench> {
  const server = createFakeQueueServer(systemClock());
  return {
    open: () => openFakeQueue<TestJob>(server),
    openOther: () => openFakeQueue<TestJob>(server, "othermeshrol"),
    serve: serveFakeBatches<TestJob>(server),
    breakOff: async () => server.disconnect(),
    fix: async () => server.connect(),
    fill: async () => server.fill(),
    makeRoom: async () => server.makeRoom(),
    flush: async () => server.flush(),
  };
}

describeQueue("the queue in memory", makeServer);
describeQueueFaults("the queue in memory", makeServer);

/** A server on a virtual clock with one batch, and workers whose handlers never end by themselves. */
async function handOutOne() {
  const clock = createVirtualClock();
  const server = createFakeQueueServer(clock);
  const queue = openFakeQueue<TestJob>(server);
  const serve = serveFakeBatches<TestJob>(server);
  const given: HeldBatch<TestJob>[] = [];
  const startWorker = () =>
    serve("east", async (held) => {
      given.push(held);
      await new Promise((resolve) => held.signal.addEventListener("abort", resolve));
    });
  startWorker();
  await queue.put("east", { run: "one" });
  await clock.settle();
  return { clock, server, queue, given, startWorker };
}

describe("locks of the queue in memory, on virtual time", () => {
  it("are renewed as long as the handler runs", async () => {
    const { clock, given } = await handOutOne();
    await clock.advance(3_600_000);
    expect(given).toHaveLength(1);
    expect(given[0]?.holdsLock()).toBe(true);
  });

  it("a killed worker's batch goes to another one after the lock and a stalled check, not before", async () => {
    const { clock, server, given, startWorker } = await handOutOne();
    server.kill("east");
    startWorker();
    await clock.advance(4_900);
    expect(given).toHaveLength(1);
    expect(given[0]?.holdsLock()).toBe(false);
    await clock.advance(2_200);
    expect(given).toHaveLength(2);
    expect(given[1]?.holdsLock()).toBe(true);
  });

  it("a worker that is cut off stops before another one starts", async () => {
    const { clock, server, given, startWorker } = await handOutOne();
    server.cutOff("east");
    startWorker();
    await clock.advance(3_000);
    expect(given[0]?.holdsLock()).toBe(true);
    await clock.advance(1_500);
    expect(given[0]?.holdsLock()).toBe(false);
    expect(given[0]?.signal.aborted).toBe(true);
    expect(given).toHaveLength(1);
    await clock.advance(3_000);
    expect(given).toHaveLength(2);
  });

  it("a worker that is cut off for a moment continues", async () => {
    const { clock, server, given } = await handOutOne();
    server.cutOff("east");
    await clock.advance(2_500);
    server.reconnect("east");
    await clock.advance(60_000);
    expect(given).toHaveLength(1);
    expect(given[0]?.holdsLock()).toBe(true);
  });

  it("no worker takes over when there is none", async () => {
    const { clock, server, queue, given, startWorker } = await handOutOne();
    server.kill("east");
    await clock.advance(60_000);
    expect((await queue.inspect("east"))?.state).toBe("active");
    startWorker();
    await clock.advance(2_000);
    expect(given).toHaveLength(2);
  });
});
