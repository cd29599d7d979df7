import { type StagePull, type StopRecord, type Snapshot } from "#libs/plan";
import { instantRun, makeInstant, see, allMigrated, over, stopOf, pulls } from "#test/world/campaigns/campaign-instant";
import { answersOf, wordsOf } from "#test/world/words";
import { describe, expect, test } from "vitest";

describe("1.5 the present stage, the next one, and every stage's state", () => {
  const states = (snapshot: Snapshot) =>
    see(snapshot)
      .stages.map(({ name, state }) => `${name} ${state}`)
      .slice(3, 7);

  test("while a run is open its stage is the present one, and the next is the first that is not reached", () => {
    const status = see(makeInstant());
    expect(status.stage).toEqual({ name: "prod-25", index: 5, of: 8 });
    expect(status.nextStage?.name).toBe("prod-50");
    expect(states(makeInstant())).toEqual(["prod-5 Completed", "prod-25 Running", "prod-50 Next", "prod-100 Pending"]);
  });

  test("6.2 with all workloads migrated it bakes, and is baked when the bake is over", () => {
    const bake = { beganAt: "", neededMs: 86_400_000, healthyMs: 3_600_000, savedAt: "2026-11-19T11:43:00.000Z" };
    const baking = makeInstant({ progress: allMigrated, run: { bake } });
    expect(states(baking)[1]).toBe("prod-25 Baking");
    expect(see(baking).bake).toEqual({
      healthySeconds: 3600,
      neededSeconds: 86_400,
      endsAt: "2026-11-20T10:43:00.000Z",
    });
    expect(see(baking).stages[4]?.baked).toBe(false);
    const baked = makeInstant({ progress: allMigrated, run: { bake: { ...bake, healthyMs: 86_400_000 } } });
    expect(see(baked).stages[4]?.baked).toBe(true);
  });

  test("6.2 a bake counts from its start, and a run without a bake is baked only when it is over", () => {
    const bake = { beganAt: "", neededMs: 86_400_000, healthyMs: 0, savedAt: "2026-11-19T11:43:00.000Z" };
    expect(states(makeInstant({ progress: allMigrated, run: { bake } }))[1]).toBe("prod-25 Baking");
    const bakes = new Map([[instantRun, { healthyMs: 1 }]]);
    expect(states(makeInstant({ progress: allMigrated, snapshot: { bakes } }))[1]).toBe("prod-25 Baking");
    expect(see(makeInstant()).stages[4]?.baked).toBe(false);
  });

  test.each(["failures", "gate"] as const)("3.3 6.3 a stage that was stopped by its %s failed", (cause) => {
    const stops = (scope: StopRecord["scope"]) => stopOf({ id: "s", scope, cause });
    expect(states(makeInstant({ stops: stops(`run/${instantRun}`) }))[1]).toBe("prod-25 Failed");
    expect(states(makeInstant({ stops: stops("run/aaaaaaaaaaaa") }))[1]).toBe("prod-25 Running");
  });

  test("6.2 it is running until its bake begins, and again when a workload has to move or the bake is over", () => {
    const bake = { beganAt: "", neededMs: 86_400_000, healthyMs: 1, savedAt: "2026-11-19T11:43:00.000Z" };
    const baked: typeof bake = { ...bake, healthyMs: 86_400_000 };
    const running = [{ progress: allMigrated }, { run: { bake } }, { progress: allMigrated, run: { bake: baked } }];
    expect(running.map((each) => states(makeInstant(each))[1])).toEqual(running.map(() => "prod-25 Running"));
  });

  test("a stage that ran and is not reached any more was rolled back, and its bake does not count", () => {
    const bake = { beganAt: "", neededMs: 0, healthyMs: 86_400_000_000, savedAt: "2026-11-19T11:43:00.000Z" };
    const stages = ["prod-50", "prod-100"].map((stage) => see(makeInstant({ run: { ...over, stage, bake } })).stages);
    expect([stages[0]?.[5], stages[1]?.[6]]).toMatchObject([
      { name: "prod-50", state: "RolledBack", baked: false },
      { name: "prod-100", state: "RolledBack", baked: false },
    ]);
    // Under the hold that a rollback leaves, and proposed again after it: a stage that waits for its bake still waits.
    const again = { run: { ...over, stage: "prod-50", bake } };
    const hold = stopOf({ id: "h", scope: "bucket/production", cause: "rolledBack" });
    const [held, proposed] = [{ stops: hold }, { snapshot: pulls() }].map((each) =>
      see(makeInstant({ ...again, ...each })),
    );
    expect([held?.stages[5], proposed?.stages[5]]).toMatchObject([
      { state: "Held", baked: false },
      { state: "Proposed", baked: false },
    ]);
  });

  test("each stage has its place, its shares and its newest run", () => {
    const ended = see(makeInstant({ progress: allMigrated, run: over })).stages;
    expect(ended[4]).toEqual({
      name: "prod-25",
      index: 5,
      set: { production: 25 },
      state: "Completed",
      reached: true,
      baked: true,
      run: instantRun,
      startedAt: "2026-11-19T10:02:00.000Z",
      endedAt: over.endedAt,
    });
    expect(ended[5]).toMatchObject({ name: "prod-50", reached: false });
    expect(ended[5]).not.toHaveProperty("run");
  });

  test("a closed pull request, or a later stage's, is no proposal", () => {
    const word = (change: Partial<StagePull>) =>
      states(makeInstant({ progress: allMigrated, run: over, snapshot: pulls(change) }))[2];
    expect(word({})).toBe("prod-50 Proposed");
    expect(word({ state: "closed" })).toBe("prod-50 Next");
    expect(word({ branch: "meshroll/istio-1-25/prod-100" })).toBe("prod-50 Next");
  });

  test("6.2 healthy time since the last record counts, and a pause has its reason", () => {
    const bake = { beganAt: "", neededMs: 86_400_000, healthyMs: 0, savedAt: "2026-11-19T11:43:00.000Z" };
    const paused = { code: "BakeUnseen", cluster: "prod-usw2-a" } as const;
    const bakes = new Map([[instantRun, { healthyMs: 7_200_000, paused }]]);
    const status = see(makeInstant({ progress: allMigrated, run: { bake }, snapshot: { bakes } }));
    expect(status.bake).toEqual({
      healthySeconds: 7200,
      neededSeconds: 86_400,
      paused: { code: "BakeUnseen", message: wordsOf(paused)?.message },
    });
    expect(answersOf(status).next[0]?.text).toBe("then the bake: 22 h of healthy time");
  });

  test("a stage whose run is open, while its pull request was last read as open", () => {
    const change = { branch: "meshroll/istio-1-25/prod-25" };
    const seen = (instant: Parameters<typeof makeInstant>[0]) =>
      see(makeInstant({ ...instant, snapshot: pulls(change) }));
    expect(seen({}).pull).toMatchObject({ stage: "prod-25", state: "merged" });
  });

  test("a stage that is over, while the next one's pull request is open", () => {
    const snapshot = makeInstant({ progress: allMigrated, run: over, snapshot: pulls() });
    expect(states(snapshot)).toEqual(["prod-5 Completed", "prod-25 Completed", "prod-50 Proposed", "prod-100 Pending"]);
    expect(see(snapshot).pull).toMatchObject({ stage: "prod-50", number: 119, state: "open" });
  });

  test("7.1 a hold on the campaign holds the next stage; a pause holds the present one", () => {
    const hold = stopOf({ id: "h", scope: "campaign/istio-1-25", strength: "propose" });
    expect(states(makeInstant({ progress: allMigrated, run: over, stops: hold }))[2]).toBe("prod-50 Held");
    expect(states(makeInstant({ stops: hold }))[1]).toBe("prod-25 Running");
    const pause = stopOf({ id: "p", scope: "all" });
    expect(states(makeInstant({ stops: pause }))[1]).toBe("prod-25 Held");
    const own = stopOf({ id: "p", scope: `run/${instantRun}` });
    expect(states(makeInstant({ stops: own }))[1]).toBe("prod-25 Held");
  });
});
