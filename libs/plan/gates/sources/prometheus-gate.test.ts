import { writeText } from "#libs/wording";
import type { Sample } from "#libs/plan";
import { askGates, pushRecord, readGateNow, tellAnswer } from "#test/world/campaigns/ask-gates";
import { makeMigrated, failed, makeCluster, makeWorkload, noon, runId } from "#test/world/build";
import { gates, resumedByAna, makeGateStop, makeGateSnapshot } from "#test/world/campaigns/gates";
import { wordsOf } from "#test/world/words";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";

const clusters = [makeCluster("one", [makeMigrated(makeWorkload("shop/a"), "new", runId)])];

/** One minute apart, the newest at noon; a text is the fault of a measurement without a value. */
function makeSamples(
  values: readonly (number | string)[],
  baselines: readonly (number | string)[] = [],
): readonly Sample[] {
  return values.map((value, index) => {
    const baseline = baselines[index];
    return {
      at: noon - (values.length - 1 - index) * 60_000,
      query: "errors of shop",
      ...(typeof value === "number" ? { value } : { fault: value }),
      ...(typeof baseline === "number" ? { baseline } : {}),
      ...(typeof baseline === "string" ? { baselineFault: baseline } : {}),
    };
  });
}

const snapshotOf = (samples: readonly Sample[] | undefined, change: Parameters<typeof gates.prometheus>[0] = {}) =>
  makeGateSnapshot({ gate: gates.prometheus(change), clusters, ...(samples === undefined ? {} : { samples }) });

const nan = "the answer is NaN, which is not a number to compare";

describe("prometheus", () => {
  test.each([
    { name: "value at the limit", values: [0.02], during: "pass", after: "pass" },
    { name: "two bad measurements in a row", values: [0.03, 0.04], during: "record fail", after: "record fail" },
    {
      name: "two bad measurements with a good one between",
      values: [0.03, 0.01, 0.04, 0.01],
      during: "record fail",
      after: "record fail",
    },
    { name: "no data", values: [nan], during: "wait GateNoData", after: "wait GateNoData" },
  ])("$name: $during, after the bake $after", ({ values, during, after }) => {
    expect(tellAnswer(snapshotOf(makeSamples(values)), "during")).toBe(during);
    expect(tellAnswer(snapshotOf(makeSamples(values), { when: "after" }), "after")).toBe(after);
  });

  test.each([
    { onNoData: "hold", values: [nan], want: "wait GateNoData" },
    { onNoData: "pass", values: [nan], want: "pass" },
    { onNoData: "pass", values: [nan, 0.03, nan, 0.03], want: "record fail" },
    { onNoData: "fail", values: [0.01, 0.01], want: "pass" },
    { onNoData: "fail", values: [nan], want: "pass" },
    { onNoData: "fail", values: [nan, nan], want: "record fail" },
    { onNoData: "fail", values: [nan, 0.03], want: "record fail" },
  ] as const)("onNoData $onNoData with $values: $want", ({ onNoData, values, want }) => {
    expect(tellAnswer(snapshotOf(makeSamples(values), { onNoData }), "during")).toBe(want);
  });

  test.each([
    { name: "min, above", change: { min: 0.99 }, value: 0.995, want: "pass" },
    { name: "min, below", change: { min: 0.99 }, value: 0.98, want: "fail" },
    {
      name: "baseline, at the ratio",
      change: { maxRatioToBaseline: 1.25 },
      value: 5,
      baseline: 4,
      want: "pass",
    },
    { name: "baseline, above the ratio", change: { maxRatioToBaseline: 1.25 }, value: 5.1, baseline: 4, want: "fail" },
    { name: "baseline zero and value zero", change: { maxRatioToBaseline: 1.25 }, value: 0, baseline: 0, want: "pass" },
    { name: "baseline zero and a value", change: { maxRatioToBaseline: 1.25 }, value: 0.1, baseline: 0, want: "fail" },
    {
      name: "baseline missing, and no other limit missed",
      change: { maxRatioToBaseline: 2, max: 1 },
      value: 0,
      baseline: "it is down",
      want: "noData",
    },
    {
      name: "baseline missing for a gate that has no baseline limit",
      change: { max: 1 },
      value: 0.5,
      baseline: "it is down",
      want: "pass",
    },
    {
      name: "no namespace left to compare with, and min",
      change: { maxRatioToBaseline: 2, min: 0 },
      value: 1,
      want: "pass",
    },
    {
      name: "no namespace left to compare with, and max",
      change: { maxRatioToBaseline: 2, max: 1 },
      value: 0,
      want: "pass",
    },
    {
      name: "no namespace left to compare with, and no other limit",
      change: { maxRatioToBaseline: 2 },
      value: 0,
      want: "noData",
    },
  ] as const)("$name: $want", ({ change, value, want, ...rest }) => {
    const baselines = "baseline" in rest ? [rest.baseline] : [];
    const { max: _, ...unlimited } = gates.prometheus({ failureLimit: 1 }) as ReturnType<typeof gates.prometheus> & {
      max?: number;
    };
    const snapshot = makeGateSnapshot({
      gate: { ...unlimited, ...change } as ReturnType<typeof gates.prometheus>,
      clusters,
      samples: makeSamples([value], baselines),
    });
    expect(readGateNow(snapshot)?.verdict).toBe(want);
  });

  it("6.3 value, limit, baseline and query are kept with the verdict", () => {
    const samples = makeSamples([0.01, 0.06], [0.04, 0.04]);
    const snapshot = pushRecord(snapshotOf(samples, { max: 1, maxRatioToBaseline: 1.25, failureLimit: 1 }), "during");
    expect(snapshot.ledger?.runs[runId]?.gates?.["g"]).toEqual({
      verdict: "fail",
      at: "2026-11-19T11:43:00.000Z",
      code: "Measured",
      why: writeText("0.06, above 1.25 times the baseline 0.04 (1 bad measurement, fails at 1)"),
      value: 0.06,
      limit: 0.05,
      baseline: 0.04,
      query: "errors of shop",
    });
  });

  it("a wait for data names its cause, its owner, what to do, and the gate", () => {
    const answer = askGates(snapshotOf(makeSamples(["it answers 503"])), "during");
    expect(answer.kind === "wait" ? wordsOf(answer.reason) : answer).toEqual({
      code: "GateNoData",
      message:
        "gate g has no data: no data: it answers 503 (0 bad measurements, fails at 2); " +
        "to continue without it merge onNoData: pass for this gate into campaigns/up.yml",
      owner: "the operator of Prometheus",
      command: "meshroll validate campaigns/up.yml",
    });
  });

  it("names each limit that is met, and of missed limits the last one, with the time of the next measurement", () => {
    const within = readGateNow(snapshotOf(makeSamples([2]), { min: 1, max: 3 }));
    expect(within?.why).toBe("2, within max 3 and min 1 (0 bad measurements, fails at 2)");
    const missed = readGateNow(snapshotOf(makeSamples([0.03, 0.01, 0.04, 0.01])));
    expect(missed).toMatchObject({
      verdict: "fail",
      value: 0.04,
      limit: 0.02,
      why: writeText("0.04, above max 0.02 (2 bad measurements, fails at 2)"),
      until: noon + 60_000,
    });
  });

  it("after the run it is queried even without a migrated workload, during the run only with one", () => {
    const noneMigrated = [makeCluster("one", [failed(makeWorkload("shop/a"), "new", runId)])];
    const bads = makeSamples([0.5, 0.5]);
    const verdict = (gate: ReturnType<typeof gates.prometheus>, all: typeof clusters) =>
      readGateNow(makeGateSnapshot({ gate, clusters: all, samples: bads }))?.verdict;
    expect(verdict(gates.prometheus({ when: "after" }), noneMigrated)).toBe("fail");
    expect(verdict(gates.prometheus(), noneMigrated)).toBe("noData");
    const two = makeCluster("two", [failed(makeWorkload("shop/b"), "new", runId)]);
    expect(verdict(gates.prometheus(), [...clusters, two])).toBe("fail");
  });

  it("a bad measurement fails even if a cluster is not seen", () => {
    const stale = makeCluster("two", [makeMigrated(makeWorkload("shop/b"), "new", runId)], {
      fresh: false,
      ageMs: 90_000,
    });
    const snapshot = makeGateSnapshot({
      gate: gates.prometheus(),
      clusters: [...clusters, stale],
      samples: makeSamples([0.5, 0.5]),
    });
    expect(readGateNow(snapshot)?.verdict).toBe("fail");
  });

  it("a planner that measures nothing has no data", () => {
    expect(tellAnswer(snapshotOf(undefined), "during")).toBe("wait GateNoData");
    expect(tellAnswer(snapshotOf(undefined, { onNoData: "pass" }), "during")).toBe("pass");
    expect(tellAnswer(snapshotOf(undefined, { onNoData: "fail" }), "during")).toBe("record fail");
  });

  it("before a workload has migrated there is nothing to measure", () => {
    const snapshot = makeGateSnapshot({
      gate: gates.prometheus(),
      clusters: [makeCluster("one", [makeWorkload("shop/a")])],
      samples: [],
    });
    expect(tellAnswer(snapshot, "during")).toBe("pass");
  });

  it("3.3 after a person resumed its stop it measures again", () => {
    const stop = { ...makeGateStop(), resume: resumedByAna };
    const record = { verdict: "fail" as const, at: stop.at, why: writeText("two bad ones") };
    const resumed = (samples: readonly Sample[]) =>
      makeGateSnapshot({
        gate: gates.prometheus(),
        clusters,
        samples,
        run: { gates: { g: record } },
      });
    const withStop = (samples: readonly Sample[]) => {
      const snapshot = resumed(samples);
      return snapshot.ledger === undefined
        ? snapshot
        : { ...snapshot, ledger: { ...snapshot.ledger, stops: { [stop.id]: stop } } };
    };
    // Ten of them, a minute apart: half of them before the resume.
    const bad = makeSamples(Array.from({ length: 10 }, () => 0.5));
    expect(tellAnswer(withStop(bad.slice(0, 5)), "during")).toBe("wait GatePending");
    expect(tellAnswer(withStop(bad.slice(0, 6)), "during")).toBe("record pass");
    expect(tellAnswer(withStop(bad.slice(0, 7)), "during")).toBe("record fail");
    const again = pushRecord(withStop(bad), "during");
    expect(tellAnswer(again, "during")).toBe("stop gate g");
  });

  it("fails exactly when as many measurements as failureLimit were bad", () => {
    const values = fc.array(fc.double({ min: 0, max: 0.04, noNaN: true }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 6 }), (measured, failureLimit) => {
        const reading = readGateNow(snapshotOf(makeSamples(measured), { failureLimit }));
        const bad = measured.filter((value) => value > 0.02).length;
        expect(reading?.verdict).toBe(bad >= failureLimit ? "fail" : "pass");
      }),
      { numRuns: 100 },
    );
  });
});
