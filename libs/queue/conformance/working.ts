import { expect, it, vi } from "vitest";

import { type Bench, openFor, startHands } from "./bench.ts";

/** The executor's side of the queue. */
export function describeWorking(make: () => Promise<Bench>): void {
  it("a batch that is done is gone, and the next one follows", async () => {
    const bench = await make();
    const queue = openFor(bench);
    const hands = startHands(bench, "east");
    await queue.put("east", { run: "one" });
    await vi.waitFor(() => expect(hands.given).toHaveLength(1));
    hands.given[0]?.finish();
    await vi.waitFor(async () => expect(await queue.inspect("east")).toBeUndefined());
    expect(await queue.put("east", { run: "two" })).toBe("added");
    await vi.waitFor(() => expect(hands.given.map(({ job }) => job.run)).toEqual(["one", "two"]));
  });

  it("a batch that waits is taken by the first worker that comes", async () => {
    const bench = await make();
    const queue = openFor(bench);
    await queue.put("east", { run: "one" });
    const hands = startHands(bench, "east");
    await vi.waitFor(() => expect(hands.given).toHaveLength(1));
  });

  it("of two workers of a cluster one has the batch, and can prove it", async () => {
    const bench = await make();
    const queue = openFor(bench);
    const both = [startHands(bench, "east"), startHands(bench, "east")];
    await queue.put("east", { run: "one" });
    await vi.waitFor(() => expect(both.flatMap(({ given }) => given)).toHaveLength(1));
    const [held] = both.flatMap(({ given }) => given);
    expect(held?.holdsLock()).toBe(true);
    expect(held?.signal.aborted).toBe(false);
    held?.finish();
    await vi.waitFor(async () => expect(await queue.inspect("east")).toBeUndefined());
    expect(held?.holdsLock()).toBe(false);
  });

  it("4.1 a failed batch stays with its reason, is not tried again, and blocks the queue until it is dropped", async () => {
    const bench = await make();
    const queue = openFor(bench);
    const hands = startHands(bench, "east");
    await queue.put("east", { run: "one" });
    await vi.waitFor(() => expect(hands.given).toHaveLength(1));
    hands.given[0]?.fail("no such cluster");
    const want = { job: { run: "one" }, state: "failed", reason: "no such cluster" };
    await vi.waitFor(async () => expect(await queue.inspect("east")).toEqual(want));
    expect(await queue.put("east", { run: "two" })).toBe("present");
    expect(await queue.drop("east")).toBe(true);
    expect(await queue.put("east", { run: "two" })).toBe("added");
    await vi.waitFor(() => expect(hands.given.map(({ job }) => job.run)).toEqual(["one", "two"]));
  });

  it("a stopping worker aborts its batch, waits for it, and gives it back: neither done nor failed", async () => {
    const bench = await make();
    const queue = openFor(bench);
    const first = startHands(bench, "east");
    await queue.put("east", { run: "one" });
    await vi.waitFor(() => expect(first.given).toHaveLength(1));
    await first.worker.close();
    expect(first.given[0]?.signal.aborted).toBe(true);
    expect(first.given[0]?.holdsLock()).toBe(false);
    expect(first.ended()).toBe(1);
    expect(await queue.inspect("east")).toEqual({ job: { run: "one" }, state: "waiting" });
    const second = startHands(bench, "east");
    await vi.waitFor(() => expect(second.given).toHaveLength(1));
    expect([first.given[0]?.isRetaken, second.given[0]?.isRetaken]).toEqual([false, true]);
  });

  it("a stopped worker takes nothing more", async () => {
    const bench = await make();
    const queue = openFor(bench);
    const [stopped, going] = [startHands(bench, "east"), startHands(bench, "east")];
    await stopped.worker.close();
    await queue.put("east", { run: "one" });
    await vi.waitFor(() => expect(going.given).toHaveLength(1));
    expect(stopped.given).toHaveLength(0);
  });
}
