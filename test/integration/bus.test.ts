import { describeBus } from "#conformance/bus";
import { type Bus, BusRefused, BusUnavailable, openBus, probeBus } from "#libs/bus";
import { JetStreamApiError, jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { testInstallation } from "#libs/input";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { startWithoutJetStream } from "./no-jetstream.ts";
import { useOwnBroker } from "./own-broker.ts";

const other = "othermeshrol";
const server = useOwnBroker("nats", [], other);
const streamNotFound = 10059;
const seen = { timeout: 10_000, interval: 20 };

/** A second look at the server, without our own code. */
async function withServer<T>(reconcile: (nc: NatsConnection) => Promise<T>, login = "operator"): Promise<T> {
  const { host, username: user, password: pass } = new URL(server().urlOf(login));
  const nc = await connect({ servers: host, user, pass, inboxPrefix: `_INBOX_${user}` });
  try {
    return await reconcile(nc);
  } finally {
    await nc.close();
  }
}

async function deleteOf(installation: string, nc: NatsConnection): Promise<void> {
  const jsm = await jetstreamManager(nc, { checkAPI: false });
  // Each lies in an account of its own: no list names them all.
  for (const name of ["MESHROLL", "KV_control", "KV_status", "KV_inventory"]) {
    await jsm.streams.delete(`${name}-${installation}`).catch((error: unknown) => {
      if (!(error instanceof JetStreamApiError) || error.code !== streamNotFound) throw error;
    });
  }
}

async function deleteAll(): Promise<void> {
  await withServer(async (nc) => deleteOf(testInstallation, nc));
  await withServer(async (nc) => deleteOf(other, nc), `operator-of-${other}`);
}

async function makeFresh(): Promise<void> {
  await server().start();
  await deleteAll();
}

async function open(options: { readonly patient?: boolean } = {}): Promise<Bus> {
  const bus = await openBus({ installation: testInstallation, url: server().url, name: "test", ...options });
  onTestFinished(async () => bus.close());
  return bus;
}

describeBus("the bus over NATS", async () => {
  await makeFresh();
  return {
    open: async () => openBus({ installation: testInstallation, url: server().url, name: "test" }),
    openOther: async () => openBus({ installation: other, url: server().urlOf(`operator-of-${other}`), name: "test" }),
    breakOff: async () => server().kill(),
    fix: async () => server().start(),
    wipe: deleteAll,
  };
});

/** What a watcher of `control` was reported. */
async function watchControl(bus: Bus): Promise<readonly string[]> {
  const told: string[] = [];
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const watcher = {
    onEntry: ({ key, value = "" }: { readonly key: string; readonly value?: string }) =>
      void told.push(`${key}=${value}`),
    onReady: () => void told.push("ready"),
    onReset: () => void told.push("reset"),
  };
  await bus.bucket("control").watch(">", watcher, stop.signal);
  return told;
}

describe("a NATS server that is killed", () => {
  it("and returns without its data: watches start over, writes create everything again", async () => {
    await makeFresh();
    const bus = await open();
    await bus.bucket("control").put("state", "old");
    const told = await watchControl(bus);
    await server().kill();
    server().wipe();
    await server().start();
    await vi.waitFor(() => expect(told).toEqual(["state=old", "ready", "reset", "ready"]), seen);
    await bus.publish("meshroll.v1.x", "1", "");
    expect(await bus.bucket("control").put("state", "new", 0)).toBe(true);
    await vi.waitFor(() => expect(told.at(-1)).toBe("state=new"), seen);
  });

  it("a message that is published meanwhile arrives, once", async () => {
    await makeFresh();
    const bus = await open();
    await bus.publish("meshroll.v1.x", "1", "");
    await server().kill();
    const published = bus.publish("meshroll.v1.x", "2", "");
    await server().start();
    await published;
    await bus.publish("meshroll.v1.x", "2", "");
    const count = await withServer(
      async (nc) =>
        (await (await jetstreamManager(nc, { checkAPI: false })).streams.info("MESHROLL-testmeshroll")).state.messages,
    );
    expect(count).toBe(2);
  });

  it("is waited for by a patient process, which then sees and hears everything", async () => {
    await makeFresh();
    await server().kill();
    const bus = await open({ patient: true });
    expect(bus.isConnected()).toBe(false);
    const told = await watchControl(bus);
    const heard: string[] = [];
    await bus.listen("meshroll.v1.>", (_, body) => heard.push(body), new AbortController().signal);
    await server().start();
    await bus.bucket("control").put("state", "x");
    await bus.publish("meshroll.v1.x", "1", "b");
    await vi.waitFor(
      () => expect({ told, heard }).toEqual({ told: expect.arrayContaining(["ready"]) as string[], heard: ["b"] }),
      seen,
    );
    await vi.waitFor(() => expect(told).toContain("state=x"), seen);
  });

  it("is reported at once to an impatient one, without who logs in", async () => {
    await server().kill();
    const url = `nats://me:hunter2@${new URL(server().url).host}`;
    const opened = openBus({ installation: testInstallation, url, name: "test" });
    await expect(opened).rejects.toThrow(BusUnavailable);
    await expect(opened).rejects.not.toThrow("hunter2");
    await expect(probeBus(url)).rejects.toThrow(BusUnavailable);
    await server().start();
  });
});

describe("what is said over the wire", () => {
  it("a server that cannot serve us is refused with what fixes it, also by a patient process", async () => {
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

describe("a bucket under our feet", () => {
  it("deleted by another client: the watch starts over and the next write creates it again", async () => {
    await makeFresh();
    const bus = await open();
    await bus.bucket("control").put("state", "x");
    const told = await watchControl(bus);
    await withServer(async (nc) =>
      (await jetstreamManager(nc, { checkAPI: false })).streams.delete("KV_control-testmeshroll"),
    );
    await vi.waitFor(() => expect(told).toEqual(["state=x", "ready", "reset", "ready"]), seen);
    await bus.bucket("control").put("state", "y");
    await vi.waitFor(() => expect(told.at(-1)).toBe("state=y"), seen);
  });

  it("emptied by another client: the watch starts over", async () => {
    await makeFresh();
    const bus = await open();
    await bus.bucket("control").put("state", "x");
    const told = await watchControl(bus);
    await withServer(async (nc) =>
      (await jetstreamManager(nc, { checkAPI: false })).streams.purge("KV_control-testmeshroll"),
    );
    await vi.waitFor(() => expect(told).toEqual(["state=x", "ready", "reset", "ready"]), seen);
  });
});

describe("what is kept on the server", () => {
  it("the stream has seven days, and buckets one revision of each key", async () => {
    await makeFresh();
    const bus = await open();
    await bus.publish("meshroll.v1.x", "1", "");
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

  it("20,000 keys are replayed in order to one ready", async () => {
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
  });

  it("the server says what it is", async () => {
    await server().start();
    expect(await probeBus(server().url)).toMatchObject({ hasJetStream: true });
  });
});
