import {
  type VerbRequest,
  type ClusterSnapshot,
  decide,
  type LedgerState,
  type StopRecord,
  type Snapshot,
} from "#libs/plan";
import {
  makeMigrated,
  failed,
  makeCluster,
  makeLedger,
  makeRun,
  makeSpec,
  makeStop,
  makeWorkload,
  makeSnapshot,
  noon,
  runId,
  sha,
} from "#test/world/build";
import { openRunLedger } from "#test/world/executor";
import { readTransition } from "#test/world/transition";
import { describe, expect, test } from "vitest";

import { answerRequest, endRollback, resumeStops, retryRun } from "./transitions.ts";

const now = "2026-11-19T11:43:00.000Z";
const request: VerbRequest = {
  id: "v1",
  verb: "resume",
  scope: "all",
  strength: "move",
  who: "ana",
  why: "looked at it",
  at: now,
};

const fleet = (...clusters: readonly ClusterSnapshot[]) => new Map(clusters.map((each) => [each.name, each]));

describe("a resume", () => {
  const [s1, s2, s3] = [
    makeStop({ id: "s1", scope: "all" }),
    makeStop({ id: "s2", scope: "all" }),
    makeStop({ id: "s3", scope: "cluster/one" }),
  ];
  const stops = { s1, s2, s3, old: makeStop({ id: "old", scope: "all", resume: { at: "", who: "ben", why: "" } }) };
  const resume = (change: Partial<VerbRequest>, ledger = makeLedger({ stops }), snapshot = makeSnapshot()) =>
    readTransition(ledger, resumeStops(snapshot, ledger, { ...request, ...change }));

  test("7.5 without ids it ends all stops on exactly its scope, and says so", () => {
    const resumed = resume({});
    expect(resumed).toMatchObject({ kind: "resumeStop", stops: ["s1", "s2"] });
    expect(resumed.reason).toEqual({
      code: "StopResumed",
      message: "resumed s1, s2 on all (ana: looked at it)",
      owner: "ana",
    });
    expect(resumed.ledger.stops["s1"]?.resume).toEqual({ at: now, who: "ana", why: "looked at it" });
    expect([resumed.ledger.stops["s3"], resumed.ledger.stops["old"]]).toEqual([s3, stops.old]);
    expect(resumed.ledger.requests["v1"]).toEqual({ at: now, answer: resumed.reason.message });
  });

  test("7.5 with ids it ends these on any scope, and names each scope once", () => {
    expect(resume({ stops: ["s1", "s2", "s3"] }).reason.message).toBe(
      "resumed s1, s2, s3 on all, cluster/one (ana: looked at it)",
    );
  });

  test.each([
    { change: { scope: "cluster/two" }, want: "nothing to resume: no stop on cluster/two is recorded" },
    { change: { stops: ["old", "x"] }, want: "nothing to resume: old, x are no longer active" },
  ] as const)("7.5 $want", ({ change, want }) => {
    const answered = resume(change);
    expect(answered).toMatchObject({ kind: "answerRequest", reason: { code: "NothingToResume" } });
    expect(Object.keys(answered.ledger.requests)).toEqual(["v1"]);
    expect(answered.reason.message).toContain(want);
    expect(answered.ledger.stops).toEqual(stops);
  });

  describe("3.3 of a stop for failures names all failures so far, which do not count again", () => {
    const marks = { "meshroll.dev/run": `${runId} new`, "meshroll.dev/failed": `new ReadinessTimeout ${now}` };
    const cluster = makeCluster("one", [
      failed(makeWorkload("shop/a"), "new", runId),
      failed(makeWorkload("shop/b"), "new", "aaaaaaaaaaaa"),
      makeMigrated(makeWorkload("shop/c"), "new", runId),
      makeWorkload("unit/d"),
    ]);
    const unit = cluster.namespaces.get("unit");
    if (unit === undefined) throw new Error("no namespace");
    const marked = { ...unit, namespace: { ...unit.namespace, annotations: marks } };
    const snapshot = makeSnapshot({
      clusters: fleet({ ...cluster, namespaces: new Map([...cluster.namespaces, ["unit", marked]]) }),
    });
    const stop = (change: Partial<StopRecord>) => ({ s: makeStop({ id: "s", scope: `run/${runId}`, ...change }) });
    const seen = ["one:shop/Deployment/a", "one:unit/*"];
    const cases = [
      { name: "for its failures", change: { cause: "failures" }, want: seen },
      {
        name: "for a gate, without failures that are gone",
        change: { cause: "gate", failures: ["one:shop/Deployment/gone", ...seen] },
        want: ["one:shop/Deployment/a", "one:shop/Deployment/gone", "one:unit/*"],
      },
    ] as const;
    test.each(cases)("$name", ({ change, want }) => {
      const resumed = resume({ scope: `run/${runId}` }, makeLedger({ stops: stop(change) }), snapshot);
      expect(resumed.ledger.stops["s"]?.failures).toEqual(want);
    });
  });
});

describe("1.7 after a forced push, the resume of its stop adopts the present main", () => {
  const [head, base] = [sha("head"), sha("base")];
  const runs = {
    r1: makeRun(sha("kept"), base, { id: "r1", order: 1, state: "done" }),
    r2: makeRun(sha("lost"), base, { id: "r2", order: 2 }),
    r3: makeRun(sha("lost too"), base, { id: "r3", order: 3, state: "done" }),
  };
  const cause = "forcedPush";
  const adopt = (
    vanished: readonly string[],
    change: Partial<LedgerState> = {},
    stop: Partial<StopRecord> = { cause },
  ) => {
    const ledger = makeLedger({
      main: sha("old"),
      judged: sha("lost too"),
      runs,
      stops: { f: makeStop({ id: "f", scope: "all", ...stop }) },
      ...change,
    });
    const snapshot = makeSnapshot({ main: { head, ageMs: 0, contained: false, vanished, points: [] } });
    return readTransition(ledger, resumeStops(snapshot, ledger, request)).ledger;
  };
  const lost = [sha("lost"), sha("lost too")];

  test("open runs whose commit vanished are gone, ended ones stay as they are", () => {
    const { runs: after, main, baseline } = adopt(lost);
    expect(after["r2"]).toMatchObject({ state: "gone", endedAt: now });
    expect([after["r1"], after["r3"]]).toEqual([runs.r1, runs.r3]);
    expect([main, baseline.commit]).toEqual([head, base]);
  });

  test.each([
    { name: "the newest run that main still has", vanished: lost, change: {}, want: sha("kept") },
    {
      name: "the commit judged last, though no run began with it",
      vanished: lost,
      change: { judged: sha("comment") },
      want: sha("comment"),
    },
    {
      name: "the newest run by the order of main",
      vanished: [sha("gone")],
      change: { judged: sha("gone"), runs: { r1: runs.r1, r3: runs.r3, r2: runs.r2 } },
      want: sha("lost too"),
    },
    { name: "head, if all of them vanished", vanished: [...lost, sha("kept"), base], change: {}, want: head },
  ])("goes on from $name", ({ vanished, change, want }) => {
    expect(adopt(vanished, change).judged).toBe(want);
  });

  test("a vanished baseline becomes head, recorded by the planner", () => {
    expect(adopt([...lost, base]).baseline).toEqual({ commit: head, at: now, by: "ana", installation: "testmeshroll" });
  });

  test("the resume of any other stop adopts nothing", () => {
    const { main, runs: after, judged } = adopt(lost, {}, {});
    expect([main, after, judged]).toEqual([sha("old"), runs, sha("lost too")]);
  });
});

describe("verbs that are carried out", () => {
  test("3.3 a retry opens the run again, adds to the forgiven attempts, and names the first five", () => {
    const run = makeRun(sha("head"), sha("base"), {
      state: "done",
      endedAt: now,
      retried: { "one:shop/Deployment/z": 2 },
      outcome: { migrated: 1, skipped: [], seen: [] },
    });
    const tries = Object.fromEntries(["a", "b", "c", "d", "e", "f"].map((name) => [`one:shop/Deployment/${name}`, 1]));
    const own = { scope: `run/${runId}` } as const;
    const stops = {
      f: makeStop({ id: "f", ...own, cause: "failures" }),
      g: makeStop({ id: "g", ...own, cause: "gate" }),
      p: makeStop({ id: "p", ...own }),
      o: makeStop({ id: "o", scope: "run/aaaaaaaaaaaa", cause: "failures" }),
    };
    const ledger = makeLedger({ runs: { [runId]: run }, stops });
    const retrying = retryRun(makeSnapshot(), ledger, run, tries, { ...request, verb: "retry", ...own });
    const retried = readTransition(ledger, retrying);
    expect(retried.ledger.runs[runId]).toMatchObject({
      state: "open",
      retried: { ...tries, "one:shop/Deployment/z": 2 },
    });
    expect(retried.ledger.runs[runId]).not.toHaveProperty("endedAt");
    expect(retried.ledger.runs[runId]).not.toHaveProperty("outcome");
    expect(Object.values(retried.ledger.stops).flatMap(({ id, resume }) => (resume === undefined ? [] : [id]))).toEqual(
      ["f", "g"],
    );
    const names = ["a", "b", "c", "d", "e"].map((name) => `one:shop/Deployment/${name}`).join(", ");
    expect(retried.reason.message).toBe(
      `retry of run ${runId}: 6 workloads will be tried again: ${names}, … (ana: looked at it)`,
    );
    const five = Object.fromEntries(Object.entries(tries).slice(0, 5));
    const all = readTransition(ledger, retryRun(makeSnapshot(), ledger, run, five, request));
    expect(all.reason.message).not.toContain("…");
    const one = { "one:shop/Deployment/a": 1 };
    const few = readTransition(ledger, retryRun(makeSnapshot(), ledger, run, one, request));
    expect(few.reason.message).toBe(
      `retry of run ${runId}: 1 workload will be tried again: one:shop/Deployment/a (ana: looked at it)`,
    );
  });

  test("2.4 the planner ends a rollback once main says the same", () => {
    const stop = makeStop({ id: "r", scope: `run/${runId}`, cause: "rollback" });
    const ledger = makeLedger({ stops: { r: stop } });
    const ended = readTransition(ledger, endRollback(makeSnapshot(), ledger, stop));
    const why = `main now matches (${sha("head").slice(0, 12)}); stop ended`;
    expect(ended.ledger.stops["r"]?.resume).toEqual({ at: now, who: "meshroll planner", why });
    expect(ended).toMatchObject({ kind: "resumeStop", stops: ["r"] });
    expect(ended.reason).toMatchObject({ message: `rollback r of run/${runId} has ended: ${why}`, owner: "meshroll" });
  });

  const unchanged = { code: "StopKnown", stop: "s1", who: "ana" } as const;

  test("7.5 a verb that was carried out thirty days ago is forgotten, to the millisecond", () => {
    const day = 86_400_000;
    const at = (ms: number) => ({ at: new Date(noon - ms).toISOString(), answer: "" });
    const requests = { just: at(30 * day), gone: at(30 * day + 1) };
    const ledger = makeLedger({ requests });
    const answered = readTransition(ledger, answerRequest(makeSnapshot(), ledger, request, unchanged));
    expect(Object.keys(answered.ledger.requests)).toEqual(["just", "v1"]);
  });

  test("8.2 each record has main's head and the next number, and does not adopt a rewritten main", () => {
    const ledger = makeLedger({ main: sha("old"), sequence: 7 });
    const next = (change: Partial<Snapshot>) =>
      readTransition(ledger, answerRequest(makeSnapshot(change), ledger, request, unchanged)).ledger;
    expect(next({})).toMatchObject({ main: sha("head"), sequence: 8 });
    const rewritten = { head: sha("head"), ageMs: 0, contained: false, vanished: [], points: [] };
    expect(next({ main: rewritten })).toMatchObject({ main: sha("old"), sequence: 8 });
  });
});

test("1.1 a commit that changes no distribution is recorded as judged", () => {
  const [head, next] = [sha("head"), sha("next")];
  const spec = makeSpec(next, 100);
  const point = { commit: { sha: next, author: "ana", subject: "comment", at: noon }, spec };
  const [decision] = decide(
    makeSnapshot({
      main: { head: next, ageMs: 0, contained: true, vanished: [], points: [point] },
      specs: new Map([makeSpec(sha("base"), 0), makeSpec(head, 100), spec].map((each) => [each.commit, each])),
      ledger: openRunLedger(),
    }),
  );
  expect(decision).toMatchObject({
    kind: "judge",
    change: { judged: next },
    reason: { code: "NothingChanged", commit: next },
  });
});
