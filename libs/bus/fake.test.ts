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

describe("the verbs of the bus in memory", () => {
  const cases: { readonly name: string; readonly fate: Fate; readonly want: readonly string[] }[] = [
    { name: "as it is", fate: "once", want: ["b"] },
    { name: "duplicated", fate: "twice", want: ["b", "b"] },
    { name: "lost", fate: "lost", want: [] },
  ];
  it.each(cases)("a message comes $name", async ({ fate, want }) => {
    const server = createFakeBusServer();
    const bus = openFakeBus(server);
    const heard: string[] = [];
    await bus.listen("meshroll.v1.>", (_, body) => heard.push(body), new AbortController().signal);
    server.disturb(() => fate);
    await bus.publish("meshroll.v1.x", "1", "b");
    server.disturb(() => "once");
    await bus.publish("meshroll.v1.x", "2", "end");
    await vi.waitFor(() => expect(heard).toEqual([...want, "end"]));
  });

  it("late messages come reversed", async () => {
    const server = createFakeBusServer();
    const bus = openFakeBus(server);
    const heard: string[] = [];
    await bus.listen("meshroll.v1.>", (_, body) => heard.push(body), new AbortController().signal);
    server.disturb(({ id }) => (id === "3" ? "once" : "late"));
    for (const id of ["1", "2", "3"]) await bus.publish("meshroll.v1.x", id, id);
    await vi.waitFor(() => expect(heard).toEqual(["3"]));
    server.deliverLate();
    await vi.waitFor(() => expect(heard).toEqual(["3", "2", "1"]));
  });

  it("the stream keeps each id once, until it is wiped", async () => {
    const server = createFakeBusServer();
    const bus = openFakeBus(server);
    for (const id of ["1", "1", "2"]) await bus.publish("meshroll.v1.x", id, id);
    expect(server.messages.map(({ id }) => id)).toEqual(["1", "2"]);
    server.wipe();
    expect(server.messages).toEqual([]);
  });
});
