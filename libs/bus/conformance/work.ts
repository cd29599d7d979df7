import { expect, it, onTestFinished, vi } from "vitest";

import { type Bench, openFor, stopAtEnd } from "./bench.ts";
import type { Bus, Delivery, WorkOutcome } from "../port.ts";

/** Real ms: a message of a dead process goes to another one after about ten seconds. */
const seen = { timeout: 60_000, interval: 20 };

type Handle = (delivery: Delivery) => Promise<WorkOutcome>;

/** Handles messages under the name until the end of the test. */
function start(bus: Bus, handle: Handle, stop = stopAtEnd()): void {
  const ended = bus.work("tellers", "meshroll.v1.a.>", handle, stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
}

async function publish(bus: Bus, ...bodies: readonly string[]): Promise<void> {
  for (const body of bodies) await bus.publish("meshroll.v1.a.x", body);
}

/** Messages that each are handled by one of several processes. */
export function describeWork(make: () => Promise<Bench>): void {
  it("each message of the pattern is handled once, in order, by one of the processes that share the name", async () => {
    const bench = await make();
    const [one, other, teller] = [await openFor(bench), await openFor(bench), await openFor(bench)];
    const done: string[] = [];
    let atOnce = 0;
    let most = 0;
    const handle: Handle = async ({ body }) => {
      most = Math.max(most, ++atOnce);
      await new Promise((resolve) => setImmediate(resolve));
      done.push(body);
      atOnce -= 1;
      return "done";
    };
    await publish(teller, "1", "2");
    start(one, handle);
    start(other, handle);
    await teller.publish("meshroll.v1.b.x", "not mine");
    await publish(teller, "3", "4", "5", "6");
    await vi.waitFor(() => expect(done).toEqual(["1", "2", "3", "4", "5", "6"]), seen);
    expect(most).toBe(1);
  });

  it("a message that its handler asks for again is delivered before all later ones", async () => {
    const bus = await openFor(await make());
    const told: string[] = [];
    start(bus, async ({ body, tries }) => {
      told.push(`${body}#${tries}`);
      return body === "1" && tries < 3 ? { againAfterMs: 20 } : "done";
    });
    await publish(bus, "1", "2");
    await vi.waitFor(() => expect(told).toEqual(["1#1", "1#2", "1#3", "2#1"]), seen);
  });

  it("a consumer that got the previous message knows that no other one did anything in between", async () => {
    const bus = await openFor(await make());
    const told: string[] = [];
    start(bus, async ({ body, isMine, tries }) => {
      told.push(`${body} ${isMine ? "mine" : "perhaps another's"}`);
      return body === "2" && tries === 1 ? { againAfterMs: 0 } : "done";
    });
    await publish(bus, "1", "2", "3");
    const want = ["1 perhaps another's", "2 mine", "2 perhaps another's", "3 mine"];
    await vi.waitFor(() => expect(told).toEqual(want), seen);
  });

  it("the next process gets only messages that are not done", async () => {
    const bench = await make();
    const [first, second] = [await openFor(bench), await openFor(bench)];
    const told: string[] = [];
    const stop = new AbortController();
    const ended = first.work(
      "tellers",
      "meshroll.v1.a.>",
      async ({ body }) => {
        told.push(`first ${body}`);
        return "done";
      },
      stop.signal,
    );
    await publish(second, "1");
    await vi.waitFor(() => expect(told).toEqual(["first 1"]), seen);
    stop.abort();
    await ended;
    await publish(second, "2");
    start(second, async ({ body }) => {
      told.push(`second ${body}`);
      return "done";
    });
    await vi.waitFor(() => expect(told).toEqual(["first 1", "second 2"]), seen);
  });

  it("a process that dies with a message leaves it to another one", async () => {
    const bench = await make();
    const [first, second] = [await openFor(bench), await openFor(bench)];
    const told: string[] = [];
    void first.work(
      "tellers",
      "meshroll.v1.a.>",
      async () => new Promise(() => told.push("taken")),
      stopAtEnd().signal,
    );
    await publish(second, "1");
    await vi.waitFor(() => expect(told).toEqual(["taken"]), seen);
    await first.close();
    start(second, async ({ body, tries, isMine }) => {
      told.push(`${body}#${tries} ${String(isMine)}`);
      return "done";
    });
    await vi.waitFor(() => expect(told).toEqual(["taken", "1#2 false"]), seen);
  });

  it("after an outage and after a wipe new messages are handled", async () => {
    const bench = await make();
    const bus = await openFor(bench);
    // Delivery is at least once: a message whose acknowledgement was lost in the outage comes twice.
    const told = new Set<string>();
    start(bus, async ({ body }) => {
      told.add(body);
      return "done";
    });
    await publish(bus, "1");
    await vi.waitFor(() => expect([...told]).toEqual(["1"]), seen);
    await bench.breakOff();
    await vi.waitFor(() => expect(bus.isConnected()).toBe(false), seen);
    await bench.fix();
    await publish(bus, "2");
    await vi.waitFor(() => expect([...told]).toEqual(["1", "2"]), seen);
    await bench.wipe();
    await publish(bus, "3");
    await vi.waitFor(() => expect([...told]).toEqual(["1", "2", "3"]), seen);
  });
}
