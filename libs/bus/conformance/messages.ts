import { expect, it, vi } from "vitest";

import { type Bench, openFor, stopAtEnd } from "./bench.ts";
import { BusRefused } from "../errors.ts";

/** Publishing events and listening. */
export function describeMessages(make: () => Promise<Bench>): void {
  it("a listener receives what is published from now on, in order, and only of its pattern", async () => {
    const bench = await make();
    const [bus, other] = [await openFor(bench), await openFor(bench)];
    await other.publish("meshroll.v1.run.v1.started", "too early");
    const heard: string[] = [];
    await bus.listen("meshroll.v1.batch.>", (subject, body) => heard.push(`${subject} ${body}`), stopAtEnd().signal);
    await other.publish("meshroll.v1.batch.v1.handedOut", "one");
    await other.publish("meshroll.v1.run.v1.started", "not mine");
    await other.publish("meshroll.v1.batch.v1.ended", "three ✓");
    const want = ["meshroll.v1.batch.v1.handedOut one", "meshroll.v1.batch.v1.ended three ✓"];
    await vi.waitFor(() => expect(heard).toEqual(want));
  });

  it("a listener receives nothing after its signal", async () => {
    const bus = await openFor(await make());
    const [ended, going]: string[][] = [[], []];
    const stop = new AbortController();
    await bus.listen("meshroll.v1.>", (subject) => ended?.push(subject), stop.signal);
    await bus.listen("meshroll.v1.>", (subject) => going?.push(subject), stopAtEnd().signal);
    stop.abort();
    await bus.publish("meshroll.v1.x", "");
    await vi.waitFor(() => expect(going).toHaveLength(1));
    expect(ended).toEqual([]);
  });

  it("the last messages of the stream are read, oldest first, also by a later reader", async () => {
    const bench = await make();
    const bus = await openFor(bench);
    expect(await bus.recent(10)).toEqual([]);
    for (const id of ["1", "2", "3"]) await bus.publish(`meshroll.v1.x${id}`, `body ${id} ✓`);
    const other = await openFor(bench);
    const wanted = ["2", "3"].map((id) => ({ subject: `meshroll.v1.x${id}`, body: `body ${id} ✓` }));
    expect(await other.recent(2)).toEqual(wanted);
    expect(await other.recent(10)).toHaveLength(3);
    await bench.wipe();
    expect(await other.recent(10)).toEqual([]);
  });

  it("a message that is published again is stored again, so no id can be used up by another login", async () => {
    const bus = await openFor(await make());
    for (let times = 0; times < 2; times += 1) await bus.publish("meshroll.v1.x", "same");
    expect(await bus.recent(10)).toHaveLength(2);
  });

  it("a message of 1 MiB is refused", async () => {
    const bus = await openFor(await make());
    await expect(bus.publish("meshroll.v1.x", "x".repeat(1 << 20))).rejects.toThrow(BusRefused);
  });
}
