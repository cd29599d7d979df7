import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { describeQueueFaults } from "#conformance/queue";
import { beforeAll, describe, expect, it, vi } from "vitest";

import { type AtEnd, useRealQueue } from "./real-queue.ts";
import { waitOptions } from "./wait-options.ts";

const { server, executor, makeFresh, makeBench, openFor, serveHere } = useRealQueue();

describeQueueFaults("the queue over BullMQ", makeBench);

/** A worker process of its own; resolves when it has a batch. */
async function serveElsewhere(cluster: string, atEnd: AtEnd) {
  const script = fileURLToPath(new URL("fleet/serve-one.ts", import.meta.url));
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script, executor(), cluster]);
  atEnd(() => void child.kill("SIGKILL"));
  let said = "";
  child.stdout.on("data", (data: Buffer) => (said += data.toString()));
  child.stderr.on("data", (data: Buffer) => (said += data.toString()));
  await vi.waitFor(() => expect(said).toContain("\n"), waitOptions);
  return { child, said: () => said };
}

// Each has a cluster of its own, so that they can wait for their locks at the same time.
describe.concurrent("a worker process", () => {
  beforeAll(makeFresh);

  it("that is killed by -9 loses its batch to another one within 10 s", async ({ onTestFinished: atEnd }) => {
    const queue = openFor(atEnd);
    await queue.put("killed", { run: "one" });
    const { child } = await serveElsewhere("killed", atEnd);
    const given = serveHere("killed", atEnd);
    child.kill("SIGKILL");
    const killedAt = performance.now();
    await vi.waitFor(() => expect(given).toHaveLength(1), waitOptions);
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
    await vi.waitFor(() => expect(given).toHaveLength(1), waitOptions);
    child.kill("SIGCONT");
    child.kill("SIGTERM");
    await once(child, "exit");
    expect(said().split("\n")).toEqual(expect.arrayContaining(["one", "closed"]));
    expect(given[0]?.holdsLock()).toBe(true);
    expect(await queue.inspect("frozen")).toEqual({ job: { run: "one" }, state: "active" });
  });

  it("ends when it is closed: nothing keeps it running", async ({ onTestFinished: atEnd }) => {
    const queue = openFor(atEnd);
    await queue.put("closed", { run: "one" });
    const { child, said } = await serveElsewhere("closed", atEnd);
    child.kill("SIGTERM");
    const [code] = (await once(child, "exit")) as [number | null];
    expect({ code, said: said() }).toEqual({ code: 0, said: "one\nclosed\n" });
    expect((await queue.inspect("closed"))?.state).toBe("waiting");
  });
});

describe("a Redis that goes down while a batch is held", () => {
  it("for longer than the lock: the batch must stop, and is executed again without help", async () => {
    await makeFresh();
    const queue = openFor();
    const given = serveHere("east");
    await queue.put("east", { run: "one" });
    await vi.waitFor(() => expect(given).toHaveLength(1), waitOptions);
    await server().kill();
    await vi.waitFor(() => expect(given[0]?.signal.aborted).toBe(true), waitOptions);
    await server().start();
    await vi.waitFor(() => expect(given).toHaveLength(2), waitOptions);
    expect(given[1]?.holdsLock()).toBe(true);
    await vi.waitFor(async () => expect((await queue.inspect("east"))?.state).toBe("active"), waitOptions);
  });

  it("for a moment: nothing happens to the batch", async () => {
    await makeFresh();
    const queue = openFor();
    const given = serveHere("east");
    await queue.put("east", { run: "one" });
    await vi.waitFor(() => expect(given).toHaveLength(1), waitOptions);
    await server().kill();
    await server().start();
    await vi.waitFor(async () => expect((await queue.inspect("east"))?.state).toBe("active"), waitOptions);
    expect(given[0]?.holdsLock()).toBe(true);
    expect(given[0]?.signal.aborted).toBe(false);
  });

  it("and comes back without its data: the batch must stop, and the next one is taken", async () => {
    await makeFresh();
    const queue = openFor();
    const given = serveHere("east");
    await queue.put("east", { run: "one" });
    await vi.waitFor(() => expect(given).toHaveLength(1), waitOptions);
    await server().kill();
    server().wipe();
    await server().start();
    await vi.waitFor(() => expect(given[0]?.signal.aborted).toBe(true), waitOptions);
    await vi.waitFor(async () => expect(await queue.put("east", { run: "two" })).toBe("added"), waitOptions);
    await vi.waitFor(() => expect(given.map(({ job }) => job.run)).toEqual(["one", "two"]), waitOptions);
  });
});
