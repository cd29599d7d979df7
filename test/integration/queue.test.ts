import { describeQueue, type TestJob } from "#conformance/queue";
import { testInstallation } from "#libs/input";
import { probeQueue, QueueUnavailable, serveBatches } from "#libs/queue";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { useRealQueue } from "./real-queue.ts";

const { server, executor, withServer, makeFresh, makeBench, openFor } = useRealQueue();

describeQueue("the queue over BullMQ", makeBench);

it("forty clusters share one connection without a leak warning by Node", async () => {
  await makeFresh();
  const warnings: string[] = [];
  const note = ({ message }: Error): void => void warnings.push(message);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  const queue = openFor();
  // All of them while the connection is being opened, as in the planner's first reconcile.
  await Promise.all(Array.from({ length: 40 }, async (_, index) => queue.inspect(`many-${index}`)));
  expect(warnings).toEqual([]);
});

describe("what is stored in Redis", () => {
  it("a job that is in no list does not block its cluster", async () => {
    await makeFresh();
    const queue = openFor();
    await queue.put("east", { run: "one" });
    await withServer(async (redis) => redis.del("bull:meshroll-testmeshroll-east:wait"));
    expect(await queue.inspect("east")).toBeUndefined();
    expect(await queue.put("east", { run: "two" })).toBe("added");
    expect((await queue.inspect("east"))?.job).toEqual({ run: "two" });
  });

  it("a hundred batches leave nothing that grows", async () => {
    await makeFresh();
    const queue = openFor();
    let done = 0;
    const worker = serveBatches<TestJob>({ installation: testInstallation, url: executor() })(
      "east",
      async () => void done++,
    );
    onTestFinished(async () => worker.close());
    for (let run = 1; run <= 100; run++) {
      await queue.put("east", { run: String(run) });
      await vi.waitFor(async () => expect(await queue.inspect("east")).toBeUndefined(), { interval: 2 });
    }
    expect(done).toBe(100);
    expect(await withServer(async (redis) => redis.dbsize())).toBeLessThan(8);
  });

  it("the server reports its version, and a missing one is reported without the login", async () => {
    await server().start();
    expect(await probeQueue(server().url)).toMatchObject({ evictionPolicy: "noeviction", isAppendOnly: true });
    const missing = probeQueue("redis://me:hunter2@127.0.0.1:1");
    await expect(missing).rejects.toThrow(QueueUnavailable);
    await expect(missing).rejects.not.toThrow("hunter2");
  });
});
