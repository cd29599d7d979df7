import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { describeQueue, type TestJob } from "#conformance/queue";
import { testInstallation } from "#libs/input";
import { type HeldBatch, openQueue, probeQueue, QueueUnavailable, serveBatches } from "#libs/queue";
import { Redis } from "ioredis";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";

import { useOwnBroker } from "./own-broker.ts";

// Everything runs with the logins of the services, so that their rights are enough for all that BullMQ does.
const other = "othermeshrol";
const server = useOwnBroker("redis", ["east", "west", "killed", "frozen", "closed"], other);
const [hub, hands] = [() => server().urlOf("planner"), () => server().urlOf("executor")];
const seen = { timeout: 15_000, interval: 20 };

/** A second look at the server, without our own code. */
async function withServer<T>(inspect: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(server().url);
  try {
    return await inspect(redis);
  } finally {
    redis.disconnect();
  }
}

const flush = async () => void (await withServer(async (redis) => redis.flushall()));

async function makeFresh(): Promise<void> {
  await server().start();
  await flush();
}

async function limitMemory(bytes: string): Promise<void> {
  await withServer(async (redis) => redis.config("SET", "maxmemory", bytes));
}

describeQueue("the queue over BullMQ", async () => {
  await makeFresh();
  return {
    open: () => openQueue<TestJob>({ installation: testInstallation, url: hub() }),
    openOther: () => openQueue<TestJob>({ installation: other, url: server().urlOf(`planner-of-${other}`) }),
    serve: serveBatches<TestJob>({ installation: testInstallation, url: hands() }),
    breakOff: async () => server().kill(),
    fix: async () => server().start(),
    fill: async () => limitMemory("1"),
    makeRoom: async () => limitMemory("0"),
    flush,
  };
});

type AtEnd = (close: () => Promise<void> | void) => void;

function openFor(atEnd: AtEnd = onTestFinished) {
  const queue = openQueue<TestJob>({ installation: testInstallation, url: hub() });
  atEnd(async () => queue.close());
  return queue;
}

/** A worker in this process; its batches wait for their signal. */
function serveHere(cluster: string, atEnd: AtEnd = onTestFinished): readonly HeldBatch<TestJob>[] {
  const given: HeldBatch<TestJob>[] = [];
  const worker = serveBatches<TestJob>({ installation: testInstallation, url: hands() })(cluster, async (held) => {
    given.push(held);
    await new Promise((resolve) => held.signal.addEventListener("abort", resolve));
  });
  atEnd(async () => worker.close());
  return given;
}

/** A worker process of its own; resolves when it has a batch. */
async function serveElsewhere(cluster: string, atEnd: AtEnd) {
  const script = fileURLToPath(new URL("fleet/serve-one.ts", import.meta.url));
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script, hands(), cluster]);
  atEnd(() => void child.kill("SIGKILL"));
  let said = "";
  child.stdout.on("data", (data: Buffer) => (said += data.toString()));
  child.stderr.on("data", (data: Buffer) => (said += data.toString()));
  await vi.waitFor(() => expect(said).toContain("\n"), seen);
  return { child, said: () => said };
}

// Each has a cluster of its own, so that they wait for their locks at the same time.
describe.concurrent("a worker process", () => {
  beforeAll(makeFresh);

  it("that is killed by -9 loses its batch to another one within 10 s", async ({ onTestFinished: atEnd }) => {
    const queue = openFor(atEnd);
    await queue.put("killed", { run: "one" });
    const { child } = await serveElsewhere("killed", atEnd);
    const given = serveHere("killed", atEnd);
    child.kill("SIGKILL");
    const killedAt = performance.now();
    await vi.waitFor(() => expect(given).toHaveLength(1), seen);
    expect(performance.now() - killedAt).toBeLessThan(10_000);
    expect(given[0]?.holdsLock()).toBe(true);
    expect((await queue.inspect("killed"))?.state).toBe("active");
  });

  it("that is frozen past its lock writes nothing when it wakes", async ({ onTestFinished: atEnd }) => {
    const queue = openFor(atEnd);
    await queue.put("frozen", { run: "one" });
    const { child, said } = await serveElsewhere("frozen", atEnd);
    const given = serveHere("frozen", atEnd);
    child.kill("SIGSTOP");
    await vi.waitFor(() => expect(given).toHaveLength(1), seen);
    child.kill("SIGCONT");
    child.kill("SIGTERM");
    await once(child, "exit");
    expect(said().split("\n")).toEqual(expect.arrayContaining(["one", "closed"]));
    expect(given[0]?.holdsLock()).toBe(true);
    expect(await queue.inspect("frozen")).toEqual({ job: { run: "one" }, id: expect.any(String), state: "active" });
  });

  it("ends when it is closed: nothing keeps it", async ({ onTestFinished: atEnd }) => {
    const queue = openFor(atEnd);
    await queue.put("closed", { run: "one" });
    const { child, said } = await serveElsewhere("closed", atEnd);
    child.kill("SIGTERM");
    const [code] = (await once(child, "exit")) as [number | null];
    expect({ code, said: said() }).toEqual({ code: 0, said: "one\nclosed\n" });
    expect((await queue.inspect("closed"))?.state).toBe("waiting");
  });
});

it("forty clusters share one connection, and Node warns of no leak", async () => {
  await makeFresh();
  const warnings: string[] = [];
  const note = ({ message }: Error): void => void warnings.push(message);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  const queue = openFor();
  // All of them while it is only being opened: the planner's first reconcile.
  await Promise.all(Array.from({ length: 40 }, async (_, index) => queue.inspect(`many-${index}`)));
  expect(warnings).toEqual([]);
});

describe("a Redis that goes away while a batch is held", () => {
  it("for longer than the lock: the batch must stop, and is carried out again by itself", async () => {
    await makeFresh();
    const queue = openFor();
    const given = serveHere("east");
    await queue.put("east", { run: "one" });
    await vi.waitFor(() => expect(given).toHaveLength(1), seen);
    await server().kill();
    await vi.waitFor(() => expect(given[0]?.signal.aborted).toBe(true), seen);
    await server().start();
    await vi.waitFor(() => expect(given).toHaveLength(2), seen);
    expect(given[1]?.holdsLock()).toBe(true);
    await vi.waitFor(async () => expect((await queue.inspect("east"))?.state).toBe("active"), seen);
  });

  it("for a moment: nothing happens to the batch", async () => {
    await makeFresh();
    const queue = openFor();
    const given = serveHere("east");
    await queue.put("east", { run: "one" });
    await vi.waitFor(() => expect(given).toHaveLength(1), seen);
    await server().kill();
    await server().start();
    await vi.waitFor(async () => expect((await queue.inspect("east"))?.state).toBe("active"), seen);
    expect(given[0]?.holdsLock()).toBe(true);
    expect(given[0]?.signal.aborted).toBe(false);
  });

  it("and returns without its data: the batch must stop, and the next one is taken", async () => {
    await makeFresh();
    const queue = openFor();
    const given = serveHere("east");
    await queue.put("east", { run: "one" });
    await vi.waitFor(() => expect(given).toHaveLength(1), seen);
    await server().kill();
    server().wipe();
    await server().start();
    await vi.waitFor(() => expect(given[0]?.signal.aborted).toBe(true), seen);
    await vi.waitFor(async () => expect(await queue.put("east", { run: "two" })).toBe("added"), seen);
    await vi.waitFor(() => expect(given.map(({ job }) => job.run)).toEqual(["one", "two"]), seen);
  });
});

describe("what lies in Redis", () => {
  it("a job that stands in no list does not block its cluster", async () => {
    await makeFresh();
    const queue = openFor();
    await queue.put("east", { run: "one" });
    await withServer(async (redis) => redis.del("bull:meshroll-testmeshroll-east:wait"));
    expect(await queue.inspect("east")).toBeUndefined();
    expect(await queue.put("east", { run: "two" })).toBe("added");
    expect((await queue.inspect("east"))?.job).toEqual({ run: "two" });
  });

  it("a hundred batches leave nothing behind that grows", async () => {
    await makeFresh();
    const queue = openFor();
    let done = 0;
    const worker = serveBatches<TestJob>({ installation: testInstallation, url: hands() })(
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

  it("the server says what it is, and a missing one is told without who logs in", async () => {
    await server().start();
    expect(await probeQueue(server().url)).toMatchObject({ evictionPolicy: "noeviction", isAppendOnly: true });
    const missing = probeQueue("redis://me:hunter2@127.0.0.1:1");
    await expect(missing).rejects.toThrow(QueueUnavailable);
    await expect(missing).rejects.not.toThrow("hunter2");
  });
});
