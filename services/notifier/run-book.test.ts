import { describe, expect, it } from "vitest";

import { createRunBook, type RunBook } from "./run-book.ts";
import { commit, doneOf, eventOf, failedOf, run, runStatusOf, startedOf, statusOf } from "./test-world.ts";

function make(): { readonly book: RunBook; readonly pass: (ms: number) => void } {
  let now = 1_000_000;
  return { book: createRunBook({ monotonic: () => now, wall: () => now }), pass: (ms) => void (now += ms) };
}

describe("what is known of a run", () => {
  it("comes from its beginning, or from the status for who was not there", () => {
    const { book } = make();
    book.setStatus(statusOf());
    expect(book.sight(run).facts).toMatchObject({ subject: "production: 5 to 25", author: "ana" });
    expect(book.sight(run).facts.commit).toBeUndefined();
    book.setStatus(statusOf({ runs: [runStatusOf({ commit })] }));
    expect(book.sight(run).facts.commit).toBe(commit);
    book.note(startedOf());
    expect(book.sight(run).facts.commit).toBe(commit);
  });

  it("comes from its end for who heard nothing else", () => {
    const { book } = make();
    book.note(doneOf({ commit, subject: "s", author: "ana" }));
    expect(book.sight(run).facts).toMatchObject({ commit, subject: "s", end: { arrived: 40 } });
    expect(book.isOpen(run)).toBe(false);
  });

  it("is open by the status, and unknown while there is none", () => {
    const { book } = make();
    expect(book.isOpen(run)).toBeUndefined();
    book.setStatus(statusOf());
    expect(book.isOpen(run)).toBe(true);
    book.setStatus(statusOf({ runs: [] }));
    expect(book.isOpen(run)).toBe(false);
  });

  it("a message that comes twice counts once", () => {
    const { book } = make();
    for (const each of [failedOf("a/Deployment/x"), failedOf("a/Deployment/x"), failedOf("a/Deployment/y")])
      book.note(each);
    expect(book.progress(run).get("one")?.failures).toEqual(new Map([["ReadinessTimeout", 2]]));
  });

  it("clusters are queued, begin, fail and go on", () => {
    const { book } = make();
    const handedOut = (id: string) => eventOf("batchHandedOut", id, { run, cluster: "one", workloads: [] });
    const see = () => [...book.progress(run)].map(([name, { hasBegun, isFailing }]) => ({ name, hasBegun, isFailing }));
    book.note(startedOf({ clusters: ["one", "two"] }));
    const two = { name: "two", hasBegun: false, isFailing: false };
    expect(see()).toEqual([{ name: "one", hasBegun: false, isFailing: false }, two]);
    book.note(handedOut("b1"));
    expect(see()).toEqual([{ name: "one", hasBegun: true, isFailing: false }, two]);
    book.note(failedOf("a/Deployment/x"));
    expect(see()).toEqual([{ name: "one", hasBegun: true, isFailing: true }, two]);
    book.note(handedOut("b2"));
    expect(see()).toEqual([{ name: "one", hasBegun: true, isFailing: false }, two]);
  });
});

describe("a run that a retry opened again", () => {
  it("is open once a status from after its end shows it, and ends anew", () => {
    const { book } = make();
    book.note(startedOf());
    book.note(doneOf());
    book.setStatus(statusOf({ at: "2026-11-21T13:09:59.999Z" }));
    expect(book.isOpen(run)).toBe(false);
    book.setStatus(statusOf({ at: "2026-11-21T13:10:05.000Z" }));
    expect(book.isOpen(run)).toBe(true);
    expect(book.sight(run).facts.end).toBeUndefined();
    book.note(eventOf("runDone", "second", { run, state: "done", arrived: 41, aside: 0 }, 900));
    expect(book.sight(run).facts.end?.arrived).toBe(41);
  });
});

describe("of which runs people may be told now", () => {
  it("open ones, and those that ended a short while ago", () => {
    const { book, pass } = make();
    book.setStatus(statusOf());
    expect(book.list()).toEqual([run]);
    book.note(doneOf());
    book.setStatus(statusOf({ runs: [] }));
    expect(book.list()).toEqual([run]);
    pass(2 * 60_000);
    expect(book.list()).toEqual([]);
  });

  it("one that vanished without a word, after a minute", () => {
    const { book, pass } = make();
    book.setStatus(statusOf());
    book.setStatus(statusOf({ runs: [] }));
    expect(book.list()).toEqual([]);
    pass(61_000);
    expect(book.list()).toEqual([run]);
    expect(book.sight(run).hasVanished).toBe(true);
  });

  it("a planner that has been silent for a minute is shown as silent", () => {
    const { book, pass } = make();
    book.setStatus(statusOf({ wroteAt: 1_000_000 }));
    expect(book.sight(run).silentSince).toBeUndefined();
    pass(60_001);
    expect(book.sight(run).silentSince).toBe(new Date(1_000_000).toISOString());
  });

  it("a thousand runs are not remembered for ever", () => {
    const { book } = make();
    for (let index = 0; index < 1000; index += 1) {
      book.note(eventOf("runDone", `d-${index}`, { run: `r-${index}`, state: "done", arrived: 1, aside: 0 }));
    }
    expect(book.list().length).toBeLessThanOrEqual(50);
  });
});
