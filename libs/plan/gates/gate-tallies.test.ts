import type { RunRecord, Sample } from "#libs/plan";
import { askGates, pushRecord, readGateNow, tellAnswer } from "#test/world/campaigns/ask-gates";
import { makeMigrated, makeCluster, makeWorkload, noon, runId } from "#test/world/build";
import {
  gates,
  isoAt,
  resumedByAna,
  makeGateStop,
  makeGateSnapshot,
  makeSyncedCluster,
} from "#test/world/campaigns/gates";
import { describe, expect, it, test } from "vitest";

const migrated = makeMigrated(makeWorkload("shop/a"), "new", runId);
const clusters = [makeCluster("one", [migrated])];
const minute = 60_000;
const gate = gates.prometheus({ failureLimit: 3 });

const bad = (ago: number): Sample => ({ at: noon - ago, madeAt: isoAt(-ago), query: "errors", value: 0.5 });
const good = (ago: number): Sample => ({ ...bad(ago), value: 0 });
const recordedBad = (ago: number) => ({ at: isoAt(-ago), value: 0.5 });

type Measured = NonNullable<RunRecord["measured"]>;

function snapshotOf(
  samples: readonly Sample[],
  measured: Measured = {},
  change: Parameters<typeof gates.prometheus>[0] = {},
) {
  const asked = gates.prometheus({ failureLimit: 3, ...change });
  return makeGateSnapshot({ gate: asked, clusters, samples, run: { measured }, snapshot: { now: noon } });
}

const twoBad = { g: { by: "errors", bad: [recordedBad(4 * minute), recordedBad(3 * minute)] } };

describe("6.3 a gate's tally", () => {
  it("is recorded before anything follows from it, with figures and times", () => {
    const snapshot = snapshotOf([bad(2 * minute), bad(minute), good(0)]);
    const pushed = pushRecord(snapshot, "during");
    expect(pushed.ledger?.runs[runId]?.measured).toEqual({
      g: { by: "errors", bad: [recordedBad(2 * minute), recordedBad(minute)] },
    });
    expect(tellAnswer(pushed, "during")).toBe("pass");
    expect(askGates(pushed, "during")).toEqual({ kind: "pass" });
  });

  test.each([
    { name: "the third bad measurement fails, after two recorded ones", samples: [bad(0)], want: "record fail" },
    { name: "a good measurement does not fail", samples: [good(0)], want: "pass" },
    {
      name: "without a measurement of its own it waits",
      samples: [],
      want: "wait GatePending",
    },
    {
      name: "a measurement that is both recorded and remembered counts once",
      samples: [bad(3 * minute), good(0)],
      want: "pass",
    },
  ])("a planner that starts: $name", ({ samples, want }) => {
    expect(tellAnswer(snapshotOf(samples, twoBad), "during")).toBe(want);
  });

  it("a recorded bad measurement counts until the next one", () => {
    const measured = { g: { by: "errors", bad: [recordedBad(30_000)] } };
    expect(tellAnswer(snapshotOf([], measured), "during")).toBe("pass");
    expect(tellAnswer(snapshotOf([], measured, { when: "after" }), "after")).toBe("wait GatePending");
  });

  it("is judged by the present limits", () => {
    expect(readGateNow(snapshotOf([bad(0)], twoBad, { max: 0.6 }))?.verdict).toBe("pass");
    expect(readGateNow(snapshotOf([good(0)], twoBad, { failureLimit: 2 }))?.verdict).toBe("fail");
  });

  it("starts again with another query, and when a person resumed the gate's stop", () => {
    expect(tellAnswer(snapshotOf([bad(0)], { g: { ...twoBad.g, by: "others" } }), "during")).toBe("pass");
    const resumed = makeGateStop({ resume: resumedByAna });
    const snapshot = snapshotOf([bad(0)], {
      g: { by: "errors", bad: [recordedBad(8 * minute), recordedBad(7 * minute)] },
    });
    const stops = { [resumed.id]: resumed };
    const forgiven = snapshot.ledger === undefined ? snapshot : { ...snapshot, ledger: { ...snapshot.ledger, stops } };
    expect(tellAnswer(forgiven, "during")).toBe("pass");
  });

  it("a measurement is not counted twice because the machine's clock was set meanwhile", () => {
    const shifted = { ...bad(3 * minute), at: noon + 3_600_000 };
    expect(readGateNow(snapshotOf([shifted], twoBad))?.why).toContain("2 bad measurements,");
  });

  it("is part of the failure's record, so that the next planner of a killed one decides the same", () => {
    const pushed = pushRecord(snapshotOf([bad(0)], twoBad), "during");
    const { samples: _, ...forgotten } = pushed;
    expect(pushed.ledger?.runs[runId]).toMatchObject({ gates: { g: { verdict: "fail" } } });
    expect(tellAnswer({ ...forgotten, samples: new Map() }, "during")).toBe("stop gate g");
  });

  it("a query of several lines is recorded on one, and continues to count", () => {
    const query = "sum(errors)\n  / sum(requests)";
    const snapshot = makeGateSnapshot({
      gate: { ...gate, query } as typeof gate,
      clusters,
      samples: [bad(0)],
      snapshot: { now: noon },
    });
    const [tally] = Object.values(pushRecord(snapshot, "during").ledger?.runs[runId]?.measured ?? {});
    expect(tally?.by).toBe("sum(errors) / sum(requests)");
    expect(tellAnswer(pushRecord(snapshot, "during"), "during")).toBe("pass");
  });
});

describe("6.3 the record of when too few proxies were synced", () => {
  const low = [makeSyncedCluster("one", [migrated], { connected: 10, synced: 5 })];
  const high = [makeSyncedCluster("one", [migrated], { connected: 10, synced: 10 })];
  const since = (ms: number): Measured => ({ g: { by: "0.9", lowSince: isoAt(-ms) } });
  const synced = (ago: number, value: number): Sample => ({ at: noon - ago, query: "", value });
  const sync = (where: typeof low, samples: readonly Sample[], measured: Measured = {}) =>
    makeGateSnapshot({ gate: gates.proxySync(), clusters: where, samples, run: { measured }, snapshot: { now: noon } });
  const tell = (snapshot: ReturnType<typeof sync>): string => {
    const answer = askGates(snapshot, "during");
    return answer.kind === "record" ? answer.decision.kind : answer.kind;
  };

  test.each([
    { name: "below the limit for 9 s: nothing is recorded", snapshot: sync(low, [synced(9000, 0.5)]), want: "pass" },
    {
      name: "below the limit for 10 s: the start is recorded",
      snapshot: sync(low, [synced(10_000, 0.5)]),
      want: "countGate",
    },
    {
      name: "the start is recorded already: nothing is recorded",
      snapshot: sync(low, [synced(10_000, 0.5)], since(10_000)),
      want: "pass",
    },
    {
      name: "recorded as below for a minute, in a new planner: the gate fails",
      snapshot: sync(low, [], since(60_000)),
      want: "judgeGate",
    },
    {
      name: "above the limit again: the end is recorded",
      snapshot: sync(high, [synced(0, 1)], since(30_000)),
      want: "countGate",
    },
    {
      name: "below the limit again after it was above: the earlier record does not count",
      snapshot: sync(low, [synced(20_000, 1), synced(5000, 0.5)], since(59_000)),
      want: "pass",
    },
  ])("$name", ({ snapshot, want }) => expect(tell(snapshot)).toBe(want));
});
