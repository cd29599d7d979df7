import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createFakeChat } from "#fakes/chat";
import { describe, expect, it } from "vitest";

import * as make from "../delivery/test-world.ts";
import { makeSlackEnvironment, rootText } from "./test-slack.ts";

const { run } = make;

const openSink = (status = make.statusOf()) =>
  makeSlackEnvironment(createFakeChat(), openFakeBus(createFakeBusServer()).bucket("status"), status);

describe("a run has one thread", () => {
  it("with the run's message and replies for what a person must know", async () => {
    const { sink, texts } = openSink();
    const events = [
      make.startedOf(),
      make.eventOf("batchHandedOut", "b1", { run, cluster: "one" }),
      make.failedOf("shop/Deployment/web"),
      make.placedOf("v1", `run/${run}`, { cause: "failures" }),
      make.resumedOf("v1", `run/${run}`),
    ];
    for (const event of events) await sink.deliver(make.receivedOf(event));
    expect(texts()).toEqual([
      rootText,
      "  1 workload failed: ReadinessTimeout.",
      `  Paused: run/${run}, by ana: 5xx rise.`,
      "  Resumed by ben: looked at it.",
    ]);
  });

  it("without a reply for a workload that moved or arrived, or for a batch", async () => {
    const { sink, texts, chat } = openSink();
    const workload = { run, cluster: "one", workload: "shop/Deployment/web", revision: "1-29" };
    await sink.deliver(make.receivedOf(make.eventOf("workloadMoved", "m", workload)));
    await sink.deliver(make.receivedOf(make.eventOf("workloadMigrated", "a", workload)));
    await sink.deliver(make.receivedOf(make.eventOf("batchEnded", "e", { run, cluster: "one", why: "carried out" })));
    expect(texts()).toEqual([]);
    expect(chat.calls).toEqual([]);
  });

  it("with one message for failures of a code; another code, or ten minutes later, is another message", async () => {
    const { sink, texts } = openSink();
    for (const name of ["a", "b", "c"]) {
      const said = `app-${name} is not ready`;
      const failed = make.failedOf(`shop/Deployment/${name}`, 60, "ReadinessTimeout", "one", said);
      await sink.deliver(make.receivedOf(failed));
    }
    await sink.deliver(make.receivedOf(make.failedOf("shop/Deployment/d", 60, "CrashLoopBackOff")));
    await sink.deliver(make.receivedOf(make.failedOf("shop/Deployment/e", 1260)));
    expect(texts().slice(1)).toEqual([
      "  3 workloads failed: ReadinessTimeout.",
      "  1 workload failed: CrashLoopBackOff.",
      "  1 workload failed: ReadinessTimeout.",
    ]);
  });

  it("with a reply for its end, which the run's message shows as well", async () => {
    const { sink, runs, texts, chat } = openSink();
    await sink.deliver(make.receivedOf(make.startedOf()));
    const done = make.doneOf({ migrated: 38, skipped: 2 });
    runs.note(done);
    await sink.deliver(make.receivedOf(done));
    runs.setStatus(make.statusOf({ runs: [] }));
    await sink.refresh();
    expect(texts()).toEqual([
      "production: 5 to 25: done, some skipped, 38 of 40 workloads run what was merged.",
      `  Run ${run} is done: 38 migrated, 2 did not move.`,
    ]);
    expect(chat.messages[1]?.broadcast).toBe(true);
  });

  it("if all messages but the last were lost", async () => {
    const { sink, runs, texts } = openSink(make.statusOf({ runs: [] }));
    const done = make.doneOf({ subject: "staging to 50" });
    runs.note(done);
    await sink.deliver(make.receivedOf(done));
    expect(texts()).toEqual([
      "staging to 50: done, 40 of 40 workloads run what was merged.",
      `  Run ${run} is done: all 40 workloads migrated.`,
    ]);
  });
});

describe("messages that are published again are posted once", () => {
  const events = [
    make.startedOf(),
    make.failedOf("shop/Deployment/a"),
    make.failedOf("shop/Deployment/b"),
    make.placedOf("v1", `run/${run}`),
    make.placedOf("v2", "all"),
    make.resumedOf("v2", "all"),
    make.resumedOf("v1", `run/${run}`),
    make.eventOf("waitBegan", "w", {
      scope: `run/${run}@one`,
      code: "RevisionMissing",
      since: "2026-11-21T13:00:00.000Z",
      message: "m",
      owner: "o",
      run,
    }),
    make.eventOf("clusterUnreachable", "c", { cluster: "two", since: "2026-11-21T13:00:00.000Z", runs: [run] }),
    make.doneOf(),
  ];

  it("by the same process and by a new one", async () => {
    const { sink, other, runs, texts } = openSink();
    for (const event of events) {
      runs.note(event);
      await sink.deliver(make.receivedOf(event));
    }
    const before = texts();
    for (const event of events) await sink.deliver(make.receivedOf(event));
    for (const event of events) await sink.deliver(make.receivedOf(event, { isMine: false }));
    const fresh = other();
    for (const event of events) await fresh.deliver(make.receivedOf(event, { isMine: false }));
    expect(texts().slice(1)).toEqual(before.slice(1));
    expect(texts()).toHaveLength(9);
  });

  it("after each post whose answer was lost", async () => {
    const { sink, chat, texts } = openSink();
    for (const event of events.slice(0, 7)) {
      chat.loseAnswers(1);
      for (let tries = 1; ; tries += 1) {
        const isTold = await sink.deliver(make.receivedOf(event, { isMine: tries === 1 })).then(
          () => true,
          () => false,
        );
        if (isTold) break;
        expect(tries).toBeLessThan(5);
      }
    }
    const keys = chat.messages.map(({ marker, thread = "" }) => `${thread} ${marker.key}`);
    expect(keys).toEqual([...new Set(keys)]);
    expect(texts()).toHaveLength(6);
  });

  it("a process that froze with a message posts nothing when it wakes", async () => {
    const { sink, texts } = openSink();
    await sink.deliver(make.receivedOf(make.startedOf()));
    const frozen = sink.deliver(make.receivedOf(make.failedOf("shop/Deployment/a"), { isHeld: () => false }));

    await expect(frozen).rejects.toThrow("another notifier");
    expect(texts()).toEqual([rootText]);
  });
});

describe("stops outside of any run", () => {
  it("have their own thread, with their end", async () => {
    const { sink, texts, chat } = openSink();
    await sink.deliver(make.receivedOf(make.placedOf("v2", "cluster/one")));
    await sink.deliver(make.receivedOf(make.resumedOf("v2", "cluster/one")));
    expect(texts()).toEqual([
      "Paused: cluster/one, by ana: 5xx rise. Resumed by ben: looked at it.",
      "  Resumed by ben: looked at it.",
    ]);
    expect(chat.messages[1]?.broadcast).toBe(true);
    expect(chat.messages[0]?.blocks[0]).toEqual({ kind: "header", text: "Resumed: cluster/one" });
    expect(chat.messages[0]?.edits).toBe(1);
  });

  it("ask their owner once, in their thread, when overdue", async () => {
    const { sink, texts } = openSink();
    const data = { who: "ana", why: "5xx", until: "2026-11-21T13:30:00.000Z", strength: "move" } as const;
    const overdue = make.eventOf("stopOverdue", "o", { stop: "v2", scope: "cluster/one", ...data });
    await sink.deliver(make.receivedOf(make.placedOf("v2", "cluster/one")));
    await sink.deliver(make.receivedOf(overdue));
    await sink.deliver(make.receivedOf(overdue, { isMine: false }));
    expect(texts().slice(1)).toEqual(["  ana, the pause on cluster/one is overdue: is it still needed?"]);
    const ofRun = make.eventOf("stopOverdue", "p", { stop: "v1", scope: `run/${run}`, ...data });
    await sink.deliver(make.receivedOf(ofRun));
    expect(texts().slice(2)).toEqual([rootText, `  ana, the pause on run/${run} is overdue: is it still needed?`]);
  });

  it("get a message for their resume where no message of them exists", async () => {
    const { sink, texts } = openSink();
    await sink.deliver(make.receivedOf(make.resumedOf("v9", "all")));
    expect(texts()).toEqual(["Resumed by ben: looked at it."]);
  });

  it("a resume without scopes is posted in the run's thread", async () => {
    const { sink, texts } = openSink();
    await sink.deliver(make.receivedOf(make.placedOf("v1", `run/${run}`)));
    const resumed = make.eventOf("stopResumed", "l", { stops: ["v1"], who: "ben", why: "looked at it" });
    await sink.deliver(make.receivedOf(resumed));
    expect(texts().at(-1)).toBe("  Resumed by ben: looked at it.");
  });
});
