import { describeBus } from "#conformance/bus";
import { BusRefused, openBus, probeBus } from "#libs/bus";
import { jetstreamManager } from "@nats-io/jetstream";
import { testInstallation } from "#libs/input";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { startWithoutJetStream } from "./no-jetstream.ts";
import { useRealBus, watchControl } from "./real-bus.ts";
import { waitOptions } from "./wait-options.ts";

const { server, withServer, makeFresh, open, makeBench } = useRealBus();

describeBus("the bus over NATS", makeBench);

describe("a connection to NATS", () => {
  it("to a server that cannot serve us is refused with the fix, also for a client that keeps trying", async () => {
    const opened = openBus({
      installation: testInstallation,
      url: await startWithoutJetStream(),
      name: "test",
      patient: true,
    });
    await expect(opened).rejects.toThrow(BusRefused);
    await expect(opened).rejects.toThrow("nats-server -js");
  });
});

describe("a bucket that another client changes", () => {
  it("deleted: the watch starts over and the next write creates it again", async () => {
    await makeFresh();
    const bus = await open();
    await bus.bucket("control").put("state", "x");
    const calls = await watchControl(bus);
    await withServer(async (nc) =>
      (await jetstreamManager(nc, { checkAPI: false })).streams.delete("KV_control-testmeshroll"),
    );
    await vi.waitFor(() => expect(calls).toEqual(["state=x", "ready", "reset", "ready"]), waitOptions);
    await bus.bucket("control").put("state", "y");
    await vi.waitFor(() => expect(calls.at(-1)).toBe("state=y"), waitOptions);
  });

  it("emptied: its owner sees in the list of keys that all are gone, and watchers get what it writes again", async () => {
    await makeFresh();
    const bus = await open();
    await bus.bucket("control").put("state", "x");
    const calls = await watchControl(bus);
    await withServer(async (nc) =>
      (await jetstreamManager(nc, { checkAPI: false })).streams.purge("KV_control-testmeshroll"),
    );
    expect(await bus.bucket("control").keys(">")).toEqual(new Set());
    await bus.bucket("control").put("state", "x", 0);
    await vi.waitFor(() => expect(calls).toEqual(["state=x", "ready", "state=x"]), waitOptions);
  });
});

describe("what the server stores", () => {
  it("seven days of the stream, and one revision of each key in buckets", async () => {
    await makeFresh();
    const bus = await open();
    await bus.publish("meshroll.v1.x", "");
    await bus.bucket("inventory").put("east.a", "x");
    const [stream, bucket] = await withServer(async (nc) => {
      const { streams } = await jetstreamManager(nc);
      return [
        (await streams.info("MESHROLL-testmeshroll")).config,
        (await streams.info("KV_inventory-testmeshroll")).config,
      ];
    });
    expect(stream).toMatchObject({
      subjects: ["meshroll.testmeshroll.v1.>"],
      max_age: 7 * 24 * 3600 * 1e9,
      storage: "file",
    });
    expect(bucket).toMatchObject({ max_msgs_per_subject: 1, storage: "file" });
  });

  it("20,000 keys are replayed in order before the watch is ready", async () => {
    await makeFresh();
    const bus = await open();
    const inventory = bus.bucket("inventory");
    for (let start = 0; start < 20_000; start += 500) {
      await Promise.all(Array.from({ length: 500 }, async (_, index) => inventory.put(`east.n-${start + index}`, "x")));
    }
    let [count, atReady] = [0, 0];
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const watcher = { onEntry: () => void count++, onReady: () => void (atReady = count), onReset: () => undefined };
    await inventory.watch(">", watcher, stop.signal);
    expect(atReady).toBe(20_000);
    expect((await inventory.keys("east.*")).size).toBe(20_000);
  });

  it("the server reports its version", async () => {
    await server().start();
    expect(await probeBus(server().url)).toMatchObject({ hasJetStream: true });
  });
});
