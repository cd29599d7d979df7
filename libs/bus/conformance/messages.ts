import { expect, it, vi } from "vitest";

import { type Bench, openFor, stopAtEnd } from "./bench.ts";
import { RequestFailed, BusRefused, BusUnavailable } from "../errors.ts";

/** Events, questions and answers. */
export function describeMessages(make: () => Promise<Bench>): void {
  it("a listener hears what others publish from now on, in order, and only of its pattern", async () => {
    const bench = await make();
    const [bus, other] = [await openFor(bench), await openFor(bench)];
    await other.publish("meshroll.v1.run.v1.started", "before", "too early");
    const heard: string[] = [];
    await bus.listen("meshroll.v1.batch.>", (subject, body) => heard.push(`${subject} ${body}`), stopAtEnd().signal);
    await other.publish("meshroll.v1.batch.v1.handedOut", "1", "one");
    await other.publish("meshroll.v1.run.v1.started", "2", "not mine");
    await other.publish("meshroll.v1.batch.v1.ended", "3", "three ✓");
    const want = ["meshroll.v1.batch.v1.handedOut one", "meshroll.v1.batch.v1.ended three ✓"];
    await vi.waitFor(() => expect(heard).toEqual(want));
  });

  it("a listener hears nothing after its signal", async () => {
    const bus = await openFor(await make());
    const [ended, going]: string[][] = [[], []];
    const stop = new AbortController();
    await bus.listen("meshroll.v1.>", (subject) => ended?.push(subject), stop.signal);
    await bus.listen("meshroll.v1.>", (subject) => going?.push(subject), stopAtEnd().signal);
    stop.abort();
    await bus.publish("meshroll.v1.x", "1", "");
    await vi.waitFor(() => expect(going).toHaveLength(1));
    expect(ended).toEqual([]);
  });

  it("the last messages of the stream are read, oldest first, by a reader that was not there", async () => {
    const bench = await make();
    const bus = await openFor(bench);
    expect(await bus.recent(10)).toEqual([]);
    for (const id of ["1", "2", "3"]) await bus.publish(`meshroll.v1.x${id}`, id, `body ${id} ✓`);
    const other = await openFor(bench);
    const wanted = ["2", "3"].map((id) => ({ subject: `meshroll.v1.x${id}`, body: `body ${id} ✓` }));
    expect(await other.recent(2)).toEqual(wanted);
    expect(await other.recent(10)).toHaveLength(3);
    await bench.wipe();
    expect(await other.recent(10)).toEqual([]);
  });

  it("a message of 1 MiB is refused", async () => {
    const bus = await openFor(await make());
    await expect(bus.publish("meshroll.v1.x", "1", "x".repeat(1 << 20))).rejects.toThrow(BusRefused);
  });

  it("a question is answered", async () => {
    const bench = await make();
    const [bus, other] = [await openFor(bench), await openFor(bench)];
    await other.answer("meshroll.request.status", async (body) => `you said ${body} ✓`, stopAtEnd().signal);
    expect(await bus.request("meshroll.request.status", "hello", 2_000)).toBe("you said hello ✓");
  });

  it("one without an answer fails, and so does one that is answered too late", async () => {
    const bus = await openFor(await make());
    await expect(bus.request("meshroll.request.unserved", "", 2_000)).rejects.toThrow(BusUnavailable);
    const stop = stopAtEnd();
    const slow = new Promise<string>((resolve) => {
      stop.signal.addEventListener("abort", () => resolve(""));
    });
    await bus.answer("meshroll.request.slow", async () => slow, stop.signal);
    await expect(bus.request("meshroll.request.slow", "", 50)).rejects.toThrow(BusUnavailable);
  });

  it("one that cannot be answered brings the reason", async () => {
    const bus = await openFor(await make());
    const fail = async (): Promise<string> => Promise.reject(new Error("no such run: ü"));
    await bus.answer("meshroll.request.broken", fail, stopAtEnd().signal);
    const asked = bus.request("meshroll.request.broken", "", 2_000);
    await expect(asked).rejects.toThrow(RequestFailed);
    await expect(asked).rejects.toThrow("no such run: ü");
  });

  it("there is no answer after the signal", async () => {
    const bench = await make();
    const [bus, other] = [await openFor(bench), await openFor(bench)];
    const stop = new AbortController();
    await other.answer("meshroll.request.x", async () => "x", stop.signal);
    expect(await bus.request("meshroll.request.x", "", 2_000)).toBe("x");
    stop.abort();
    const failed = async () => expect(bus.request("meshroll.request.x", "", 500)).rejects.toThrow(BusUnavailable);
    await vi.waitFor(failed);
  });

  it("a question whose name belongs to the stream is refused: the stream would answer it", async () => {
    const bus = await openFor(await make());
    await expect(bus.request("meshroll.v1.status", "", 100)).rejects.toThrow(BusRefused);
    const answer = bus.answer("meshroll.v1.status", async () => "", stopAtEnd().signal);
    await expect(answer).rejects.toThrow(BusRefused);
  });
}
