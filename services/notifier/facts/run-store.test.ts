import { describe, expect, it } from "vitest";

import { createRunStore, type RunStore } from "./run-store.ts";
import { commit, doneOf, eventOf, failedOf, run, runStatusOf, startedOf, statusOf } from "../delivery/test-world.ts";

function make(): { readonly store: RunStore; readonly pass: (ms: number) => void } {
  let now = 1_000_000;
  return { store: createRunStore({ monotonic: () => now, wall: () => now }), pass: (ms) => void (now += ms) };
}

describe("what is known of a run", () => {
  it("comes from its first message, or from the status", () => {
    const { store } = make();
    store.setStatus(statusOf());
    expect(store.report(run).facts).toMatchObject({ subject: "production: 5 to 25", author: "ana" });
    expect(store.report(run).facts.commit).toBeUndefined();
    store.setStatus(statusOf({ runs: [runStatusOf({ commit })] }));
    expect(store.report(run).facts.commit).toBe(commit);
    store.note(startedOf());
    expect(store.report(run).facts.commit).toBe(commit);
  });

  it("comes from its last message where no other arrived", () => {
    const { store } = make();
    store.note(doneOf({ commit, subject: "s", author: "ana" }));
    expect(store.report(run).facts).toMatchObject({ commit, subject: "s", end: { migrated: 40 } });
    expect(store.isOpen(run)).toBe(false);
  });

  it("is open by the status, and unknown while there is none", () => {
    const { store } = make();
    expect(store.isOpen(run)).toBeUndefined();
    store.setStatus(statusOf());
    expect(store.isOpen(run)).toBe(true);
    store.setStatus(statusOf({ runs: [] }));
    expect(store.isOpen(run)).toBe(false);
  });

  it("a message that comes twice counts once", () => {
    const { store } = make();
    for (const each of [failedOf("a/Deployment/x"), failedOf("a/Deployment/x"), failedOf("a/Deployment/y")])
      store.note(each);
    expect(store.progress(run).get("one")?.failures).toEqual(new Map([["ReadinessTimeout", 2]]));
  });

  it("a message of another type with the same id does not replace it", () => {
    const { store } = make();
    store.note({ ...failedOf("a/Deployment/x"), id: doneOf().id });
    store.note(doneOf());
    expect(store.isOpen(run)).toBe(false);
  });

  it("clusters are queued, begin, fail and continue", () => {
    const { store } = make();
    const handedOut = (id: string) => eventOf("batchHandedOut", id, { run, cluster: "one" });
    const see = () =>
      [...store.progress(run)].map(([name, { hasBegun, isFailing }]) => ({ name, hasBegun, isFailing }));
    store.note(startedOf({ clusters: ["one", "two"] }));
    const two = { name: "two", hasBegun: false, isFailing: false };
    expect(see()).toEqual([{ name: "one", hasBegun: false, isFailing: false }, two]);
    store.note(handedOut("b1"));
    expect(see()).toEqual([{ name: "one", hasBegun: true, isFailing: false }, two]);
    store.note(failedOf("a/Deployment/x"));
    expect(see()).toEqual([{ name: "one", hasBegun: true, isFailing: true }, two]);
    store.note(handedOut("b2"));
    expect(see()).toEqual([{ name: "one", hasBegun: true, isFailing: false }, two]);
  });
});

describe("a run that a retry opened again", () => {
  it("is open once a status from after its end shows it, and ends again", () => {
    const { store } = make();
    store.note(startedOf());
    store.note(doneOf());
    store.setStatus(statusOf({ at: "2026-11-21T13:09:59.999Z" }));
    expect(store.isOpen(run)).toBe(false);
    store.setStatus(statusOf({ at: "2026-11-21T13:10:05.000Z" }));
    expect(store.isOpen(run)).toBe(true);
    expect(store.report(run).facts.end).toBeUndefined();
    store.note(eventOf("runDone", "second", { run, state: "done", migrated: 41, skipped: 0 }, 900));
    expect(store.report(run).facts.end?.migrated).toBe(41);
  });
});

describe("runs whose messages may be edited", () => {
  it("are open ones, and those that ended recently", () => {
    const { store, pass } = make();
    store.setStatus(statusOf());
    expect(store.list()).toEqual([run]);
    store.note(doneOf());
    store.setStatus(statusOf({ runs: [] }));
    expect(store.list()).toEqual([run]);
    pass(2 * 60_000);
    expect(store.list()).toEqual([]);
  });

  it("include one that vanished without a message, after a minute", () => {
    const { store, pass } = make();
    store.setStatus(statusOf());
    store.setStatus(statusOf({ runs: [] }));
    expect(store.list()).toEqual([]);
    pass(61_000);
    expect(store.list()).toEqual([run]);
    expect(store.report(run).hasVanished).toBe(true);
  });

  it("a planner that has been silent for a minute is shown as silent", () => {
    const { store, pass } = make();
    store.setStatus(statusOf({ wroteAt: 1_000_000 }));
    expect(store.report(run).silentSince).toBeUndefined();
    pass(60_001);
    expect(store.report(run).silentSince).toBe(new Date(1_000_000).toISOString());
  });

  it("are not remembered for ever", () => {
    const { store } = make();
    for (let index = 0; index < 1000; index += 1) {
      store.note(eventOf("runDone", `d-${index}`, { run: `r-${index}`, state: "done", migrated: 1, skipped: 0 }));
    }
    expect(store.list().length).toBeLessThanOrEqual(50);
  });
});
