import { expect, it, vi } from "vitest";

import { type Bench, createPicture, openFor, stopAtEnd } from "./bench.ts";
import { BusUnavailable } from "../errors.ts";

/** Real ms in which a wipe or a rollback must be noticed; the slowest check runs every second. */
const seen = { timeout: 60_000, interval: 20 };

/** A server that goes down, returns, or loses its data. */
export function describeFaults(make: () => Promise<Bench>): void {
  it("while the server is down every call says so and no client counts as connected", async () => {
    const bench = await make();
    const bus = await openFor(bench);
    expect(bus.isConnected()).toBe(true);
    await bench.breakOff();
    await vi.waitFor(() => expect(bus.isConnected()).toBe(false), seen);
    const calls = [
      bus.publish("meshroll.v1.x", ""),
      bus.bucket("control").get("state"),
      bus.bucket("control").put("state", "x"),
      bus.bucket("control").put("state", "x", 0),
      bus.bucket("control").delete("state"),
    ];
    const ends = await Promise.allSettled(calls);
    expect(ends.map((end) => end.status === "rejected" && end.reason instanceof BusUnavailable)).toEqual(
      calls.map(() => true),
    );
  });

  it("when it is back, watches start over, listeners continue, and keys are unchanged", async () => {
    const bench = await make();
    const bus = await openFor(bench);
    const stop = stopAtEnd();
    const picture = createPicture();
    const heard: string[] = [];
    await bus.bucket("control").put("state", "x");
    await bus.bucket("control").watch(">", picture, stop.signal);
    await bus.listen("meshroll.v1.>", (_, body) => heard.push(body), stop.signal);
    await vi.waitFor(() => expect(picture.told).toEqual(["state=x", "ready"]));
    await bench.breakOff();
    await vi.waitFor(() => expect(bus.isConnected()).toBe(false), seen);
    await bench.fix();
    await vi.waitFor(() => expect(picture.told.slice(2)).toEqual(["reset", "state=x", "ready"]), seen);
    expect(bus.isConnected()).toBe(true);
    await bus.bucket("control").put("state", "y");
    await bus.publish("meshroll.v1.x", "again");
    await vi.waitFor(
      () => expect({ heard, state: picture.keys.get("state") }).toEqual({ heard: ["again"], state: "y" }),
      seen,
    );
  });

  it("a listener learns of the return of the connection, also after a short outage, before a caller checks", async () => {
    const bench = await make();
    const bus = await openFor(bench);
    const stop = stopAtEnd();
    const heard: string[] = [];
    const onMessage = (_: string, body: string) => void heard.push(body);
    await bus.listen("meshroll.v1.>", onMessage, stop.signal, () => void heard.push("rollback"));
    const ended = new AbortController();
    await bus.listen("meshroll.v1.>", onMessage, ended.signal, () => void heard.push("back, though it ended"));
    ended.abort();
    await bench.breakOff();
    await bench.fix();
    await vi.waitFor(() => expect(heard).toEqual(["rollback"]), seen);
    await bus.publish("meshroll.v1.x", "again");
    await vi.waitFor(() => expect(heard).toEqual(["rollback", "again"]), seen);
  });

  it("after a wipe watches start over, and the next write creates everything again", async () => {
    const bench = await make();
    const bus = await openFor(bench);
    const stop = stopAtEnd();
    const picture = createPicture();
    const control = bus.bucket("control");
    await bus.publish("meshroll.v1.x", "before");
    await control.put("state", "old");
    await control.watch(">", picture, stop.signal);
    await vi.waitFor(() => expect(picture.keys.get("state")).toBe("old"));
    await bench.wipe();
    expect(await control.get("state")).toBeUndefined();
    await vi.waitFor(() => expect(picture.told.slice(2)).toEqual(["reset", "ready"]), seen);
    expect(await control.put("state", "new", 0)).toBe(true);
    await bus.publish("meshroll.v1.x", "after");
    await vi.waitFor(() => expect(picture.keys.get("state")).toBe("new"), seen);
  });

  it("a closed bus answers no call and calls no watcher", async () => {
    const bench = await make();
    const [bus, other] = [await openFor(bench), await openFor(bench)];
    const [closed, open] = [createPicture(), createPicture()];
    await bus.bucket("control").watch(">", closed, stopAtEnd().signal);
    await other.bucket("control").watch(">", open, stopAtEnd().signal);
    await vi.waitFor(() => expect(closed.told).toEqual(["ready"]));
    await bus.close();
    await other.bucket("control").put("state", "x");
    await vi.waitFor(() => expect(open.keys.get("state")).toBe("x"));
    expect(closed.told).toEqual(["ready"]);
    expect(bus.isConnected()).toBe(false);
    await expect(bus.bucket("control").get("state")).rejects.toThrow(BusUnavailable);
  });
}
