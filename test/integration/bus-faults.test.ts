import { describeBusFaults } from "#conformance/bus";
import { BusUnavailable, openBus, probeBus } from "#libs/bus";
import { testInstallation } from "#libs/input";
import { describe, expect, it, vi } from "vitest";

import { useRealBus, watchControl } from "./real-bus.ts";
import { waitOptions } from "./wait-options.ts";

const { server, makeFresh, open, makeBench } = useRealBus();

describeBusFaults("the bus over NATS", makeBench);

describe("a NATS server that is killed", () => {
  it("and comes back without its data: watches start over, writes create everything again", async () => {
    await makeFresh();
    const bus = await open();
    await bus.bucket("control").put("state", "old");
    const calls = await watchControl(bus);
    await server().kill();
    server().wipe();
    await server().start();
    await vi.waitFor(() => expect(calls).toEqual(["state=old", "ready", "reset", "ready"]), waitOptions);
    await bus.publish("meshroll.v1.x", "");
    expect(await bus.bucket("control").put("state", "new", 0)).toBe(true);
    await vi.waitFor(() => expect(calls.at(-1)).toBe("state=new"), waitOptions);
  });

  it("delivers a message that was published meanwhile, at least once", async () => {
    await makeFresh();
    const bus = await open();
    await bus.publish("meshroll.v1.x", "before");
    await server().kill();
    const published = bus.publish("meshroll.v1.x", "meanwhile");
    await server().start();
    await published;
    const kept = await bus.recent(10);
    expect(new Set(kept.map(({ body }) => body))).toEqual(new Set(["before", "meanwhile"]));
  });

  it("is waited for by a client that keeps trying, which then receives everything", async () => {
    await makeFresh();
    await server().kill();
    const bus = await open({ patient: true });
    expect(bus.isConnected()).toBe(false);
    const calls = await watchControl(bus);
    const bodies = new Set<string>();
    await bus.listen("meshroll.v1.>", (_, body) => bodies.add(body), new AbortController().signal);
    await server().start();
    await bus.bucket("control").put("state", "x");
    await bus.publish("meshroll.v1.x", "b");
    await vi.waitFor(
      () =>
        expect({ calls, bodies }).toEqual({
          calls: expect.arrayContaining(["ready"]) as string[],
          bodies: new Set(["b"]),
        }),
      waitOptions,
    );
    await vi.waitFor(() => expect(calls).toContain("state=x"), waitOptions);
  });

  it("is reported at once to a client that does not keep trying, without the login", async () => {
    await server().kill();
    const url = `nats://me:hunter2@${new URL(server().url).host}`;
    const opened = openBus({ installation: testInstallation, url, name: "test" });
    await expect(opened).rejects.toThrow(BusUnavailable);
    await expect(opened).rejects.not.toThrow("hunter2");
    await expect(probeBus(url)).rejects.toThrow(BusUnavailable);
    await server().start();
  });
});
