import { createVirtualClock } from "#fakes/runtime";
import { makeEvent } from "#libs/events";
import { createMetrics } from "#libs/runtime";
import { describe, expect, it } from "vitest";

import { createEventHub, type EventSink } from "./event-hub.ts";

/** A reader that takes everything, or nothing. */
class Reader implements EventSink {
  readonly address: string;
  readonly wantsPulse = false;
  wantsPatches = false;
  wantsMessages = true;
  taken = "";
  ended: string | undefined;
  isSlow = false;
  constructor(address = "10.0.0.1") {
    this.address = address;
  }
  write(text: string): void {
    this.taken += text;
  }
  pending(): number {
    return this.isSlow ? this.taken.length : 0;
  }
  end(how: "gently" | "at once"): void {
    this.ended = how;
  }
}

/** A reader whose every call throws. */
class BrokenReader extends Reader {
  override write(): void {
    throw new Error("a bug");
  }
  override end(): void {
    throw new Error("a bug");
  }
}

function open(mostPending = 100, mostPendingInAll = 10_000_000) {
  const clock = createVirtualClock();
  const metrics = createMetrics();
  const warned: string[] = [];
  const warn = (_: object | string, message = ""): void => void warned.push(message);
  const log = { warn, error: warn };
  const hub = createEventHub({ clock, metrics, log, mostReaders: 2, mostPending, mostPendingInAll });
  const stop = new AbortController();
  const turns: { count: number; fault?: Error | undefined } = { count: 0 };
  const ran = hub.run(
    () => {
      turns.count += 1;
      if (turns.fault !== undefined) throw turns.fault;
    },
    () => "{}",
    stop.signal,
  );
  return { clock, metrics, hub, stop, ran, turns, warned };
}

const resumeEvent = (id: string) =>
  JSON.stringify({ ...makeEvent("stopResumed", "x", 0, { stops: [id], who: "ana", why: "line\nend" }), id });

function listIds(text: string): readonly string[] {
  return [...text.matchAll(/^id: stop\.v1\.resumed\/(.*)$/gm)].map((match) => match[1] ?? "");
}

describe("readers of events", () => {
  it("get every message once, one line each", () => {
    const { hub } = open();
    const reader = new Reader();
    hub.join(reader, undefined);
    for (const id of ["a", "b", "a"]) hub.publish(resumeEvent(id));
    expect(listIds(reader.taken)).toEqual(["a", "b"]);
    expect(reader.taken).toContain(
      'id: stop.v1.resumed/a\nevent: stop.v1.resumed\ndata: {"type":"stop.v1.resumed","id":"a",',
    );
    expect(reader.taken).toContain("line end");
  });

  it.each([
    { name: "no JSON", body: "hello\n\nevent: status" },
    { name: "of a newer version", body: '{"type":"run.v9.started","id":"x"}' },
    { name: "a hint", body: JSON.stringify(makeEvent("githubHint", "h", 0, { main: true, pulls: true })) },
    { name: "with an id of two lines", body: resumeEvent("x\ndata: forged") },
  ])("do not get a message that is $name", ({ body }) => {
    const { hub } = open();
    const reader = new Reader();
    hub.join(reader, undefined);
    hub.publish(body);
    expect(reader.taken).toBe("retry: 2000\n\n");
  });

  it("lose nothing when another one cannot be served", async () => {
    const { clock, hub, stop, ran, warned } = open(1_000_000);
    const [broken, reader] = [new BrokenReader(), new Reader()];
    for (const each of [reader, broken]) hub.join(each, undefined);
    hub.show("{}");
    hub.publish(resumeEvent("a"));
    await clock.advance(20_000);
    expect([listIds(reader.taken), reader.taken.includes(": heartbeat"), warned.length]).toEqual([["a"], true, 2]);
    stop.abort();
    await clock.advance(1000);
    await ran;
    expect(reader.ended).toBe("gently");
  });

  it("are served by the next turn when one of them throws", async () => {
    const { clock, hub, turns, warned } = open(1_000_000);
    const reader = new Reader();
    hub.join(reader, undefined);
    hub.show("{}");
    turns.fault = new Error("a bug");
    hub.show('{"a":1}');
    await clock.advance(1000);
    turns.fault = undefined;
    await clock.advance(1000);
    expect([reader.taken.includes('data: {"a":1}'), warned.length > 0]).toEqual([true, true]);
  });

  it("continue after the last event that they saw", () => {
    const { hub } = open(1_000_000);
    for (const id of ["a", "b", "c"]) hub.publish(resumeEvent(id));
    const reader = new Reader();
    hub.join(reader, "stop.v1.resumed/a");
    hub.publish(resumeEvent("d"));
    expect(listIds(reader.taken)).toEqual(["b", "c", "d"]);
    expect(reader.taken).not.toContain("event: gap");
  });

  it("get a message although another type had its id first, and continue after it although one has it again", () => {
    const { hub } = open(1_000_000);
    const ended = { run: "abcdefabcdef", cluster: "one", why: "done" };
    const forge = (id: string) => JSON.stringify(makeEvent("batchEnded", id, 0, ended));
    const reader = new Reader();
    hub.join(reader, undefined);
    for (const body of [forge("a"), resumeEvent("a"), resumeEvent("b"), forge("a")]) hub.publish(body);
    expect(listIds(reader.taken)).toEqual(["a", "b"]);
    const later = new Reader();
    hub.join(later, "stop.v1.resumed/a");
    expect(listIds(later.taken)).toEqual(["b"]);
  });

  it("that saw the last one get nothing twice", () => {
    const { hub } = open();
    hub.publish(resumeEvent("a"));
    const reader = new Reader();
    hub.join(reader, "stop.v1.resumed/a");
    expect(reader.taken).toBe("retry: 2000\n\n");
  });

  it("whose last event is not known any more get a gap", () => {
    const { hub } = open(1_000_000);
    hub.catchUp([], false);
    for (let count = 0; count < 1_001; count += 1) hub.publish(resumeEvent(`e${count}`));
    const reader = new Reader();
    hub.join(reader, "stop.v1.resumed/e0");
    expect(reader.taken).toContain('event: gap\ndata: {"since":"stop.v1.resumed/e0"}\n\n');
    const other = new Reader();
    hub.join(other, "stop.v1.resumed/e1");
    expect(listIds(other.taken)).toHaveLength(999);
  });

  it("get the status when they connect and when it changes, at most twice a second", async () => {
    const { clock, hub } = open();
    hub.show('{"state":"1"}');
    const reader = new Reader();
    hub.join(reader, undefined);
    expect(reader.taken).toContain('event: status\ndata: {"state":"1"}\n\n');
    await clock.advance(500);
    reader.taken = "";
    for (let count = 2; count < 100; count += 1) hub.show(`{"state":"${count}"}`);
    await clock.advance(1_000);
    expect(reader.taken).toBe('event: status\ndata: {"state":"99"}\n\n');
  });

  it("that asked for patches get the changes, and the whole status when they connect or where that is shorter", async () => {
    const { clock, hub } = open(1_000_000);
    const clusters = ["east", "west"].map((name) => ({ name, problems: ["a problem that does not change"] }));
    const print = (state: string) => JSON.stringify({ state, clusters });
    const [early, late] = [new Reader(), new Reader()];
    for (const reader of [early, late]) reader.wantsPatches = true;
    hub.show(print("Idle"));
    hub.join(early, undefined);
    hub.show(print("InProgress"));
    // It gets what all have, and with the next turn what all get.
    hub.join(late, undefined);
    await clock.advance(500);
    const patch = '[{"op":"replace","path":"/state","value":"InProgress"}]';
    for (const { taken } of [early, late])
      expect(taken).toBe(
        `retry: 2000\n\nevent: status\ndata: ${print("Idle")}\n\nevent: status-patch\ndata: ${patch}\n\n`,
      );
    early.taken = "";
    hub.show('{"state":"Failed"}');
    await clock.advance(500);
    expect(early.taken).toBe('event: status\ndata: {"state":"Failed"}\n\n');
  });

  it("that did not ask for messages get neither messages nor gaps", () => {
    const { hub } = open(1_000_000);
    hub.catchUp([], false);
    const reader = new Reader();
    reader.wantsMessages = false;
    hub.join(reader, "long-ago");
    hub.publish(resumeEvent("a"));
    hub.catchUp([], true);
    expect(reader.taken).toBe("retry: 2000\n\n");
  });

  it("that are slow are closed, the slowest first, when all together are too far behind", async () => {
    const { clock, hub } = open(10_000, 1000);
    const [slow, slower] = [new Reader(), new Reader()];
    hub.join(slower, undefined);
    for (const id of ["a", "b"]) hub.publish(resumeEvent(id));
    hub.join(slow, undefined);
    for (const id of ["c", "d", "e"]) hub.publish(resumeEvent(id));
    for (const reader of [slow, slower]) reader.isSlow = true;
    expect(slow.pending() + slower.pending()).toBeGreaterThan(1000);
    expect(slow.pending()).toBeLessThan(1000);
    await clock.advance(500);
    expect([slow.ended, slower.ended]).toEqual([undefined, "at once"]);
  });

  it("get a comment every 15 s", async () => {
    const { clock, hub, turns } = open();
    const reader = new Reader();
    hub.join(reader, undefined);
    await clock.advance(30_500);
    expect(reader.taken).toBe("retry: 2000\n\n: heartbeat\n\n: heartbeat\n\n");
    expect(turns.count).toBeGreaterThan(60);
  });

  it("that do not take their events are closed, and the others are not", async () => {
    const { hub, metrics } = open();
    const [slow, quick] = [new Reader(), new Reader()];
    hub.join(slow, undefined);
    hub.join(quick, undefined);
    slow.isSlow = true;
    for (const id of ["a", "b", "c", "d"]) hub.publish(resumeEvent(id));
    expect(slow.ended).toBe("at once");
    // The limit for this reader: its pending bytes, and one message.
    expect(slow.taken.length).toBeLessThan(100 + 200);
    expect(listIds(quick.taken)).toEqual(["a", "b", "c", "d"]);
    const { text } = await metrics.print();
    expect(text).toContain("meshroll_event_readers 1\n");
    expect(text).toContain("meshroll_event_readers_dropped_total 1\n");
  });

  it("are limited in number, and closed with the process", async () => {
    const { hub, stop, ran } = open();
    const readers = [new Reader(), new Reader(), new Reader()];
    for (const reader of readers) hub.join(reader, undefined);
    stop.abort();
    await ran;
    expect(readers.map(({ ended }) => ended)).toEqual(["at once", "gently", "gently"]);
  });

  it("of an address with all places make room for others, and do not displace them", () => {
    const { hub } = open();
    const other = new Reader("10.0.0.2");
    const many = Array.from({ length: 5 }, () => new Reader("10.0.0.1"));
    hub.join(many[0]!, undefined);
    hub.join(other, undefined);
    for (const reader of many.slice(1)) hub.join(reader, undefined);
    expect([other.ended, ...many.map(({ ended }) => ended)]).toEqual([
      undefined,
      ...many.slice(1).map(() => "at once"),
      undefined,
    ]);
  });

  it("that missed more than their limit get a gap, and need no more memory", () => {
    const { hub } = open();
    for (const id of ["a", "b", "c"]) hub.publish(resumeEvent(id));
    const reader = new Reader();
    hub.join(reader, "stop.v1.resumed/a");
    expect(listIds(reader.taken)).toEqual([]);
    expect(reader.taken).toContain('event: gap\ndata: {"since":"stop.v1.resumed/a"}');
  });
});
