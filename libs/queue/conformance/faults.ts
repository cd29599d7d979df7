import { expect, it, vi } from "vitest";

import { type Bench, openFor, startHands } from "./bench.ts";
import { QueueUnavailable } from "../errors.ts";

/** Real ms: a lost lock is noticed at the next renewal, a returned server within two seconds. */
const seen = { timeout: 60_000, interval: 20 };

/** A server that goes down, returns, or loses its data. */
export function describeFaults(make: () => Promise<Bench>): void {
  it("4.1 a batch that the server lost loses its lock: its signal aborts, and the worker takes the next", async () => {
    const bench = await make();
    const queue = openFor(bench);
    const hands = startHands(bench, "east");
    await queue.put("east", { run: "one" });
    await vi.waitFor(() => expect(hands.given).toHaveLength(1));
    await bench.flush();
    expect(await queue.put("east", { run: "two" })).toBe("added");
    await vi.waitFor(() => expect(hands.given[0]?.signal.aborted).toBe(true), seen);
    expect(hands.given[0]?.holdsLock()).toBe(false);
    await vi.waitFor(() => expect(hands.given.map(({ job }) => job.run)).toEqual(["one", "two"]), seen);
    expect(hands.given[1]?.holdsLock()).toBe(true);
    hands.given[1]?.finish();
    await vi.waitFor(async () => expect(await queue.inspect("east")).toBeUndefined(), seen);
  });

  it("a waiting batch is gone with the server's memory, and its place is free", async () => {
    const bench = await make();
    const queue = openFor(bench);
    await queue.put("east", { run: "one" });
    await bench.flush();
    expect(await queue.inspect("east")).toBeUndefined();
    expect(await queue.put("east", { run: "one" })).toBe("added");
  });

  it("while the server is down every call says so; afterwards queue and worker continue by themselves", async () => {
    const bench = await make();
    const queue = openFor(bench);
    const hands = startHands(bench, "east");
    await queue.put("west", { run: "one" });
    await bench.breakOff();
    for (const call of [
      () => queue.put("east", { run: "two" }),
      () => queue.inspect("east"),
      () => queue.drop("east"),
    ]) {
      await expect(call()).rejects.toThrow(QueueUnavailable);
    }
    await bench.fix();
    await vi.waitFor(async () => expect((await queue.inspect("west"))?.state).toBe("waiting"), seen);
    expect(await queue.inspect("east")).toBeUndefined();
    expect(await queue.put("east", { run: "three" })).toBe("added");
    await vi.waitFor(() => expect(hands.given.map(({ job }) => job.run)).toEqual(["three"]), seen);
  });

  it("a full server refuses batches with the reason; existing ones can be read, and all continues once there is room", async () => {
    const bench = await make();
    const queue = openFor(bench);
    await queue.put("east", { run: "one" });
    await bench.fill();
    const refused = queue.put("west", { run: "two" });
    await expect(refused).rejects.toThrow(QueueUnavailable);
    await expect(refused).rejects.toMatchObject({ trouble: { code: "QueueFull" } });
    expect(await queue.inspect("east")).toEqual({ job: { run: "one" }, state: "waiting" });
    await bench.makeRoom();
    expect(await queue.put("west", { run: "two" })).toBe("added");
    const hands = startHands(bench, "east");
    await vi.waitFor(() => expect(hands.given).toHaveLength(1), seen);
  });

  it("queue and worker can be closed while the server is down", async () => {
    const bench = await make();
    const queue = openFor(bench);
    const hands = startHands(bench, "east");
    await queue.put("east", { run: "one" });
    await vi.waitFor(() => expect(hands.given).toHaveLength(1));
    await bench.breakOff();
    await Promise.all([queue.close(), hands.worker.close()]);
    expect(hands.given[0]?.signal.aborted).toBe(true);
    await bench.fix();
  });
}
