import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createFakeChat } from "#fakes/chat";
import { describe, expect, it } from "vitest";

import * as make from "../delivery/test-world.ts";
import { makeSlackState, rootText } from "./test-slack.ts";

const { run } = make;

const makeSnapshot = (status = make.statusOf()) =>
  makeSlackState(createFakeChat(), openFakeBus(createFakeBusServer()).bucket("status"), status);

describe("a run has one thread", () => {
  it("its message, and a reply for what a person must know", async () => {
    const { sink, texts } = makeSnapshot();
    const events = [
      make.startedOf(),
      make.eventOf("batchHandedOut", "b1", { run, cluster: "one" }),
      make.failedOf("shop/Deployment/web"),
      make.placedOf("v1", `run/${run}`, { cause: "failures" }),
      make.resumedOf("v1", `run/${run}`),
    ];
    for (const event of events) await sink.tell(make.toldOf(event));
    expect(texts()).toEqual([
      rootText,
      "  1 workload failed: ReadinessTimeout.",
      `  Paused: run/${run}, by ana: 5xx rise.`,
      "  Resumed by ben: looked at it.",
    ]);
  });

  it("nothing for a workload that merely moved or arrived, and nothing for a batch", async () => {
    const { sink, texts, chat } = makeSnapshot();
    const workload = { run, cluster: "one", workload: "shop/Deployment/web", revision: "1-29" };
    await sink.tell(make.toldOf(make.eventOf("workloadMoved", "m", workload)));
    await sink.tell(make.toldOf(make.eventOf("workloadMigrated", "a", workload)));
    await sink.tell(make.toldOf(make.eventOf("batchEnded", "e", { run, cluster: "one", why: "carried out" })));
    expect(texts()).toEqual([]);
    expect(chat.calls).toEqual([]);
  });

  it("failures of one reason are one message; another reason, or ten minutes later, is another", async () => {
    const { sink, texts } = makeSnapshot();
    for (const name of ["a", "b", "c"]) await sink.tell(make.toldOf(make.failedOf(`shop/Deployment/${name}`)));
    await sink.tell(make.toldOf(make.failedOf("shop/Deployment/d", 60, "CrashLoopBackOff")));
    await sink.tell(make.toldOf(make.failedOf("shop/Deployment/e", 1260)));
    expect(texts().slice(1)).toEqual([
      "  3 workloads failed: ReadinessTimeout.",
      "  1 workload failed: CrashLoopBackOff.",
      "  1 workload failed: ReadinessTimeout.",
    ]);
  });

  it("its end is a reply, and the message shows it for ever", async () => {
    const { sink, runs, texts, chat } = makeSnapshot();
    await sink.tell(make.toldOf(make.startedOf()));
    const done = make.doneOf({ migrated: 38, skipped: 2 });
    runs.note(done);
    await sink.tell(make.toldOf(done));
    runs.setStatus(make.statusOf({ runs: [] }));
    await sink.refresh();
    expect(texts()).toEqual([
      "production: 5 to 25: done, some skipped, 38 of 40 workloads run what was merged.",
      `  Run ${run} is done: 38 migrated, 2 did not move.`,
    ]);
    expect(chat.messages[1]?.broadcast).toBe(true);
  });

  it("one that only its end reports gets its message, too: the other messages were lost", async () => {
    const { sink, runs, texts } = makeSnapshot(make.statusOf({ runs: [] }));
    const done = make.doneOf({ subject: "staging to 50" });
    runs.note(done);
    await sink.tell(make.toldOf(done));
    expect(texts()).toEqual([
      "staging to 50: done, 40 of 40 workloads run what was merged.",
      `  Run ${run} is done: all 40 workloads migrated.`,
    ]);
  });
});

describe("published again, by any process, is sent once", () => {
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

  it("every message again, by the same process and by one that was just started", async () => {
    const { sink, other, runs, texts } = makeSnapshot();
    for (const event of events) {
      runs.note(event);
      await sink.tell(make.toldOf(event));
    }
    const before = texts();
    for (const event of events) await sink.tell(make.toldOf(event));
    for (const event of events) await sink.tell(make.toldOf(event, { isMine: false }));
    const fresh = other();
    for (const event of events) await fresh.tell(make.toldOf(event, { isMine: false }));
    expect(texts().slice(1)).toEqual(before.slice(1));
    expect(texts()).toHaveLength(9);
  });

  it("after each post whose answer was lost", async () => {
    const { sink, chat, texts } = makeSnapshot();
    for (const event of events.slice(0, 7)) {
      chat.loseAnswers(1);
      for (let tries = 1; ; tries += 1) {
        const isTold = await sink.tell(make.toldOf(event, { isMine: tries === 1 })).then(
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

  it("one that froze with a message in its hand posts nothing when it wakes", async () => {
    const { sink, texts } = makeSnapshot();
    await sink.tell(make.toldOf(make.startedOf()));
    const frozen = sink.tell(make.toldOf(make.failedOf("shop/Deployment/a"), { isHeld: () => false }));
    await expect(frozen).rejects.toThrow("another notifier");
    expect(texts()).toEqual([rootText]);
  });
});

describe("stops outside of any run", () => {
  it("have a thread of their own, with their end", async () => {
    const { sink, texts, chat } = makeSnapshot();
    await sink.tell(make.toldOf(make.placedOf("v2", "cluster/one")));
    await sink.tell(make.toldOf(make.resumedOf("v2", "cluster/one")));
    expect(texts()).toEqual([
      "Paused: cluster/one, by ana: 5xx rise. Resumed by ben: looked at it.",
      "  Resumed by ben: looked at it.",
    ]);
    expect(chat.messages[1]?.broadcast).toBe(true);
    expect(chat.messages[0]?.blocks[0]).toEqual({ kind: "header", text: "Resumed: cluster/one" });
    expect(chat.messages[0]?.edits).toBe(1);
  });

  it("one that is overdue asks its owner, once, in its thread", async () => {
    const { sink, texts } = makeSnapshot();
    const data = { who: "ana", why: "5xx", until: "2026-11-21T13:30:00.000Z", strength: "move" } as const;
    const overdue = make.eventOf("stopOverdue", "o", { stop: "v2", scope: "cluster/one", ...data });
    await sink.tell(make.toldOf(make.placedOf("v2", "cluster/one")));
    await sink.tell(make.toldOf(overdue));
    await sink.tell(make.toldOf(overdue, { isMine: false }));
    expect(texts().slice(1)).toEqual(["  ana, the pause on cluster/one is overdue: does it have to stay?"]);
    const ofRun = make.eventOf("stopOverdue", "p", { stop: "v1", scope: `run/${run}`, ...data });
    await sink.tell(make.toldOf(ofRun));
    expect(texts().slice(2)).toEqual([rootText, `  ana, the pause on run/${run} is overdue: does it have to stay?`]);
  });

  it("a resume of one that was not posted is a message of its own", async () => {
    const { sink, texts } = makeSnapshot();
    await sink.tell(make.toldOf(make.resumedOf("v9", "all")));
    expect(texts()).toEqual(["Resumed by ben: looked at it."]);
  });

  it("a resume that does not say its scopes finds the run's thread", async () => {
    const { sink, texts } = makeSnapshot();
    await sink.tell(make.toldOf(make.placedOf("v1", `run/${run}`)));
    const resumed = make.eventOf("stopResumed", "l", { stops: ["v1"], who: "ben", why: "looked at it" });
    await sink.tell(make.toldOf(resumed));
    expect(texts().at(-1)).toBe("  Resumed by ben: looked at it.");
  });
});
