import { expect, it, vi } from "vitest";

import { type Bench, createPicture, openFor, stopAtEnd } from "./bench.ts";
import { BusRefused } from "../errors.ts";
import type { Entry } from "../port.ts";

const noKeys = ["", ".a", "a.", "a..b", "a b", "a:b", "*", "é", "a".repeat(256)];

/** Reading, writing and watching a bucket. */
export function describeKeys(make: () => Promise<Bench>): void {
  it("a key that was never written is not there", async () => {
    const bus = await openFor(await make());
    expect(await bus.bucket("control").get("state")).toBeUndefined();
  });

  it("what one process writes another one reads, with a revision that grows", async () => {
    const bench = await make();
    const [one, other] = [await openFor(bench), await openFor(bench)];
    expect(await one.bucket("control").put("east.team-a", "first")).toBe(true);
    const before = await other.bucket("control").get("east.team-a");
    expect(before).toMatchObject({ key: "east.team-a", value: "first" });
    await one.bucket("control").put("east.team-a", "second ✓");
    const after = await other.bucket("control").get("east.team-a");
    expect(after?.value).toBe("second ✓");
    expect(after?.revision).toBeGreaterThan(before?.revision ?? 0);
  });

  it("buckets do not see each other's keys", async () => {
    const bus = await openFor(await make());
    await bus.bucket("control").put("state", "x");
    expect(await bus.bucket("status").get("state")).toBeUndefined();
  });

  it("a conditional write succeeds only at the revision it names", async () => {
    const control = (await openFor(await make())).bucket("control");
    expect(await control.put("state", "a", 7)).toBe(false);
    expect(await control.put("state", "a", 0)).toBe(true);
    expect(await control.put("state", "b", 0)).toBe(false);
    const { revision = 0 } = (await control.get("state")) ?? {};
    expect(await control.put("state", "b", revision)).toBe(true);
    expect(await control.put("state", "c", revision)).toBe(false);
    expect((await control.get("state"))?.value).toBe("b");
  });

  it("of two that want to create a key only one does", async () => {
    const bench = await make();
    const buses = [await openFor(bench), await openFor(bench)];
    const won = await Promise.all(buses.map(async (bus) => bus.bucket("control").put("request.1", "x", 0)));
    expect(won.filter((isMine) => isMine)).toHaveLength(1);
  });

  it("a deleted key is gone and can be created again", async () => {
    const control = (await openFor(await make())).bucket("control");
    await control.put("request.1", "x");
    await control.delete("request.1");
    expect(await control.get("request.1")).toBeUndefined();
    expect(await control.put("request.1", "y", 0)).toBe(true);
    expect((await control.get("request.1"))?.value).toBe("y");
  });

  it("deleting an unknown key is no error", async () => {
    const control = (await openFor(await make())).bucket("control");
    await expect(control.delete("request.9")).resolves.toBeUndefined();
  });

  it("a sweep removes older keys under its pattern, also markers of deleted ones, and notifies no watch", async () => {
    const status = (await openFor(await make())).bucket("status");
    for (const key of ["fleet", "answer.1", "answer.2", "answer.3", "answer.2"]) await status.put(key, "x");
    await status.delete("answer.1");
    const picture = createPicture();
    await status.watch(">", picture, stopAtEnd().signal);
    const { revision = 0 } = (await status.get("answer.2")) ?? {};

    await status.sweep("answer.*", revision);
    await status.put("fleet", "y");
    await vi.waitFor(() => expect(picture.keys.get("fleet")).toBe("y"));

    const kept = await Promise.all(["fleet", "answer.2", "answer.3"].map(async (key) => status.get(key)));
    expect(kept.map((entry) => entry?.value)).toEqual(["y", "x", undefined]);
    expect(picture.told.filter((told) => told.startsWith("-"))).toEqual([]);
  });

  it("the names of keys include deleted ones, but not purged ones", async () => {
    const status = (await openFor(await make())).bucket("status");
    expect(await status.keys("told.>")).toEqual(new Set());
    for (const key of ["fleet", "told.1", "told.2", "told.a.3"]) await status.put(key, "x");
    await status.delete("told.1");
    await status.sweep("told.2", Number.MAX_SAFE_INTEGER);
    expect(await status.keys("told.>")).toEqual(new Set(["told.1", "told.a.3"]));
    expect(await status.keys("told.*")).toEqual(new Set(["told.1"]));
  });

  it("a sweep of nothing is no error", async () => {
    const status = (await openFor(await make())).bucket("status");
    await expect(status.sweep("answer.*", 100)).resolves.toBeUndefined();
  });

  it.each(noKeys)("%j is refused as a key", async (key) => {
    const control = (await openFor(await make())).bucket("control");
    await expect(control.put(key, "x")).rejects.toThrow(BusRefused);
    await expect(control.get(key)).rejects.toThrow(BusRefused);
  });

  it("a value of 1 MiB is refused, one of 512 KiB is stored", async () => {
    const inventory = (await openFor(await make())).bucket("inventory");
    await expect(inventory.put("east.big", "x".repeat(1 << 20))).rejects.toThrow(BusRefused);
    await inventory.put("east.big", "x".repeat(1 << 19));
    expect((await inventory.get("east.big"))?.value).toHaveLength(1 << 19);
  });

  it("a watch reports existing keys, then that it is ready, then each change", async () => {
    const bench = await make();
    const [bus, other] = [await openFor(bench), await openFor(bench)];
    const control = other.bucket("control");
    await control.put("request.1", "old");
    await control.put("request.1", "new");
    await control.put("request.2", "gone");
    await control.delete("request.2");
    const picture = createPicture();
    await bus.bucket("control").watch(">", picture, stopAtEnd().signal);
    await vi.waitFor(() => expect(picture.told).toEqual(["request.1=new", "ready"]));
    await control.put("request.3", "x");
    await control.delete("request.1");
    await vi.waitFor(() => expect(picture.told).toEqual(["request.1=new", "ready", "request.3=x", "-request.1"]));
  });

  it("a watch of a pattern reports only its keys, and is ready also without any", async () => {
    const bus = await openFor(await make());
    const control = bus.bucket("control");
    await control.put("state", "x");
    const picture = createPicture();
    await control.watch("request.*", picture, stopAtEnd().signal);
    await vi.waitFor(() => expect(picture.told).toEqual(["ready"]));
    await control.put("state", "y");
    await control.put("request.1", "x");
    await vi.waitFor(() => expect(picture.told).toEqual(["ready", "request.1=x"]));
  });

  it("a watch skips foreign keys, and a key that its watcher throws at, and reports the others", async () => {
    const bench = await make();
    const bus = await openFor(bench);
    const control = bus.bucket("control");
    await control.put("request.0", "x");
    for (const key of ["request.é", `request.${"x".repeat(3000)}`]) await bench.write("control-testmeshroll", key, "x");
    const taken: string[] = [];
    const watcher = {
      onEntry({ key }: Entry) {
        if (key === "request.1") throw new Error("a bug");
        taken.push(key);
      },
      onReady: () => void taken.push("ready"),
      onReset: () => undefined,
    };
    await control.watch("request.*", watcher, stopAtEnd().signal);
    await vi.waitFor(() => expect(taken).toEqual(["request.0", "ready"]), { timeout: 20_000 });
    await bench.write("control-testmeshroll", "request.ü", "x");
    for (const key of ["request.1", "request.2"]) await control.put(key, "x");
    await vi.waitFor(() => expect(taken).toEqual(["request.0", "ready", "request.2"]), { timeout: 20_000 });
  });

  it("a watch reports nothing after its signal", async () => {
    const bus = await openFor(await make());
    const [ended, going] = [createPicture(), createPicture()];
    const stop = new AbortController();
    await bus.bucket("control").watch(">", ended, stop.signal);
    await bus.bucket("control").watch(">", going, stopAtEnd().signal);
    stop.abort();
    await bus.bucket("control").put("state", "x");
    await vi.waitFor(() => expect(going.keys.get("state")).toBe("x"));
    expect(ended.told).toEqual(["ready"]);
  });
}
