import { builtInGates } from "#libs/campaign";
import { type Gate } from "#libs/campaign";
import { askGates, pushRecord, readGateNow, tellAnswer } from "#test/world/campaigns/ask-gates";
import { makeMigrated, makeCluster, makeWorkload, moved, runId } from "#test/world/build";
import { gates, resumedByAna, makeGateStop, makeGateSnapshot, makeTried } from "#test/world/campaigns/gates";
import { wordsOf } from "#test/world/words";
import fc from "fast-check";
import { findPlaced } from "#test/world/transition";
import { describe, expect, it, test } from "vitest";

const half = gates.restartHealth();
const snapshotOf = (failures: number, all: number, gate: Gate = half) =>
  makeGateSnapshot({ gate, clusters: [makeCluster("one", makeTried(failures, all))] });

describe("restartHealth", () => {
  test.each([
    { name: "exactly maxFailureRatio failed", failures: 2, all: 4, want: "pass" },
    { name: "more than maxFailureRatio failed", failures: 3, all: 4, want: "record fail" },
    { name: "all failed", failures: 1, all: 1, want: "record fail" },
  ])("$name: $want", ({ failures, all, want }) => expect(tellAnswer(snapshotOf(failures, all), "during")).toBe(want));

  test.each([
    { minSamples: 5, want: "pass" },
    { minSamples: 4, want: "record fail" },
  ])("3 of 4 with minSamples $minSamples: $want", ({ minSamples, want }) => {
    expect(tellAnswer(snapshotOf(3, 4, gates.restartHealth({ minSamples })), "during")).toBe(want);
  });

  it("without a tried workload there is no result", () => {
    const snapshot = makeGateSnapshot({ gate: half, clusters: [makeCluster("one", [makeWorkload("shop/a")])] });
    expect(readGateNow(snapshot)).toMatchObject({ verdict: "pass", why: "no workload has been tried yet" });
  });

  it("moving workloads do not count yet", () => {
    const migrating = moved(makeWorkload("shop/m"), "new", runId);
    const clusters = [makeCluster("one", [...makeTried(1, 2), migrating, migrating])];
    expect(readGateNow(makeGateSnapshot({ gate: half, clusters }))?.value).toBe(0.5);
  });

  it("6.3 value, limit and query are kept with the verdict", () => {
    const snapshot = pushRecord(snapshotOf(3, 4), "during");
    expect(snapshot.ledger?.runs[runId]?.gates?.["g"]).toEqual({
      verdict: "fail",
      at: "2026-11-19T11:43:00.000Z",
      code: "TriedWorkloads",
      why: "3 of 4 tried workloads failed (75 %): limit 50 %",
      value: 0.75,
      limit: 0.5,
      query: `failed of tried workloads, run ${runId}`,
    });
  });

  it("3.3 the stop names the failures, and once it is ended they do not count again", () => {
    const recorded = pushRecord(snapshotOf(3, 4), "during");
    const answer = askGates(recorded, "during");
    const stop = answer.kind === "record" ? findPlaced(answer.decision) : undefined;
    expect(stop?.failures).toEqual(["one:shop/Deployment/w0", "one:shop/Deployment/w1", "one:shop/Deployment/w2"]);
    const resumed = { ...makeGateStop(), failures: stop?.failures ?? [], resume: resumedByAna };
    const again = (failures: number) =>
      makeGateSnapshot({
        gate: half,
        clusters: [makeCluster("one", makeTried(failures, 8))],
        ledger: { stops: { [resumed.id]: resumed }, runs: recorded.ledger?.runs ?? {} },
      });
    const why = "0 of 5 tried workloads failed since the resume, 3 before it (0 %): limit 50 %";
    expect(readGateNow(again(3))).toMatchObject({ verdict: "pass", value: 0, why });
    expect(readGateNow(again(8))).toMatchObject({ verdict: "fail", value: 1 });
  });

  it("6.3 the ratio is over the workloads that the run tried, in all clusters", () => {
    const ratio = (shares: readonly (readonly [number, number])[]) => {
      const clusters = shares.map(([failures, good], index) =>
        makeCluster(`c${index}`, makeTried(failures, failures + good)),
      );
      return readGateNow(makeGateSnapshot({ gate: gates.restartHealth({ maxFailureRatio: 0.3 }), clusters }));
    };
    const count = fc.nat({ max: 4 });
    fc.assert(
      fc.property(fc.array(fc.tuple(count, count), { minLength: 1, maxLength: 4 }), (shares) => {
        const failures = shares.reduce((sum, [each]) => sum + each, 0);
        const all = shares.reduce((sum, [bad, good]) => sum + bad + good, 0);
        const reading = ratio(shares);
        expect(reading?.value).toBe(all === 0 ? undefined : failures / all);
        const verdict = failures * 10 > all * 3 ? "fail" : "pass";
        expect(reading?.verdict).toBe(all === 0 ? undefined : verdict);
      }),
      { numRuns: 60 },
    );
  });

  it("a cluster that is not fresh is not judged: a failure waits, a pass does not hold other clusters", () => {
    const stale = (name: string, failures: number, all: number) =>
      makeCluster(name, makeTried(failures, all), { fresh: false, ageMs: 90_000 });
    const withStale = (failures: number, other: ReturnType<typeof makeCluster>) =>
      makeGateSnapshot({ gate: half, clusters: [makeCluster("one", makeTried(failures, 4)), other] });
    expect(tellAnswer(withStale(0, stale("two", 4, 4)), "during")).toBe("pass");
    expect(tellAnswer(withStale(3, stale("two", 0, 100)), "during")).toBe("wait GatePending");
    const answer = askGates(withStale(3, stale("two", 0, 100)), "during");
    expect(answer).toMatchObject({ reason: { found: { note: { kind: "unseen", clusters: ["two"] } } } });
    expect(answer.kind === "wait" ? wordsOf(answer.reason) : answer).toMatchObject({
      owner: "the executor of two",
      message: expect.stringContaining("two not seen"),
    });
  });

  describe("1.4 the built-in gate fails where a tenth of ten or more tried workloads failed", () => {
    const [builtIn] = builtInGates;
    const tries = [
      { failed: 4, tried: 4, want: "pass" },
      { failed: 1, tried: 10, want: "pass" },
      { failed: 2, tried: 10, want: "record fail" },
    ];
    it.each(tries)("$failed of $tried: $want", ({ failed, tried, want }) => {
      expect(builtIn?.kind === "restartHealth" && tellAnswer(snapshotOf(failed, tried, builtIn), "during")).toBe(want);
    });
  });

  it("workloads of a cluster whose wave is not open do not count", () => {
    const snapshot = makeGateSnapshot({
      gate: half,
      clusters: [
        makeCluster("one", makeTried(3, 4)),
        makeCluster("two", [makeMigrated(makeWorkload("shop/z"), "new", runId)]),
      ],
      run: { clusters: { one: { openedAt: "", unhealthyBefore: [] } } },
    });
    expect(readGateNow(snapshot)?.value).toBe(0.75);
  });
});
