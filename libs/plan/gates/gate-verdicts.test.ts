import { type Decision, evaluateFleet, type Snapshot } from "#libs/plan";
import { askGates, pushRecord, readGateNow, tellAnswer } from "#test/world/campaigns/ask-gates";
import { makeCluster, makeWorkload, runId, sha } from "#test/world/build";
import { makeCampaign, makeStage, withCampaign } from "#test/world/campaigns/campaign";
import { gates, isoAt, resumedByAna, makeGateStop, makeGateSnapshot, makeTried } from "#test/world/campaigns/gates";
import { wordsOf } from "#test/world/words";
import { renderTransition, writeText } from "#libs/wording";
import { describe, expect, it, test } from "vitest";

import { closeGates } from "./evaluate-gates.ts";

const bad = [makeCluster("one", makeTried(3, 4))];
const good = [makeCluster("one", makeTried(0, 4))];
const failedBefore = { verdict: "fail" as const, at: isoAt(-600_000), why: writeText("3 of 4") };

/** Everything that a gate has recorded until it waits or passes. */
function settle(
  snapshot: Snapshot,
  kinds: readonly Decision["kind"][] = [],
): { readonly kinds: readonly string[]; readonly snapshot: Snapshot } {
  const answer = askGates(snapshot, "during");
  if (answer.kind !== "record" || kinds.length > 5)
    return { kinds: [...kinds, answer.kind === "wait" ? "wait" : "handOut"], snapshot };
  return settle(pushRecord(snapshot, "during"), [...kinds, answer.decision.kind]);
}

function withStops(snapshot: Snapshot, ...stops: readonly ReturnType<typeof makeGateStop>[]): Snapshot {
  const { ledger } = snapshot;
  if (ledger === undefined) return snapshot;
  return { ...snapshot, ledger: { ...ledger, stops: Object.fromEntries(stops.map((stop) => [stop.id, stop])) } };
}

describe("a gate that fails", () => {
  test.each([
    { onFail: "pause", want: ["judgeGate", "placeStop", "wait"] },
    { onFail: "rollback", want: ["judgeGate", "placeStop", "wait"] },
    { onFail: "notify", want: ["judgeGate", "handOut"] },
  ] as const)("onFail $onFail: $want", ({ onFail, want }) => {
    const gate = gates.restartHealth({ onFail });
    expect(settle(makeGateSnapshot({ gate, clusters: bad })).kinds).toEqual(want);
  });

  it("3.3 stops the run, with the figures and the owner who can end the stop", () => {
    const { snapshot } = settle(makeGateSnapshot({ gate: gates.restartHealth(), clusters: bad }));
    const stop = Object.values(snapshot.ledger?.stops ?? {})[0];
    const why = "gate g failed, at the stop 3 of 4 tried workloads failed (75 %): limit 50 %";
    expect(stop).toMatchObject({ scope: `run/${runId}`, strength: "move", cause: "gate", gate: "g", why });
    const reason = { code: "GateFailed", run: runId, why, owner: "team:mesh", hasFailed: true };
    expect(askGates(snapshot, "during")).toMatchObject({ kind: "wait", reason });
  });

  it("counts as failed until a person ends its stop, even if it would pass now", () => {
    const stopped = withStops(
      makeGateSnapshot({ gate: gates.restartHealth(), clusters: good, run: { gates: { g: failedBefore } } }),
      makeGateStop(),
    );
    expect(tellAnswer(stopped, "during")).toBe("wait GateFailed");
    expect(readGateNow(stopped)).toBeUndefined();
    const worse = withStops(
      makeGateSnapshot({ gate: gates.restartHealth(), clusters: bad, run: { gates: { g: failedBefore } } }),
      makeGateStop(),
    );
    // While it still fails its figures are those of now, as all others on the screen are.
    expect(readGateNow(worse)).toEqual(readGateNow(withStops(worse, makeGateStop({ resume: resumedByAna }))));
    expect(readGateNow(worse)).toMatchObject({ verdict: "fail" });
    const resumed = withStops(stopped, makeGateStop({ resume: resumedByAna }));
    expect(tellAnswer(resumed, "during")).toBe("record pass");
    expect(tellAnswer(pushRecord(resumed, "during"), "during")).toBe("pass");
  });

  it("stops the run a second time when it fails again after a resume, under another id", () => {
    const snapshot = makeGateSnapshot({
      gate: gates.restartHealth(),
      clusters: bad,
      run: { gates: { g: failedBefore } },
    });
    const { kinds, snapshot: stopped } = settle(withStops(snapshot, makeGateStop({ resume: resumedByAna })));
    expect(kinds).toEqual(["judgeGate", "placeStop", "wait"]);
    expect(Object.keys(stopped.ledger?.stops ?? {})).toEqual([`gate-${runId}-1`, `gate-${runId}-2`]);
  });

  it("numbers its stops per run", () => {
    const other = makeGateStop({ id: "gate-other-1", scope: "run/aaaaaaaaaaaa", resume: resumedByAna });
    const snapshot = withStops(makeGateSnapshot({ gate: gates.restartHealth(), clusters: bad }), other);
    expect(Object.keys(settle(snapshot).snapshot.ledger?.stops ?? {})).toEqual(["gate-other-1", `gate-${runId}-1`]);
  });

  it("is judged again if it failed before the resume, and stopped again if it failed since", () => {
    const failedThen = { ...failedBefore, at: resumedByAna.at };
    const snapshot = makeGateSnapshot({
      gate: gates.restartHealth(),
      clusters: bad,
      run: { gates: { g: failedThen } },
    });
    expect(settle(withStops(snapshot, makeGateStop({ resume: resumedByAna }))).kinds[0]).toBe("judgeGate");
    const failedSince = { ...failedBefore, at: isoAt(-299_999) };
    const later = makeGateSnapshot({ gate: gates.restartHealth(), clusters: bad, run: { gates: { g: failedSince } } });
    expect(settle(withStops(later, makeGateStop({ resume: resumedByAna }))).kinds[0]).toBe("placeStop");
  });

  it("is reported as failed or as passed, with its figures", () => {
    const told = (snapshot: Snapshot) => {
      const answer = askGates(snapshot, "during");
      return answer.kind === "record"
        ? [answer.decision.reason.code, renderTransition(answer.decision.reason).message]
        : [];
    };
    const gate = gates.restartHealth();
    expect(told(makeGateSnapshot({ gate, clusters: bad }))).toEqual([
      "GateFailed",
      `gate g of run ${runId} failed: 3 of 4 tried workloads failed (75 %): limit 50 %`,
    ]);
    expect(told(makeGateSnapshot({ gate, clusters: good, run: { gates: { g: failedBefore } } }))).toEqual([
      "GatePassed",
      `gate g of run ${runId} passed: 0 of 4 tried workloads failed (0 %): limit 50 %`,
    ]);
  });

  it("only the stop of a restartHealth gate names failed workloads", () => {
    const gate = gates.restartHealth();
    const stopOf = (snapshot: Snapshot) => Object.values(settle(snapshot).snapshot.ledger?.stops ?? {})[0];
    expect(stopOf(makeGateSnapshot({ gate, clusters: bad }))).toHaveProperty("failures");
    const samples = [0.5, 0.5].map((value, index) => ({ at: Date.parse(isoAt(index - 2)), value, query: "q" }));
    const measured = makeGateSnapshot({
      gate: gates.prometheus(),
      clusters: [makeCluster("one", makeTried(1, 2))],
      samples,
    });
    expect(stopOf(measured)).toMatchObject({ cause: "gate", gate: "g" });
    expect(stopOf(measured)).not.toHaveProperty("failures");
  });

  it("is waited for by the owner of the run", () => {
    const stopped = withStops(makeGateSnapshot({ gate: gates.restartHealth(), clusters: good }), makeGateStop());
    const ownerBy = (campaigns: ReadonlyMap<string, ReturnType<typeof makeCampaign>>) => {
      const spec = stopped.specs.get(sha("head"));
      if (spec === undefined) throw new Error("no head");
      const settings = { ...spec.settings, gates: [gates.restartHealth()] };
      const answer = askGates(
        { ...stopped, specs: new Map(stopped.specs).set(spec.commit, { ...spec, campaigns, settings }) },
        "during",
      );
      return answer.kind === "wait" ? wordsOf(answer.reason)?.owner : answer.kind;
    };
    const stages = [makeStage("all", 100, { gates: [gates.restartHealth()] })];
    expect(ownerBy(new Map([["up", makeCampaign({ stages, owners: ["user:a", "user:b"] })]]))).toBe("user:a, user:b");
    expect(ownerBy(new Map([["up", makeCampaign({ stages, owners: [] })]]))).toBe("the owners of campaign up");
    expect(ownerBy(new Map())).toBe("ana");
  });

  it("another gate's stop does not count for it", () => {
    const snapshot = withStops(
      makeGateSnapshot({ gate: gates.restartHealth(), clusters: good }),
      makeGateStop({ gate: "h" }),
    );
    expect(tellAnswer(snapshot, "during")).toBe("pass");
  });
});

describe("recorded verdicts", () => {
  it("6.3 a verdict is recorded once, when it changes", () => {
    const gate = gates.restartHealth({ onFail: "notify" });
    const failing = settle(makeGateSnapshot({ gate, clusters: bad }));
    expect(settle(failing.snapshot).kinds).toEqual(["handOut"]);
    const better = { ...failing.snapshot, clusters: new Map([["one", makeCluster("one", makeTried(3, 8))]]) };
    expect(settle(better).kinds).toEqual(["judgeGate", "handOut"]);
  });

  it("before the first batch a pass is recorded, and the gate is not measured again", () => {
    const gate = gates.prometheus({ when: "before" });
    const begin = (value: number) =>
      makeGateSnapshot({
        gate,
        clusters: [makeCluster("one", [makeWorkload("shop/a")])],
        run: { clusters: {} },
        samples: [{ at: Date.parse(isoAt(0)), value, query: "q" }],
      });
    expect(tellAnswer(begin(0.01), "before")).toBe("record pass");
    const passed = pushRecord(begin(0.01), "before");
    const worse = { ...passed, samples: begin(0.9).samples ?? new Map() };
    expect(tellAnswer(worse, "before")).toBe("pass");
  });

  it("6.3 the run's last record has the last verdict of every gate", () => {
    const gate = gates.restartHealth();
    const snapshot = makeGateSnapshot({ gate, clusters: good });
    const head = snapshot.specs.get(sha("head"));
    const view = head && evaluateFleet(snapshot, head).views[0];
    if (head === undefined || view === undefined || snapshot.ledger === undefined) throw new Error("no run");
    expect(closeGates(snapshot, snapshot.ledger, view).gates).toMatchObject({
      g: { verdict: "pass", value: 0, limit: 0.5 },
    });
    // What was not asked in its time keeps what was said then.
    const run = { ...view.run, gates: { early: failedBefore } };
    const before = { ...snapshot.ledger, runs: { [runId]: run } };
    expect(closeGates(snapshot, before, view).gates).toMatchObject({ early: failedBefore, g: { verdict: "pass" } });
  });

  it("6.3 a gate without data at the end is recorded as noData, even with onNoData: pass", () => {
    const gate = gates.prometheus({ onNoData: "pass" });
    const snapshot = makeGateSnapshot({
      gate,
      clusters: good,
      samples: [{ at: 0, query: "q", fault: "it answers 503" }],
    });
    const head = snapshot.specs.get(sha("head"));
    const view = head && evaluateFleet(snapshot, head).views[0];
    if (head === undefined || view === undefined || snapshot.ledger === undefined) throw new Error("no run");
    expect(closeGates(snapshot, snapshot.ledger, view).gates).toMatchObject({
      g: { verdict: "noData", why: expect.stringContaining("it answers 503"), query: "q" },
    });
  });
});

describe("which gates are evaluated", () => {
  it("only those whose `when` is the present phase", () => {
    const snapshot = makeGateSnapshot({ gate: gates.restartHealth(), clusters: bad });
    expect([tellAnswer(snapshot, "before"), tellAnswer(snapshot, "after")]).toEqual(["pass", "pass"]);
  });

  it("a record comes before another gate's wait, and a wait before a pass", () => {
    const named = [gates.prometheus({ name: "errors" }), gates.restartHealth()];
    const head = sha("head");
    const snapshot = makeGateSnapshot({ gate: gates.restartHealth(), clusters: bad, samples: [] });
    const campaign = makeCampaign({ stages: [makeStage("all", 100, { gates: named })] });
    const spec = snapshot.specs.get(head);
    if (spec === undefined) throw new Error("no head");
    const both = { ...snapshot, specs: new Map(snapshot.specs).set(head, withCampaign(spec, campaign)) };
    expect(tellAnswer(both, "during")).toBe("record fail");
    const fine = { ...both, clusters: new Map([["one", makeCluster("one", makeTried(0, 4))]]) };
    expect(tellAnswer(fine, "during")).toBe("wait GatePending");
  });

  it("2.3 a rollback has no gates", () => {
    const changes = [{ pattern: "production", from: "new: 100", to: "old: 100", direction: "rollback" as const }];
    const snapshot = makeGateSnapshot({ gate: gates.restartHealth(), clusters: bad, run: { changes } });
    expect(tellAnswer(snapshot, "during")).toBe("pass");
    expect(readGateNow(snapshot)).toBeUndefined();
  });

  it("a stage that a person merged by hand has the gates of the stage, although it has no list", () => {
    const snapshot = makeGateSnapshot({ gate: gates.restartHealth(), clusters: bad, run: { author: "another" } });
    expect(snapshot.ledger?.runs[runId]).not.toHaveProperty("list");
    expect(tellAnswer(snapshot, "during")).toBe("record fail");
  });

  it("excluded clusters do not count", () => {
    const clusters = [makeCluster("one", makeTried(0, 4)), makeCluster("two", makeTried(4, 4))];
    const snapshot = makeGateSnapshot({ gate: gates.restartHealth({ maxFailureRatio: 0.4 }), clusters });
    expect(tellAnswer(snapshot, "during")).toBe("record fail");
    const head = sha("head");
    const spec = snapshot.specs.get(head);
    if (spec === undefined) throw new Error("no head");
    const skipped = { ...spec, settings: { ...spec.settings, excludedClusters: ["two"] } };
    const without = { ...snapshot, specs: new Map(snapshot.specs).set(head, skipped) };
    expect(tellAnswer(without, "during")).toBe("pass");
    // No wait is for it to be seen either.
    const stale = makeCluster("two", makeTried(4, 4), { fresh: false, ageMs: 90_000 });
    const after = {
      ...skipped,
      campaigns: new Map([
        ["up", makeCampaign({ stages: [makeStage("all", 100, { gates: [gates.revisionMatch()] })] })],
      ]),
    };
    const unseen = {
      ...without,
      specs: new Map(snapshot.specs).set(head, after),
      clusters: new Map(snapshot.clusters).set("two", stale),
    };
    expect(tellAnswer(unseen, "after")).toBe("pass");
  });
});
