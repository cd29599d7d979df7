import { expect, it, onTestFinished, vi } from "vitest";

import { type Bench, openFor, startHands } from "./bench.ts";

/** The planner's side of the queue. */
export function describeHandingOut(make: () => Promise<Bench>): void {
  it("a cluster that never had a batch has none", async () => {
    const queue = openFor(await make());
    expect(await queue.inspect("east")).toBeUndefined();
    expect(await queue.drop("east")).toBe(true);
  });

  it("4.1 a cluster has at most one batch: a second one is not added, also by another process", async () => {
    const bench = await make();
    const [queue, other] = [openFor(bench), openFor(bench)];
    expect(await queue.put("east", { run: "one" })).toBe("added");
    expect(await queue.put("east", { run: "two" })).toBe("present");
    expect(await other.put("east", { run: "three" })).toBe("present");
    expect(await other.inspect("east")).toEqual({ job: { run: "one" }, state: "waiting" });
  });

  it("4.1 of two that add at once exactly one adds", async () => {
    const bench = await make();
    const queues = [openFor(bench), openFor(bench)];
    const told = await Promise.all(queues.map(async (queue, index) => queue.put("east", { run: String(index) })));
    expect(new Set(told)).toEqual(new Set(["added", "present"]));
    const { job } = (await queues[0]?.inspect("east")) ?? {};
    expect(job).toEqual({ run: String(told.indexOf("added")) });
  });

  it("clusters do not see each other's batches", async () => {
    const bench = await make();
    const queue = openFor(bench);
    const west = startHands(bench, "west");
    await queue.put("east", { run: "one" });
    expect(await queue.put("west", { run: "two" })).toBe("added");
    await vi.waitFor(() => expect(west.given.map(({ job }) => job.run)).toEqual(["two"]));
    expect((await queue.inspect("east"))?.state).toBe("waiting");
  });

  it("two installations with a cluster of the same name do not see each other's batches", async () => {
    const bench = await make();
    const [queue, other] = [openFor(bench), bench.openOther()];
    onTestFinished(async () => other.close());
    const hands = startHands(bench, "east");
    expect(await other.put("east", { run: "of the other" })).toBe("added");
    expect(await queue.inspect("east")).toBe(undefined);
    expect(await queue.put("east", { run: "of one" })).toBe("added");
    await vi.waitFor(() => expect(hands.given.map(({ job }) => job.run)).toEqual(["of one"]));
    expect(await queue.drop("east")).toBe(false);
    expect(await other.inspect("east")).toEqual({
      job: { run: "of the other" },

      state: "waiting",
    });
    expect(await other.drop("east")).toBe(true);
  });

  it("a waiting batch can be dropped and makes room", async () => {
    const queue = openFor(await make());
    await queue.put("east", { run: "one" });
    expect(await queue.drop("east")).toBe(true);
    expect(await queue.inspect("east")).toBeUndefined();
    expect(await queue.put("east", { run: "two" })).toBe("added");
  });

  it("an active batch stays: it is neither dropped nor added to", async () => {
    const bench = await make();
    const queue = openFor(bench);
    const hands = startHands(bench, "east");
    await queue.put("east", { run: "one" });
    await vi.waitFor(() => expect(hands.given).toHaveLength(1));
    expect(await queue.inspect("east")).toEqual({ job: { run: "one" }, state: "active" });
    expect(await queue.drop("east")).toBe(false);
    expect(await queue.put("east", { run: "two" })).toBe("present");
  });

  it.each(["East", "a:b", "", "a b"])("%j is not a cluster name", async (cluster) => {
    const queue = openFor(await make());
    await expect(queue.put(cluster, { run: "one" })).rejects.toThrow(TypeError);
  });
}
