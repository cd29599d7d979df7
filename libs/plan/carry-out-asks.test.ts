import { type Ask, decide, type LedgerState, printRecordedStop } from "#libs/plan";
import {
  failed,
  makeCluster,
  makeLedger,
  makeRun,
  makeStop,
  makeWorkload,
  makeWorld,
  runId,
  sha,
} from "#test/world/build";
import { openRunLedger } from "#test/world/executor";
import { describe, expect, test } from "vitest";

const ask: Ask = {
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

/** The ledger after the first decision, and the answer that the verb got. */
function carryOut(verb: Partial<Ask>, ledger = ofRun({}), cluster = quiet) {
  const world = makeWorld({ asks: [{ ...ask, ...verb }], ledger, clusters: new Map([["one", cluster]]) });
  const [decision] = decide(world);
  if (decision === undefined || !("ledger" in decision)) throw new Error("a verb is recorded at once");
  return { kind: decision.kind, ledger: decision.ledger, answer: decision.ledger.asks["v1"]?.answer ?? "none" };
}

describe("verbs and what the ledger has after them", () => {
  test("7.1 a pause until a time is recorded with it, and does not end by itself", () => {
    const { ledger } = carryOut({ until: "2026-11-19T11:00:00.000Z" });
    expect(ledger.stops["v1"]).toMatchObject({ until: "2026-11-19T11:00:00.000Z", strength: "move" });
    const after = decide(makeWorld({ ledger, clusters: new Map([["one", quiet]]) }));
    expect(after.map((each) => (each.kind === "wait" ? each.reason.code : each.kind))).toEqual(["placeStop"]);
  });

  test("7.5 a lift takes exactly the records that it names", () => {
    const stops = {
      s1: makeStop({ id: "s1", scope: "all" }),
      s2: makeStop({ id: "s2", scope: "all" }),
      s3: makeStop({ id: "s3", scope: "cluster/one" }),
    };
    const { ledger } = carryOut({ verb: "lift", scope: "all", stops: ["s2", "s3"] }, ofRun({}, { stops }));
    expect(Object.values(ledger.stops).map(({ id, lift }) => `${id} ${lift?.who}`)).toEqual([
      "s1 undefined",
      "s2 ana",
      "s3 ana",
    ]);
  });

  test("7.5 a lift of a record that is not in force says so, once", () => {
    const { kind, answer } = carryOut({ verb: "lift", stops: ["gone"] });
    expect([kind, answer]).toEqual(["answerAsk", expect.stringContaining("nothing to lift: gone is in force no more")]);
  });

  test("2.4 a rollback is a stop on the run with the commit that it goes back to", () => {
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
    readonly verb: Partial<Ask>;
    readonly ledger?: LedgerState;
    readonly want: RegExp;
  }[] = [
    { name: "2.2 of a run that nobody knows", verb: { scope: "run/ffffffffffff" }, want: /there is no run\/f/ },
    { name: "2.2 of a scope that is no run", verb: { scope: "all" }, want: /there is no all/ },
    {
      name: "2.2 of a return",
      verb: {},
      ledger: ofRun({ changes: [{ ...forward[0], direction: "return" } as never] }),
      want: /is a return itself/,
    },
    { name: "2.4 to a commit that main never had", verb: { revertTo: sha("never") }, want: /main never stood at/ },
    { name: "1.7 of a run that is gone", verb: {}, ledger: ofRun({ state: "gone" }), want: /is gone/ },
  ];
  test.each(refusals)("a rollback $name is answered and changes nothing", ({ verb, ledger, want }) => {
    const before = ledger ?? ofRun({});
    const after = carryOut({ verb: "rollback", ...verb }, before);
    expect([after.kind, after.ledger.stops]).toEqual(["answerAsk", before.stops]);
    expect(after.answer).toMatch(want);
  });

  test("3.3 a retry forgives what failed, lifts the run's stop for failures and no other", () => {
    const stops = {
      f: makeStop({ id: "f", scope: `run/${runId}`, cause: "failures", failures: ["one:shop/Deployment/b"] }),
      p: makeStop({ id: "p", scope: `run/${runId}` }),
    };
    const { kind, ledger } = carryOut({ verb: "retry" }, ofRun({}, { stops }));
    expect([kind, ledger.runs[runId]?.retried]).toEqual(["retryRun", { "one:shop/Deployment/b": 1 }]);
    expect([ledger.stops["f"]?.lift?.who, ledger.stops["p"]?.lift]).toEqual(["ana", undefined]);
  });

  test("3.3 after a retry what failed is due with one more try", () => {
    const { ledger } = carryOut({ verb: "retry" });
    const [decision] = decide(
      makeWorld({
        ledger,
        settings: {},
        clusters: new Map([["one", makeCluster("one", [failed(makeWorkload("shop/b"), "new", runId)])]]),
      }),
    );
    expect(decision?.kind === "handOut" ? decision.batch.items : []).toMatchObject([{ name: "b", attempt: 2 }]);
  });

  test("3.3 a retry of a run that was over opens it again", () => {
    const outcome = { arrived: 1, aside: [], seen: ["one"] };
    const { ledger } = carryOut({ verb: "retry" }, ofRun({ state: "done", endedAt: "x", outcome }));
    expect(ledger.runs[runId]).toMatchObject({ state: "open" });
    expect(ledger.runs[runId]).not.toHaveProperty("outcome");
  });

  test.each([
    ["nobody that failed", { workloads: ["one:shop/Deployment/a"] }],
    ["an unknown run", { scope: "run/ffffffffffff" as const }],
  ])("3.3 a retry of %s is answered and changes nothing", (_, verb) =>
    expect(carryOut({ verb: "retry", ...verb }).answer).toMatch(/nothing to retry/),
  );

  test("7.5 each verb is carried out once, and forgotten after thirty days", () => {
    const asks = {
      old: { at: "2026-09-01T00:00:00.000Z", answer: "" },
      recent: { at: "2026-11-01T00:00:00.000Z", answer: "" },
    };
    expect(Object.keys(carryOut({}, ofRun({}, { asks })).ledger.asks)).toEqual(["recent", "v1"]);
  });
});

describe("entries that stand in a cluster's ConfigMap", () => {
  const entry = {
    id: "p9",
    scope: "all",
    strength: "move",
    at: "2026-11-19T11:00:00Z",
    who: "ben",
    why: "bus down",
  } as const;
  const withEntries = (recorded: Record<string, string>) =>
    makeCluster("one", [makeWorkload("shop/a")], { facts: { stops: { kubectl: false, recorded } } });
  const record = (recorded: Record<string, string>, ledger = makeLedger()) => {
    const [decision] = decide(makeWorld({ ledger, clusters: new Map([["one", withEntries(recorded)]]) }));
    return decision?.kind === "placeStop" ? decision.stop : undefined;
  };

  test("7.3 one that the ledger never had is recorded as it stands", () => {
    expect(record({ p9: printRecordedStop(entry) })).toEqual({ ...entry, cause: "cluster" });
  });

  test("7.3 one that cannot be read stops its cluster, and is recorded as that", () => {
    expect(record({ p9: "?" })).toMatchObject({ id: "p9", scope: "cluster/one", strength: "move", cause: "cluster" });
  });

  test("7.3 one that the ledger has, lifted or not, is not recorded again", () => {
    const stop = makeStop({ id: "p9", scope: "all" });
    const lifted = { ...stop, lift: { at: "", who: "", why: "" } };
    for (const known of [stop, lifted]) {
      expect(record({ p9: printRecordedStop(entry) }, openRunLedger({ stops: { p9: known } }))).toBe(undefined);
    }
  });
});
