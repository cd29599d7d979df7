import { renderReason } from "#libs/wording";

import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createFakeChat } from "#fakes/chat";
import { describe, expect, it } from "vitest";

import * as make from "../delivery/test-world.ts";
import { makeSlackEnvironment, readBlocks, rootText } from "./test-slack.ts";

const { run } = make;

const openSink = (status = make.statusOf()) =>
  makeSlackEnvironment(createFakeChat(), openFakeBus(createFakeBusServer()).bucket("status"), status);

describe("waits and clusters", () => {
  const since = "2026-11-21T13:00:00.000Z";
  const key = { scope: `run/${run}@one`, code: "RevisionMissing", since, run };
  const began = make.eventOf("waitBegan", "w1", {
    ...key,
    message: "revision 1-29 is missing",
    owner: "the mesh operator",
  });
  const ended = make.eventOf("waitEnded", "w2", key, 720);

  it("a wait is reported once, and its end is written next to it", async () => {
    const { sink, texts, chat } = openSink();
    await sink.deliver(make.receivedOf(began));
    await sink.deliver(make.receivedOf(ended));
    expect(texts().slice(1)).toEqual(["  Waiting for a person: RevisionMissing."]);
    expect(readBlocks(chat, 1)).toContain("ended after 12 min");
  });

  it("a wait that a restarted planner publishes again is not posted again", async () => {
    const { sink, texts } = openSink();
    await sink.deliver(make.receivedOf(began));
    const again = { ...key, since: "2026-11-21T15:00:00.000Z", message: "revision 1-29 is missing", owner: "x" };
    await sink.deliver(make.receivedOf(make.eventOf("waitBegan", "w3", again)));
    expect(texts()).toHaveLength(2);
  });

  it("a missing cluster is posted in the thread of each run that cannot end without it, else in the channel", async () => {
    const { sink, texts, chat } = openSink();
    await sink.deliver(
      make.receivedOf(make.eventOf("clusterUnreachable", "c1", { cluster: "two", since, runs: [run] })),
    );
    await sink.deliver(make.receivedOf(make.eventOf("clusterUnreachable", "c2", { cluster: "six", since, runs: [] })));
    expect(texts().slice(1)).toEqual(["  A cluster is not seen any more.", "A cluster is not seen any more."]);
    await sink.deliver(make.receivedOf(make.eventOf("clusterSeen", "c3", { cluster: "six", since, runs: [] }, 300)));
    expect(readBlocks(chat, 1)).not.toContain("over after");
    expect(readBlocks(chat, 2)).toContain("ended after 5 min");
  });
});

describe("a late message", () => {
  const late = { isLate: true };

  it("of an open run is a line in one message, with the newest state", async () => {
    const { sink, texts, chat } = openSink();
    for (const event of [
      make.startedOf(),
      make.failedOf("shop/Deployment/a"),
      make.placedOf("v1", `run/${run}`),
      make.resumedOf("v1", `run/${run}`),
    ]) {
      await sink.deliver(make.receivedOf(event, late));
    }
    expect(texts()).toEqual([rootText, "  Sent late: what happened while Slack could not be reached."]);
    for (const word of ["failed: ReadinessTimeout", "paused by ana", "resumed by ben"])
      expect(readBlocks(chat, 1)).toContain(word);
  });

  it("of an ended run posts only how it ended", async () => {
    const { sink, runs, texts } = openSink(make.statusOf({ runs: [] }));
    const done = make.doneOf({ subject: "staging to 50" });
    for (const event of [
      make.startedOf(),
      make.failedOf("shop/Deployment/a"),
      make.placedOf("v1", `run/${run}`),
      done,
    ]) {
      await sink.deliver(make.receivedOf(event, late));
      runs.note(event);
    }
    await sink.deliver(make.receivedOf(done, late));
    expect(texts()).toEqual(["staging to 50: done, 40 of 40 workloads run what was merged."]);
  });

  const stops = [
    { name: "of a stop in force is posted", stops: [make.stopOf("v2", "all")], want: 1 },
    { name: "of a stop that was ended meanwhile is not posted", stops: [], want: 0 },
  ];
  it.each(stops)("$name", async ({ stops: state, want }) => {
    const { sink, texts } = openSink(make.statusOf({ stops: state }));
    await sink.deliver(make.receivedOf(make.placedOf("v2", "all"), late));
    if (want === 0) await sink.deliver(make.receivedOf(make.resumedOf("v2", "all"), late));
    expect(texts()).toHaveLength(want);
  });
});

describe("a stop by failures", () => {
  const failures = { who: "meshroll planner", why: "too many failed", cause: "failures" } as const;
  const scope = `run/${run}`;
  const rollback = { ...make.stopOf("b1", scope), cause: "rollback" } as const;
  const whole = ["get", "retry", "rollback", "resume"];
  const cases = [
    { name: "offers to show, retry, roll back and continue", stops: [], want: whole },
    { name: "offers only to show while a rollback of its run is in force", stops: [rollback], want: ["get"] },
    {
      name: "offers everything while another run is rolled back",
      stops: [{ ...rollback, scope: "run/ffffffffffff" }],
      want: whole,
    },
  ];
  it.each(cases)("$name", async ({ stops, want }) => {
    const { sink, chat } = openSink(make.statusOf({ stops }));
    await sink.deliver(make.receivedOf(make.placedOf("f1", scope, failures)));
    const verbs = [...readBlocks(chat, 1).matchAll(/`meshroll (\w+)/gu)].map(([, verb]) => verb);
    expect(verbs).toEqual(want);
  });

  it.each([
    { name: "offers no second rollback once one was posted, before the status shows it", at: -1, want: false },
    { name: "offers a rollback if a newer status no longer shows the posted one", at: 1, want: true },
  ])("$name", async ({ at, want }) => {
    const told = make.placedOf("b1", scope, { cause: "rollback" });
    const { sink, chat } = openSink(make.statusOf({ at: new Date(Date.parse(told.at) + at).toISOString() }));
    await sink.deliver(make.receivedOf(told));
    await sink.deliver(make.receivedOf(make.placedOf("f1", scope, failures)));
    expect(readBlocks(chat, 2).includes("meshroll rollback")).toBe(want);
  });
});

describe("the message of a run is edited in place", () => {
  it("when something changed, at most every five seconds; passing time is no change", async () => {
    const { sink, runs, chat, pass } = openSink();
    await sink.deliver(make.receivedOf(make.startedOf()));
    const edits = () => chat.messages[0]?.edits;
    for (let second = 0; second < 10; second += 1) {
      const hinders = { kind: "moves" } as const;
      const wait = { code: "ClusterUnreachable", cluster: "two", seconds: 60 + second, hinders } as const;
      const waiting = [{ scope: "all", ...renderReason(wait) }];
      runs.setStatus(make.statusOf({ runs: [make.runStatusOf({ migrated: 11 })], waiting }));
      pass(1000);
      await sink.refresh();
    }
    expect(edits()).toBe(1);
    for (let migrated = 12; migrated < 32; migrated += 1) {
      runs.setStatus(make.statusOf({ runs: [make.runStatusOf({ migrated })] }));
      pass(1000);
      await sink.refresh();
    }
    expect(edits()).toBeLessThanOrEqual(6);
    pass(5000);
    await sink.refresh();
    expect(chat.messages[0]?.text).toContain("31 of 40");
  });

  it("by another process, which finds it by its marker", async () => {
    const { sink, other, runs, chat, pass } = openSink();
    await sink.deliver(make.receivedOf(make.startedOf()));
    runs.setStatus(make.statusOf({ runs: [make.runStatusOf({ migrated: 39 })] }));
    pass(10_000);
    await other().refresh();
    expect(chat.messages[0]?.edits).toBe(1);
    expect(chat.messages).toHaveLength(1);
  });

  it("after a deletion only with the next news", async () => {
    const { sink, runs, chat, pass, texts } = openSink();
    await sink.deliver(make.receivedOf(make.startedOf()));
    chat.remove(chat.messages[0]?.id ?? "");
    runs.setStatus(make.statusOf({ runs: [make.runStatusOf({ migrated: 20 })] }));
    pass(10_000);
    await sink.refresh();
    expect(texts()).toEqual([]);
    await sink.deliver(make.receivedOf(make.failedOf("shop/Deployment/a")));
    expect(texts()).toHaveLength(2);
  });

  it("later, where an edit failed", async () => {
    const { sink, runs, chat, pass } = openSink();
    await sink.deliver(make.receivedOf(make.startedOf()));
    runs.setStatus(make.statusOf({ runs: [make.runStatusOf({ migrated: 20 })] }));
    pass(10_000);
    chat.disconnect();
    await expect(sink.refresh()).rejects.toThrow("does not answer");
    chat.connect();
    await sink.refresh();
    expect(chat.messages[0]?.text).toContain("20 of 40");
  });
});
