import { type Decision, surveyFleet, type World } from "#libs/plan";
import { askGates, pushRecord, readGateNow, tellAnswer } from "#test/world/ask-gates";
import { arrived, makeCluster, makeStop, makeWorkload, runId, sha } from "#test/world/build";
import { makeCampaign, makeStage, withCampaign } from "#test/world/campaign";
import { gates, isoAt, liftedByAna, makeGateStop, makeGateWorld, makeTried } from "#test/world/gates";
import { describe, expect, it, test } from "vitest";

import { closeGates } from "./read-gates.ts";

const bad = [makeCluster("one", makeTried(3, 4))];
const good = [makeCluster("one", makeTried(0, 4))];
const failedBefore = { verdict: "fail" as const, at: isoAt(-600_000), why: "3 of 4" };

/** Everything that a gate has recorded until it waits or passes. */
function settle(
  world: World,
  kinds: readonly Decision["kind"][] = [],
): { readonly kinds: readonly string[]; readonly world: World } {
  const answer = askGates(world, "during");
  if (answer.kind !== "record" || kinds.length > 5)
    return { kinds: [...kinds, answer.kind === "wait" ? "wait" : "handOut"], world };
  return settle({ ...world, ledger: answer.decision.ledger }, [...kinds, answer.decision.kind]);
}

function withStops(world: World, ...stops: readonly ReturnType<typeof makeGateStop>[]): World {
  const { ledger } = world;
  if (ledger === undefined) return world;
  return { ...world, ledger: { ...ledger, stops: Object.fromEntries(stops.map((stop) => [stop.id, stop])) } };
}

describe("a gate that fails", () => {
  test.each([
    { onFail: "pause", want: ["judgeGate", "placeStop", "wait"] },
    { onFail: "rollback", want: ["judgeGate", "placeStop", "wait"] },
    { onFail: "notify", want: ["judgeGate", "handOut"] },
  ] as const)("onFail $onFail: $want", ({ onFail, want }) => {
    const gate = gates.restartHealth({ onFail });
    expect(settle(makeGateWorld({ gate, clusters: bad })).kinds).toEqual(want);
  });

  it("3.3 stops the run, and says so with the figures and the way out", () => {
    const { world } = settle(makeGateWorld({ gate: gates.restartHealth(), clusters: bad }));
    const stop = Object.values(world.ledger?.stops ?? {})[0];
    const why = "gate g failed: 3 of 4 tried workloads failed (75 %): at most 50 % may";
    expect(stop).toMatchObject({ scope: `run/${runId}`, strength: "move", cause: "gate", gate: "g", why });
    const reason = {
      code: "GateFailed",
      message: why,
      owner: "team:mesh",
      command: `meshroll resume run/${runId} --reason "…"`,
    };
    expect(askGates(world, "during")).toEqual({ kind: "wait", reason });
  });

  it("stands until a person lifts its stop, whatever it would say by now", () => {
    const stopped = withStops(
      makeGateWorld({ gate: gates.restartHealth(), clusters: good, run: { gates: { g: failedBefore } } }),
      makeGateStop(),
    );
    expect(tellAnswer(stopped, "during")).toBe("wait GateFailed");
    expect(readGateNow(stopped)).toBeUndefined();
    const lifted = withStops(stopped, makeGateStop({ lift: liftedByAna }));
    expect(tellAnswer(lifted, "during")).toBe("record pass");
    expect(tellAnswer(pushRecord(lifted, "during"), "during")).toBe("pass");
  });

  it("stops the run a second time when it fails anew after a lift, under another id", () => {
    const world = makeGateWorld({ gate: gates.restartHealth(), clusters: bad, run: { gates: { g: failedBefore } } });
    const { kinds, world: stopped } = settle(withStops(world, makeGateStop({ lift: liftedByAna })));
    expect(kinds).toEqual(["judgeGate", "placeStop", "wait"]);
    expect(Object.keys(stopped.ledger?.stops ?? {})).toEqual([`gate-${runId}-1`, `gate-${runId}-2`]);
  });

  it("counts the stops of its run, and no other's, for the name of the next one", () => {
    const other = makeGateStop({ id: "gate-other-1", scope: "run/aaaaaaaaaaaa", lift: liftedByAna });
    const world = withStops(makeGateWorld({ gate: gates.restartHealth(), clusters: bad }), other);
    expect(Object.keys(settle(world).world.ledger?.stops ?? {})).toEqual(["gate-other-1", `gate-${runId}-1`]);
  });

  it("fails anew in the very moment of the lift, too", () => {
    const failedThen = { ...failedBefore, at: liftedByAna.at };
    const world = makeGateWorld({ gate: gates.restartHealth(), clusters: bad, run: { gates: { g: failedThen } } });
    expect(settle(withStops(world, makeGateStop({ lift: liftedByAna }))).kinds[0]).toBe("judgeGate");
    const failedSince = { ...failedBefore, at: isoAt(-299_999) };
    const later = makeGateWorld({ gate: gates.restartHealth(), clusters: bad, run: { gates: { g: failedSince } } });
    expect(settle(withStops(later, makeGateStop({ lift: liftedByAna }))).kinds[0]).toBe("placeStop");
  });

  it("is told as failed or as passed, with its figures", () => {
    const told = (world: World) => {
      const answer = askGates(world, "during");
      return answer.kind === "record" ? [answer.decision.reason.code, answer.decision.reason.message] : [];
    };
    const gate = gates.restartHealth();
    expect(told(makeGateWorld({ gate, clusters: bad }))).toEqual([
      "GateFailed",
      `gate g of run ${runId} failed: 3 of 4 tried workloads failed (75 %): at most 50 % may`,
    ]);
    expect(told(makeGateWorld({ gate, clusters: good, run: { gates: { g: failedBefore } } }))).toEqual([
      "GatePassed",
      `gate g of run ${runId} passed: 0 of 4 tried workloads failed (0 %): at most 50 % may`,
    ]);
  });

  it("only a stop for failures names them", () => {
    const gate = gates.restartHealth();
    const stopOf = (world: World) => Object.values(settle(world).world.ledger?.stops ?? {})[0];
    expect(stopOf(makeGateWorld({ gate, clusters: bad }))).toHaveProperty("failures");
    const samples = [0.5, 0.5].map((value, index) => ({ at: Date.parse(isoAt(index - 2)), value, query: "q" }));
    const measured = makeGateWorld({
      gate: gates.prometheus(),
      clusters: [makeCluster("one", makeTried(1, 2))],
      samples,
    });
    expect(stopOf(measured)).toMatchObject({ cause: "gate", gate: "g" });
    expect(stopOf(measured)).not.toHaveProperty("failures");
  });

  it("is waited for by whoever answers for the run", () => {
    const stopped = withStops(makeGateWorld({ gate: gates.restartHealth(), clusters: good }), makeGateStop());
    const ownerBy = (campaigns: ReadonlyMap<string, ReturnType<typeof makeCampaign>>) => {
      const spec = stopped.specs.get(sha("head"));
      if (spec === undefined) throw new Error("no head");
      const settings = { ...spec.settings, gates: [gates.restartHealth()] };
      const answer = askGates(
        { ...stopped, specs: new Map(stopped.specs).set(spec.commit, { ...spec, campaigns, settings }) },
        "during",
      );
      return answer.kind === "wait" ? answer.reason.owner : answer.kind;
    };
    const stages = [makeStage("all", 100, { gates: [gates.restartHealth()] })];
    expect(ownerBy(new Map([["up", makeCampaign({ stages, owners: ["user:a", "user:b"] })]]))).toBe("user:a, user:b");
    expect(ownerBy(new Map([["up", makeCampaign({ stages, owners: [] })]]))).toBe("whoever answers for campaign up");
    expect(ownerBy(new Map())).toBe("ana");
  });

  it("another gate's stop says nothing about it", () => {
    const world = withStops(
      makeGateWorld({ gate: gates.restartHealth(), clusters: good }),
      makeGateStop({ gate: "h" }),
    );
    expect(tellAnswer(world, "during")).toBe("pass");
  });
});

describe("what is written", () => {
  it("6.3 that nothing is wrong is not written at each look", () => {
    const world = makeGateWorld({ gate: gates.restartHealth(), clusters: good });
    expect(settle(world).kinds).toEqual(["handOut"]);
  });

  it("6.3 a verdict is written when it changes, once", () => {
    const gate = gates.restartHealth({ onFail: "notify" });
    const failing = settle(makeGateWorld({ gate, clusters: bad }));
    expect(settle(failing.world).kinds).toEqual(["handOut"]);
    const better = { ...failing.world, clusters: new Map([["one", makeCluster("one", makeTried(3, 8))]]) };
    expect(settle(better).kinds).toEqual(["judgeGate", "handOut"]);
  });

  it("before the first batch a pass is written, and not asked for again", () => {
    const gate = gates.prometheus({ when: "before" });
    const begin = (value: number) =>
      makeGateWorld({
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

  it("6.3 the run's last record has every gate's last word, the passes too", () => {
    const gate = gates.restartHealth();
    const world = makeGateWorld({ gate, clusters: good });
    const head = world.specs.get(sha("head"));
    const view = head && surveyFleet(world, head).views[0];
    if (head === undefined || view === undefined || world.ledger === undefined) throw new Error("no run");
    expect(closeGates(world, world.ledger, view).gates).toMatchObject({ g: { verdict: "pass", value: 0, limit: 0.5 } });
    // What was not asked in its time keeps what was said then.
    const run = { ...view.run, gates: { early: failedBefore } };
    const before = { ...world.ledger, runs: { [runId]: run } };
    expect(closeGates(world, before, view).gates).toMatchObject({ early: failedBefore, g: { verdict: "pass" } });
  });

  it("6.3 what was unknown at the end is written as unknown, though it did not hold anything up", () => {
    const gate = gates.prometheus({ onNoData: "pass" });
    const world = makeGateWorld({ gate, clusters: good, samples: [{ at: 0, query: "q", fault: "it answers 503" }] });
    const head = world.specs.get(sha("head"));
    const view = head && surveyFleet(world, head).views[0];
    if (head === undefined || view === undefined || world.ledger === undefined) throw new Error("no run");
    expect(closeGates(world, world.ledger, view).gates).toMatchObject({
      g: { verdict: "noData", why: expect.stringContaining("it answers 503"), query: "q" },
    });
  });
});

describe("which gates are asked", () => {
  it("only those of the moment", () => {
    const world = makeGateWorld({ gate: gates.restartHealth(), clusters: bad });
    expect([tellAnswer(world, "before"), tellAnswer(world, "after")]).toEqual(["pass", "pass"]);
  });

  it("a record comes before another gate's wait, and a wait before a pass", () => {
    const named = [gates.prometheus({ name: "errors" }), gates.restartHealth()];
    const head = sha("head");
    const world = makeGateWorld({ gate: gates.restartHealth(), clusters: bad, samples: [] });
    const campaign = makeCampaign({ stages: [makeStage("all", 100, { gates: named })] });
    const spec = world.specs.get(head);
    if (spec === undefined) throw new Error("no head");
    const both = { ...world, specs: new Map(world.specs).set(head, withCampaign(spec, campaign)) };
    expect(tellAnswer(both, "during")).toBe("record fail");
    const fine = { ...both, clusters: new Map([["one", makeCluster("one", makeTried(0, 4))]]) };
    expect(tellAnswer(fine, "during")).toBe("wait GatePending");
  });

  it("2.3 a return has no gates", () => {
    const changes = [{ pattern: "production", from: "new: 100", to: "old: 100", direction: "return" as const }];
    const world = makeGateWorld({ gate: gates.restartHealth(), clusters: bad, run: { changes } });
    expect(tellAnswer(world, "during")).toBe("pass");
    expect(readGateNow(world)).toBeUndefined();
  });

  it("2.4 a run that is rolled back is not asked any more", () => {
    const world = makeGateWorld({ gate: gates.restartHealth(), clusters: bad });
    const rollback = makeStop({ id: "r", scope: `run/${runId}`, cause: "rollback", revertTo: sha("base") });
    expect(tellAnswer(withStops(world, rollback), "during")).toBe("pass");
  });

  it("G7 a stage that a person merged by hand has the gates of the stage, list or no list", () => {
    const world = makeGateWorld({ gate: gates.restartHealth(), clusters: bad, run: { author: "somebody" } });
    expect(world.ledger?.runs[runId]).not.toHaveProperty("list");
    expect(tellAnswer(world, "during")).toBe("record fail");
  });

  it("4.3 gates are head's: a gate that is taken out of the file is asked no more", () => {
    const head = sha("head");
    const world = makeGateWorld({ gate: gates.restartHealth(), clusters: bad });
    const spec = world.specs.get(head);
    if (spec === undefined) throw new Error("no head");
    const without = { ...world, specs: new Map(world.specs).set(head, withCampaign(spec, makeCampaign())) };
    expect(tellAnswer(without, "during")).toBe("pass");
  });

  it("clusters left aside do not count", () => {
    const clusters = [makeCluster("one", makeTried(0, 4)), makeCluster("two", makeTried(4, 4))];
    const world = makeGateWorld({ gate: gates.restartHealth({ maxFailureRatio: 0.4 }), clusters });
    expect(tellAnswer(world, "during")).toBe("record fail");
    const head = sha("head");
    const spec = world.specs.get(head);
    if (spec === undefined) throw new Error("no head");
    const aside = { ...spec, settings: { ...spec.settings, asideClusters: ["two"] } };
    const without = { ...world, specs: new Map(world.specs).set(head, aside) };
    expect(tellAnswer(without, "during")).toBe("pass");
    // Nobody waits for it to be seen either.
    const stale = makeCluster("two", makeTried(4, 4), { fresh: false, ageMs: 90_000 });
    const after = {
      ...aside,
      campaigns: new Map([
        ["up", makeCampaign({ stages: [makeStage("all", 100, { gates: [gates.revisionMatch()] })] })],
      ]),
    };
    const unseen = {
      ...without,
      specs: new Map(world.specs).set(head, after),
      clusters: new Map(world.clusters).set("two", stale),
    };
    expect(tellAnswer(unseen, "after")).toBe("pass");
  });

  it("an unhealthy workload that nobody of us failed is no failure", () => {
    const sick = arrived(makeWorkload("shop/s", { available: 0 }), "new", runId);
    const world = makeGateWorld({
      gate: gates.restartHealth({ maxFailureRatio: 0 }),
      clusters: [makeCluster("one", [sick])],
    });
    expect(tellAnswer(world, "during")).toBe("pass");
  });
});
