import type { RunRecord, Sample } from "#libs/plan";
import { askGates, pushRecord, readGateNow, tellAnswer } from "#test/world/ask-gates";
import { arrived, makeCluster, makeWorkload, noon, runId } from "#test/world/build";
import { gates, isoAt, liftedByAna, makeGateStop, makeGateWorld, makeSyncedCluster } from "#test/world/gates";
import { describe, expect, it, test } from "vitest";

const there = arrived(makeWorkload("shop/a"), "new", runId);
const clusters = [makeCluster("one", [there])];
const minute = 60_000;
const gate = gates.prometheus({ failureLimit: 3 });

const bad = (ago: number): Sample => ({ at: noon - ago, madeAt: isoAt(-ago), query: "errors", value: 0.5 });
const good = (ago: number): Sample => ({ ...bad(ago), value: 0 });
const recordedBad = (ago: number) => ({ at: isoAt(-ago), value: 0.5 });

type Measured = NonNullable<RunRecord["measured"]>;

function worldOf(
  samples: readonly Sample[],
  measured: Measured = {},
  change: Parameters<typeof gates.prometheus>[0] = {},
) {
  const asked = gates.prometheus({ failureLimit: 3, ...change });
  return makeGateWorld({ gate: asked, clusters, samples, run: { measured }, world: { now: noon } });
}

const twoBad = { g: { by: "errors", bad: [recordedBad(4 * minute), recordedBad(3 * minute)] } };

describe("6.3 what a gate has counted", () => {
  it("is recorded before anything follows from it, with the figures and the moment of each", () => {
    const world = worldOf([bad(2 * minute), bad(minute), good(0)]);
    const pushed = pushRecord(world, "during");
    expect(pushed.ledger?.runs[runId]?.measured).toEqual({
      g: { by: "errors", bad: [recordedBad(2 * minute), recordedBad(minute)] },
    });
    expect(tellAnswer(pushed, "during")).toBe("pass");
    expect(askGates(pushed, "during")).toEqual({ kind: "pass" });
  });

  test.each([
    { name: "goes on from there: the third one is a failure", samples: [bad(0)], want: "record fail" },
    { name: "a good one is none", samples: [good(0)], want: "pass" },
    {
      name: "nothing measured yet by this planner: it waits for its first word",
      samples: [],
      want: "wait GatePending",
    },
    { name: "one that is recorded and remembered is one", samples: [bad(3 * minute), good(0)], want: "pass" },
  ])("a planner that starts: $name", ({ samples, want }) => {
    expect(tellAnswer(worldOf(samples, twoBad), "during")).toBe(want);
  });

  it("a bad one that was recorded a moment ago is the last word until the next measurement", () => {
    const measured = { g: { by: "errors", bad: [recordedBad(30_000)] } };
    expect(tellAnswer(worldOf([], measured), "during")).toBe("pass");
    expect(tellAnswer(worldOf([], measured, { when: "after" }), "after")).toBe("wait GatePending");
  });

  it("is judged by the limits as they are now: what a merged limit allows was not bad", () => {
    expect(readGateNow(worldOf([bad(0)], twoBad, { max: 0.6 }))?.verdict).toBe("pass");
    expect(readGateNow(worldOf([good(0)], twoBad, { failureLimit: 2 }))?.verdict).toBe("fail");
  });

  it("begins anew with another query, and when a person lifted the gate's stop", () => {
    expect(tellAnswer(worldOf([bad(0)], { g: { ...twoBad.g, by: "others" } }), "during")).toBe("pass");
    const lifted = makeGateStop({ lift: liftedByAna });
    const world = worldOf([bad(0)], { g: { by: "errors", bad: [recordedBad(8 * minute), recordedBad(7 * minute)] } });
    const stops = { [lifted.id]: lifted };
    const forgiven = world.ledger === undefined ? world : { ...world, ledger: { ...world.ledger, stops } };
    expect(tellAnswer(forgiven, "during")).toBe("pass");
  });

  it("a measurement is not counted twice because the machine's clock was set meanwhile", () => {
    const shifted = { ...bad(3 * minute), at: noon + 3_600_000 };
    expect(readGateNow(worldOf([shifted], twoBad))?.why).toContain("2 bad measurements so far");
  });

  it("comes with the failure itself: killed before the stop, the next planner comes to the same", () => {
    const pushed = pushRecord(worldOf([bad(0)], twoBad), "during");
    const { samples: _, ...forgotten } = pushed;
    expect(pushed.ledger?.runs[runId]).toMatchObject({ gates: { g: { verdict: "fail" } } });
    expect(tellAnswer({ ...forgotten, samples: new Map() }, "during")).toBe("stop gate g");
  });

  it("a query of many lines counts on as it is recorded: on one", () => {
    const query = "sum(errors)\n  / sum(requests)";
    const world = makeGateWorld({
      gate: { ...gate, query } as typeof gate,
      clusters,
      samples: [bad(0)],
      world: { now: noon },
    });
    const [tally] = Object.values(pushRecord(world, "during").ledger?.runs[runId]?.measured ?? {});
    expect(tally?.by).toBe("sum(errors) / sum(requests)");
    expect(tellAnswer(pushRecord(world, "during"), "during")).toBe("pass");
  });
});

describe("6.3 since when proxies are not synced", () => {
  const low = [makeSyncedCluster("one", [there], { connected: 10, synced: 5 })];
  const high = [makeSyncedCluster("one", [there], { connected: 10, synced: 10 })];
  const since = (ms: number): Measured => ({ g: { by: "0.9", lowSince: isoAt(-ms) } });
  const synced = (ago: number, value: number): Sample => ({ at: noon - ago, query: "", value });
  const sync = (where: typeof low, samples: readonly Sample[], measured: Measured = {}) =>
    makeGateWorld({ gate: gates.proxySync(), clusters: where, samples, run: { measured }, world: { now: noon } });
  const tell = (world: ReturnType<typeof sync>): string => {
    const answer = askGates(world, "during");
    return answer.kind === "record" ? answer.decision.kind : answer.kind;
  };

  test.each([
    { name: "low for a moment: nothing is recorded", world: sync(low, [synced(9000, 0.5)]), want: "pass" },
    { name: "low for ten seconds: since when is recorded", world: sync(low, [synced(10_000, 0.5)]), want: "countGate" },
    { name: "recorded already", world: sync(low, [synced(10_000, 0.5)], since(10_000)), want: "pass" },
    { name: "a planner that starts goes on from the record", world: sync(low, [], since(60_000)), want: "judgeGate" },
    { name: "high again: that is recorded", world: sync(high, [synced(0, 1)], since(30_000)), want: "countGate" },
    {
      name: "low again after this planner saw it high: the record is another time",
      world: sync(low, [synced(20_000, 1), synced(5000, 0.5)], since(59_000)),
      want: "pass",
    },
  ])("$name", ({ world, want }) => expect(tell(world)).toBe(want));
});
