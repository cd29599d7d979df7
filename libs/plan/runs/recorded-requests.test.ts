import { applyChange, type VerbRequest, decide, isLedgerDecision, type LedgerState } from "#libs/plan";
import { failed, makeCluster, makeRun, makeStop, makeWorkload, makeSnapshot, runId, sha } from "#test/world/build";
import { openRunLedger } from "#test/world/executor";
import { describe, expect, test } from "vitest";

const request: VerbRequest = {
  id: "v1",
  verb: "stop",
  scope: `run/${runId}`,
  strength: "move",
  who: "ana",
  why: "5xx",
  at: "2026-11-19T12:10:00Z",
};
const forward = [{ pattern: "production", from: "0", to: "100", direction: "forward" as const }];
const ofRun = (change: Parameters<typeof makeRun>[2], more: Partial<LedgerState> = {}) =>
  openRunLedger({ runs: { [runId]: makeRun(sha("head"), sha("base"), { changes: forward, ...change }) }, ...more });
const quiet = makeCluster("one", [makeWorkload("shop/a"), failed(makeWorkload("shop/b"), "new", runId)]);

/** The ledger after the first decision, and the answer to the verb. */
function carryOut(verb: Partial<VerbRequest>, ledger = ofRun({}), cluster = quiet) {
  const snapshot = makeSnapshot({ requests: [{ ...request, ...verb }], ledger, clusters: new Map([["one", cluster]]) });
  const [decision] = decide(snapshot);
  if (decision === undefined || !isLedgerDecision(decision)) throw new Error("a verb is recorded at once");
  const after = applyChange(ledger, decision.change);
  return { kind: decision.kind, ledger: after, answer: after.requests["v1"]?.answer ?? "none" };
}

describe("verbs and their records", () => {
  test("7.1 a pause with a time is recorded with it, and does not end by itself", () => {
    const { ledger } = carryOut({ until: "2026-11-19T11:00:00.000Z" });
    expect(ledger.stops["v1"]).toMatchObject({ until: "2026-11-19T11:00:00.000Z", strength: "move" });
    const after = decide(makeSnapshot({ ledger, clusters: new Map([["one", quiet]]) }));
    expect(after.map((each) => (each.kind === "wait" ? each.reason.code : each.kind))).toEqual(["placeStop"]);
  });

  test("7.5 a resume ends exactly the stops that it names", () => {
    const stops = {
      s1: makeStop({ id: "s1", scope: "all" }),
      s2: makeStop({ id: "s2", scope: "all" }),
      s3: makeStop({ id: "s3", scope: "cluster/one" }),
    };
    const { ledger } = carryOut({ verb: "resume", scope: "all", stops: ["s2", "s3"] }, ofRun({}, { stops }));
    expect(Object.values(ledger.stops).map(({ id, resume }) => `${id} ${resume?.who}`)).toEqual([
      "s1 undefined",
      "s2 ana",
      "s3 ana",
    ]);
  });

  test("7.5 a resume of a record that is not in force says so, once", () => {
    const { kind, answer } = carryOut({ verb: "resume", stops: ["gone"] });
    expect([kind, answer]).toEqual([
      "answerRequest",
      expect.stringContaining("nothing to resume: gone is no longer active"),
    ]);
  });

  test("2.4 a rollback is a stop on the run with the commit that it is rolled back to", () => {
    const { ledger } = carryOut({ verb: "rollback", now: true });
    expect(ledger.stops["v1"]).toMatchObject({
      cause: "rollback",
      revertTo: sha("base"),
      now: true,
      scope: `run/${runId}`,
    });
  });

  const refusals: readonly {
    readonly name: string;
    readonly verb: Partial<VerbRequest>;
    readonly ledger?: LedgerState;
    readonly want: RegExp;
  }[] = [
    { name: "2.2 of an unknown run", verb: { scope: "run/ffffffffffff" }, want: /there is no run\/f/ },
    {
      name: "2.2 of a rollback",
      verb: {},
      ledger: ofRun({ changes: [{ ...forward[0], direction: "rollback" } as never] }),
      want: /is a rollback itself/,
    },
    { name: "2.4 to a commit that main never had", verb: { revertTo: sha("never") }, want: /main was never at/ },
    { name: "1.7 of a run that is gone", verb: {}, ledger: ofRun({ state: "gone" }), want: /is gone/ },
  ];
  test.each(refusals)("a rollback $name is answered and changes nothing", ({ verb, ledger, want }) => {
    const before = ledger ?? ofRun({});
    const after = carryOut({ verb: "rollback", ...verb }, before);
    expect([after.kind, after.ledger.stops]).toEqual(["answerRequest", before.stops]);
    expect(after.answer).toMatch(want);
  });

  test("3.3 a retry forgives failures, and ends only the run's stop for failures", () => {
    const stops = {
      f: makeStop({ id: "f", scope: `run/${runId}`, cause: "failures", failures: ["one:shop/Deployment/b"] }),
      p: makeStop({ id: "p", scope: `run/${runId}` }),
    };
    const { kind, ledger } = carryOut({ verb: "retry" }, ofRun({}, { stops }));
    expect([kind, ledger.runs[runId]?.retried]).toEqual(["retryRun", { "one:shop/Deployment/b": 1 }]);
    expect([ledger.stops["f"]?.resume?.who, ledger.stops["p"]?.resume]).toEqual(["ana", undefined]);
  });

  test("3.3 after a retry failed workloads are due with one more attempt", () => {
    const { ledger } = carryOut({ verb: "retry" });
    const [decision] = decide(
      makeSnapshot({
        ledger,
        settings: {},
        clusters: new Map([["one", makeCluster("one", [failed(makeWorkload("shop/b"), "new", runId)])]]),
      }),
    );
    expect(decision?.kind === "handOut" ? decision.batch.items : []).toMatchObject([{ name: "b", attempt: 2 }]);
  });

  test("3.3 a retry of a run that was over opens it again", () => {
    const outcome = { migrated: 1, skipped: [], seen: ["one"] };
    const { ledger } = carryOut({ verb: "retry" }, ofRun({ state: "done", endedAt: "x", outcome }));
    expect(ledger.runs[runId]).toMatchObject({ state: "open" });
    expect(ledger.runs[runId]).not.toHaveProperty("outcome");
  });

  test("7.5 the oldest verb goes first, and the oldest retry", () => {
    const early = { ...request, id: "early", at: "2026-11-19T12:01:00Z" };
    for (const verb of ["stop", "retry"] as const) {
      const both = [request, early].map((each) => ({ ...each, verb }));
      expect([both, both.toReversed()].map(carryOutFirst)).toEqual([["early"], ["early"]]);
    }
    expect(carryOutFirst([{ ...early, verb: "retry" }, request])).toEqual(["v1"]);
  });

  test("7.5 stops and rollbacks are recorded before resumes, except after older resumes of the same scope", () => {
    const older = { ...request, verb: "resume", at: "2026-11-19T11:00:00Z" } as const;
    const flood = Array.from({ length: 100 }, (_, index) => ({
      ...older,
      id: `f${index}`,
      scope: "cluster/two" as const,
    }));
    const end = { ...older, id: "end" };
    const named = { ...end, stops: ["v0"] };
    for (const verb of ["stop", "rollback"] as const) {
      const asked = { ...request, verb };
      expect(carryOutFirst([...flood, asked])).toEqual(["v1"]);
      expect(carryOutFirst([...flood, asked, end])).toEqual(["end"]);
      expect(carryOutFirst([...flood, asked, named])).toEqual(["v1"]);
    }
    const stops = flood.map((each) => ({ ...each, verb: "stop" as const }));
    const asked = { ...request, verb: "rollback" as const };
    expect(carryOutFirst([...stops, asked])).toEqual(["v1"]);
    expect(carryOutFirst([...stops, asked, { ...end, verb: "stop" }])).toEqual(["end"]);
  });

  function carryOutFirst(requests: readonly VerbRequest[]): readonly string[] {
    const [decision] = decide(makeSnapshot({ requests, ledger: ofRun({}), clusters: new Map([["one", quiet]]) }));
    return decision !== undefined && isLedgerDecision(decision) ? Object.keys(decision.change.requests ?? {}) : [];
  }

  test("2.4 the target of a rollback may be a run's commit, the one before it, or the baseline", () => {
    const earlier = makeRun(sha("second"), sha("first"), { id: "aaaaaaaaaaaa", state: "done", order: 0 });
    const ledger = ofRun({}, { runs: { ...ofRun({}).runs, [earlier.id]: earlier } });
    for (const revertTo of ["second", "first", "base"].map(sha)) {
      expect(carryOut({ verb: "rollback", revertTo }, ledger).ledger.stops["v1"]).toMatchObject({ revertTo });
    }
    const gone = { ...ledger, runs: { ...ledger.runs, [earlier.id]: { ...earlier, state: "gone" as const } } };
    expect(carryOut({ verb: "rollback", revertTo: sha("second") }, gone).answer).toContain(
      `main was never at ${sha("second").slice(0, 12)} between`,
    );
    const after = { ...ledger, runs: { ...ledger.runs, [earlier.id]: { ...earlier, order: 99 } } };
    expect(carryOut({ verb: "rollback", revertTo: sha("second") }, after).answer).toContain("main was never at");
    const later = { ...ledger, baseline: { ...ledger.baseline, commit: sha("first record") } };
    expect(carryOut({ verb: "rollback", revertTo: sha("first record") }, later).kind).toBe("placeStop");
  });

  test("7.5 a retry is carried out once", () => {
    const ledger = ofRun({}, { requests: { v1: { at: "2026-11-19T12:10:00.000Z", answer: "due again" } } });
    const requests = [{ ...request, verb: "retry" as const }];
    const [decision] = decide(makeSnapshot({ requests, ledger, clusters: new Map([["one", quiet]]) }));
    expect(decision?.kind).toBe("placeStop");
  });

  const useless: readonly {
    readonly name: string;
    readonly verb?: Partial<VerbRequest>;
    readonly run?: Parameters<typeof ofRun>[0];
  }[] = [
    { name: "no failed workload", verb: { workloads: ["one:shop/Deployment/a"] } },
    { name: "an unknown run", verb: { scope: "run/ffffffffffff" } },
    { name: "a run that is gone", run: { state: "gone" } },
    { name: "a run whose files were not read", run: { state: "done", commit: sha("lost") } },
    { name: "a run whose files of before were not read", run: { state: "done", before: sha("lost") } },
  ];
  test.each(useless)("3.3 a retry of $name is answered and changes nothing", ({ verb = {}, run = {} }) => {
    const { kind, answer } = carryOut({ verb: "retry", ...verb }, ofRun(run));
    expect([kind, answer]).toEqual(["answerRequest", expect.stringMatching(/nothing to retry/)]);
  });

  test("3.3 a retry of an earlier run changes nothing of what a later run has taken over", () => {
    const earlier = makeRun(sha("base"), sha("base"), {
      id: "aaaaaaaaaaaa",
      order: 0,
      state: "done",
      changes: forward,
    });
    const { runs } = ofRun({});
    const { kind, answer } = carryOut(
      { verb: "retry", scope: "run/aaaaaaaaaaaa" },
      ofRun({}, { runs: { ...runs, aaaaaaaaaaaa: earlier } }),
    );
    expect([kind, answer]).toEqual(["answerRequest", expect.stringMatching(/nothing to retry/)]);
  });

  test("7.5 each verb is carried out once, and dropped after thirty days", () => {
    const requests = {
      old: { at: "2026-09-01T00:00:00.000Z", answer: "" },
      recent: { at: "2026-11-01T00:00:00.000Z", answer: "" },
    };
    expect(Object.keys(carryOut({}, ofRun({}, { requests })).ledger.requests)).toEqual(["recent", "v1"]);
  });
});
