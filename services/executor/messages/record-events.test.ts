import { createVirtualClock } from "#fakes/runtime";
import type { WorkloadEvent, WriteOutcome } from "#libs/kube";
import { describe, expect, it } from "vitest";

import { createEventRecorder } from "./record-events.ts";

const written: WriteOutcome = { kind: "written", resourceVersion: "1" };
const away: WriteOutcome = { kind: "unavailable", why: "away" };

const event = (id: string): WorkloadEvent => ({
  ref: { namespace: "shop", kind: "Deployment", name: "web" },
  uid: "u1",
  id,
  type: "Normal",
  reason: "RevisionMigrated",
  action: "Move",
  note: "moved",
  at: 0,
});

/** A recorder whose API server gives these answers, and afterwards accepts every Event. */
function open(...answers: readonly WriteOutcome[]) {
  const clock = createVirtualClock();
  const sent: string[] = [];
  const warned: unknown[] = [];
  const named: string[] = [];
  const waiting = [...answers];
  const lost = { count: 0 };
  const stop = new AbortController();
  const recorder = createEventRecorder(
    {
      cluster: {
        recordEvent: async ({ id }) => {
          sent.push(id);
          if (id === "bad") throw new Error("a bug");
          return waiting.shift() ?? written;
        },
      },
      troubles: {
        put: (_, text) => {
          const isNew = named[0] !== text;
          named[0] = text;
          return isNew;
        },
        clear: () => void named.splice(0),
      },
      clock,
      log: { warn: (fields: unknown) => void warned.push(fields) },
      onLost: (count) => void (lost.count += count),
    },
    stop.signal,
  );
  return { clock, sent, warned, named, lost, stop, recorder };
}

describe("Events of one cluster", () => {
  const cases: readonly {
    readonly name: string;
    readonly answers: readonly WriteOutcome[];
    readonly wantSent: readonly string[];
    readonly wantLost: number;
    readonly wantWarned: number;
  }[] = [
    { name: "are written in order", answers: [], wantSent: ["a", "b"], wantLost: 0, wantWarned: 0 },
    {
      name: "one that exists already counts as written",
      answers: [{ kind: "conflict" }],
      wantSent: ["a", "b"],
      wantLost: 0,
      wantWarned: 0,
    },
    {
      name: "one whose namespace was deleted counts as written",
      answers: [{ kind: "gone" }],
      wantSent: ["a", "b"],
      wantLost: 0,
      wantWarned: 0,
    },
    {
      name: "refused ones are dropped at once, each counted, with one warning",
      answers: [
        { kind: "refused", why: "forbidden" },
        { kind: "refused", why: "forbidden" },
      ],
      wantSent: ["a", "b"],
      wantLost: 2,
      wantWarned: 1,
    },
    {
      name: "one without an answer is sent again, and later ones wait",
      answers: [away, away],
      wantSent: ["a", "a", "a", "b"],
      wantLost: 0,
      wantWarned: 0,
    },
    {
      name: "one without an answer three times is dropped",
      answers: [away, away, away],
      wantSent: ["a", "a", "a", "b"],
      wantLost: 1,
      wantWarned: 1,
    },
  ];

  it.each(cases)("$name", async ({ answers, wantSent, wantLost, wantWarned }) => {
    const { recorder, clock, sent, lost, warned } = open(...answers);
    recorder.record(event("a"));
    recorder.record(event("b"));
    await clock.advance(60_000);
    expect([sent, lost.count, warned.length]).toEqual([wantSent, wantLost, wantWarned]);
  });

  it("waits for as long as the API server asks", async () => {
    const { recorder, clock, sent } = open({ ...away, retryAfterMs: 20_000 });
    recorder.record(event("a"));
    await clock.advance(19_000);
    expect(sent).toEqual(["a"]);
    await clock.advance(2_000);
    expect(sent).toEqual(["a", "a"]);
  });

  it("the problem ends once an Event is written", async () => {
    const { recorder, clock, named } = open({ kind: "refused", why: "forbidden" });
    recorder.record(event("a"));
    await clock.settle();
    expect(named).toEqual(["kubectl describe lacks Events of meshroll, moves go on: forbidden"]);
    recorder.record(event("b"));
    await clock.settle();
    expect(named).toEqual([]);
  });

  it("keeps the newest thousand while the API server is away", async () => {
    const { recorder, clock, sent, lost } = open(away);
    for (let each = 0; each < 1_200; each += 1) recorder.record(event(String(each)));
    await clock.advance(10_000);
    expect([lost.count, sent.length, sent.at(-1)]).toEqual([200, 1_001, "1199"]);
  });

  it("ends with its executor", async () => {
    const { recorder, clock, sent, warned, stop } = open(away);
    recorder.record(event("a"));
    await clock.settle();
    stop.abort(new Error("asked to end"));
    await clock.advance(60_000);
    expect([sent, warned]).toEqual([["a"], []]);
  });

  it("an Event that cannot be sent is given up, and the next ones are written", async () => {
    const { clock, sent, warned, lost, recorder } = open();
    for (const id of ["a", "bad", "b"]) recorder.record(event(id));
    await clock.settle();
    recorder.record(event("c"));
    await clock.settle();
    expect([sent, lost.count, warned]).toMatchObject([["a", "bad", "b", "c"], 1, [{ event: "bad" }]]);
  });
});
