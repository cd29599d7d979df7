import { type Bench as BusBench, describeBus, describeBusFaults } from "#conformance/bus";
import { createFakeBusServer, type Fate, openFakeBus } from "#fakes/bus";
import { describe, expect, it, vi } from "vitest";

async function makeServer(): Promise<BusBench> {
  const server = createFakeBusServer();
  return {
    open: async () => openFakeBus(server),
    openOther: async () => openFakeBus(server, "othermeshrol"),
    breakOff: async () => server.disconnect(),
    fix: async () => server.connect(),
    write: async (bucket, key, value) => server.write(bucket, key, value),
    wipe: async () => server.wipe(),
  };
}

describeBus("the bus in memory", makeServer);
describeBusFaults("the bus in memory", makeServer);

describe("faults of the bus in memory", () => {
  const cases: { readonly name: string; readonly fate: Fate; readonly want: readonly string[] }[] = [
    { name: "once", fate: "once", want: ["b"] },
    { name: "duplicated", fate: "twice", want: ["b", "b"] },
    { name: "lost", fate: "lost", want: [] },
  ];
  it.each(cases)("a message comes $name", async ({ fate, want }) => {
    const server = createFakeBusServer();
    const bus = openFakeBus(server);
    const heard: string[] = [];
    await bus.listen("meshroll.v1.>", (_, body) => heard.push(body), new AbortController().signal);
    server.disturb(() => fate);
    await bus.publish("meshroll.v1.x", "b");
    server.disturb(() => "once");
    await bus.publish("meshroll.v1.x", "end");
    await vi.waitFor(() => expect(heard).toEqual([...want, "end"]));
  });

  it("late messages come reversed", async () => {
    const server = createFakeBusServer();
    const bus = openFakeBus(server);
    const heard: string[] = [];
    await bus.listen("meshroll.v1.>", (_, body) => heard.push(body), new AbortController().signal);
    server.disturb(({ body }) => (body === "3" ? "once" : "late"));
    for (const body of ["1", "2", "3"]) await bus.publish("meshroll.v1.x", body);
    await vi.waitFor(() => expect(heard).toEqual(["3"]));
    server.deliverLate();
    await vi.waitFor(() => expect(heard).toEqual(["3", "2", "1"]));
  });

  it("the stream stores messages until it is wiped", async () => {
    const server = createFakeBusServer();
    await openFakeBus(server).publish("meshroll.v1.x", "1");
    expect(server.messages.map(({ body }) => body)).toEqual(["1"]);
    server.wipe();
    expect(server.messages).toEqual([]);
  });

  it("a purge removes keys from all buckets without notifying watches", async () => {
    const server = createFakeBusServer();
    const bucket = openFakeBus(server).bucket("status");
    const told: string[] = [];
    const watcher = {
      onEntry: () => told.push("entry"),
      onReady: () => told.push("ready"),
      onReset: () => told.push("reset"),
    };
    await bucket.watch(">", watcher, new AbortController().signal);
    for (const key of ["fleet", "told.1"]) await bucket.put(key, "x");
    server.purge("told.*");
    expect(await bucket.keys(">")).toEqual(new Set(["fleet"]));
    await vi.waitFor(() => expect(told).toEqual(["ready", "entry", "entry"]), { timeout: 20_000 });
  });
});
