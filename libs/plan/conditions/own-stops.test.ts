import type { BatchSettings } from "#libs/campaign";
import { type Decision, decide, type LedgerState, type StopRecord, type Snapshot } from "#libs/plan";
import {
  failed,
  makeCluster,
  makeRun,
  makeSpec,
  makeStop,
  makeWorkload,
  makeSnapshot,
  runId,
  sha,
} from "#test/world/build";
import { a, clusters } from "#test/world/decide-cases";
import { openRunLedger } from "#test/world/executor";
import { findPlaced } from "#test/world/transition";
import { describe, expect, test } from "vitest";

const { batch: usual } = makeSpec(sha("x"), 0).settings;
const scope = `run/${runId}` as const;
const resume = { at: "2026-11-19T12:00:00.000Z", who: "ana", why: "seen" };

function ledgerOf(stops: readonly StopRecord[], change: Partial<LedgerState> = {}): LedgerState {
  return openRunLedger({ stops: Object.fromEntries(stops.map((stop) => [stop.id, stop])), ...change });
}

/** The stop that is placed first; undefined without one. */
function placed(decisions: readonly Decision[]): Partial<StopRecord> | undefined {
  const [first] = decisions;
  return first?.kind === "placeStop" ? findPlaced(first) : undefined;
}

describe("3.3 failures stop the run", () => {
  const broken = (count: number) =>
    Array.from({ length: count }, (_, index) => failed(makeWorkload(`shop/w${index}`), "new", runId));
  const stopFor = (count: number, batch: Partial<BatchSettings> = {}, stops: readonly StopRecord[] = []) => {
    const workloads = [...broken(count), ...Array.from({ length: 10 }, (_, index) => makeWorkload(`shop/x${index}`))];
    const snapshot = { ledger: ledgerOf(stops), clusters: clusters(makeCluster("one", workloads)) };
    return placed(decide(makeSnapshot({ ...snapshot, settings: { batch: { ...usual, ...batch } } })));
  };
  const name = (index: number) => `one:shop/Deployment/w${index}`;

  test("with FailFast at the first one, which is named", () => {
    expect(stopFor(1)).toMatchObject({
      id: `failures-${runId}-1`,
      scope,
      why: `too many failed (failurePolicy FailFast), first: ${name(0)}`,
      failures: [name(0)],
    });
  });

  test("maxFailures takes precedence over the policy, and is named with its limit", () => {
    expect(stopFor(2, { maxFailures: 2 })).toBeUndefined();
    expect(stopFor(3, { maxFailures: 2, failurePolicy: "ContinueOnError" })?.why).toMatch(
      /^too many failed \(maxFailures 2\), first: /,
    );
  });

  test("the first five failures are named", () => {
    const five = [0, 1, 2, 3, 4].map(name).join(", ");
    expect(stopFor(5)?.why).toBe(`too many failed (failurePolicy FailFast), first: ${five}`);
    expect(stopFor(6)?.why).toBe(`too many failed (failurePolicy FailFast), first: ${five}, …`);
  });

  test("failures after a resume cause another stop, and forgiven ones do not count", () => {
    const first = makeStop({ id: `failures-${runId}-1`, scope, cause: "failures", failures: [name(0)], resume });
    const others = ["cluster/one", "run/aaaaaaaaaaaa"] as const;
    const elsewhere = others.map((each, index) =>
      makeStop({ id: `o${index}`, scope: each, cause: "failures", resume }),
    );
    expect(stopFor(1, {}, [first])).toBeUndefined();
    expect(stopFor(2, {}, [first, ...elsewhere])).toMatchObject({ id: `failures-${runId}-2`, failures: [name(1)] });
  });

  test("only a stop for this run's failures replaces it", () => {
    const stop = (change: Partial<StopRecord>) => makeStop({ id: "s", scope, cause: "failures", ...change });
    expect(stopFor(1, {}, [stop({})])).toBeUndefined();
    expect(stopFor(1, {}, [stop({ cause: "verb" })])?.cause).toBe("failures");
    expect(stopFor(1, {}, [stop({ scope: "run/aaaaaaaaaaaa" })])?.cause).toBe("failures");
  });
});

describe("1.7 a rewritten main", () => {
  const main = { head: sha("other"), ageMs: 0, contained: false, vanished: [], points: [] };
  const reconcile = (stops: readonly StopRecord[], change: Partial<LedgerState> = {}) =>
    decide(makeSnapshot({ main, ledger: ledgerOf(stops, change), clusters: clusters(makeCluster("one", [a])) }));
  const why = `main was rewritten: ${runId}, the head last recorded, is not in its history any more`;

  test("stops everything, with another id for each push", () => {
    const id = (sequence: number) => `forced-push-${sha("other").slice(0, 12)}-${sequence}`;
    expect(placed(reconcile([]))).toMatchObject({
      id: id(1),
      scope: "all",
      strength: "move",
      cause: "forcedPush",
      why,
    });
    const before = makeStop({ id: id(1), scope: "all", cause: "forcedPush", resume });
    expect(placed(reconcile([before], { sequence: 5 }))?.id).toBe(id(5));
  });

  test("is a wait once the stop is recorded, with the command that ends it; a person's stop does not count", () => {
    const reason = { code: "MainRewritten", was: sha("head").slice(0, 12) };
    expect(reconcile([makeStop({ id: "f", scope: "all", cause: "forcedPush" })])).toMatchObject([
      { kind: "wait", scope: "all", reason },
    ]);
    expect(placed(reconcile([makeStop({ id: "p", scope: "all" })]))?.cause).toBe("forcedPush");
  });
});

describe("9.1 a cluster with another UID", () => {
  const reconcile = (uid: string | undefined, stops: readonly StopRecord[] = []) => {
    const opened = { openedAt: "", unhealthyBefore: [], ...(uid === undefined ? {} : { uid }) };
    const run = makeRun(sha("head"), sha("base"), { clusters: { one: opened } });
    const ledger = ledgerOf(stops, { runs: { [runId]: run }, sequence: 7 });
    return placed(decide(makeSnapshot({ ledger, clusters: clusters(makeCluster("one", [a])) })));
  };

  test("than when the wave was opened is stopped, and both are named", () => {
    expect(reconcile("was")).toMatchObject({
      id: "other-cluster-one-7",
      scope: "cluster/one",
      strength: "move",
      cause: "otherCluster",
      why: "one answers as another cluster: kube-system has UID kube-system-of-one, not was",
    });
  });

  test("the same UID, or an unrecorded one, causes no stop", () => {
    expect([reconcile("kube-system-of-one"), reconcile(undefined)]).toEqual([undefined, undefined]);
  });

  test("is stopped once, next to other stops", () => {
    const stop = (change: Partial<StopRecord>) => [
      makeStop({ id: "s", scope: "cluster/one", cause: "otherCluster", ...change }),
    ];
    expect(reconcile("was", stop({}))).toBeUndefined();
    expect(reconcile("was", stop({ cause: "verb" }))?.cause).toBe("otherCluster");
    expect(reconcile("was", stop({ scope: "cluster/two" }))?.cause).toBe("otherCluster");
  });
});

describe("4.1 a job that failed for good", () => {
  const job = { run: runId, commit: "", state: "failed" as const, workloads: [] };
  const reconcile = (stops: readonly StopRecord[], change: Partial<Snapshot> = {}, reason?: string) => {
    const batch = reason === undefined ? job : { ...job, reason };
    return decide(
      makeSnapshot({ ledger: ledgerOf(stops), clusters: clusters(makeCluster("one", [a], { batch })), ...change }),
    );
  };
  const stop = (change: Partial<StopRecord> = {}) =>
    makeStop({ id: "job-one-1", scope: "cluster/one", cause: "jobFailed", ...change });

  test("causes a stop with its reason, as far as known", () => {
    expect(placed(reconcile([], {}, "forbidden"))).toMatchObject({
      id: "job-one-1",
      scope: "cluster/one",
      strength: "move",
      why: `the batch of run ${runId} failed: forbidden`,
    });
    expect(placed(reconcile([]))?.why).toBe(`the batch of run ${runId} failed: no reason given`);
  });

  test("a second one gets another id; stops of other clusters do not count", () => {
    const other = makeStop({ id: "job-two-1", scope: "cluster/two", cause: "jobFailed" });
    expect(placed(reconcile([other]))?.id).toBe("job-one-1");
    expect(placed(reconcile([other, stop({ resume })]))?.id).toBe("job-one-2");
    expect(placed(reconcile([makeStop({ id: "p", scope: "cluster/one" })]))?.cause).toBe("jobFailed");
  });

  test("leaves the queue after its stop is recorded, with the command that ends the stop", () => {
    const reason = { code: "JobFailed", cluster: "one", run: runId, why: "forbidden" };
    const [dropped] = reconcile([stop()], {}, "forbidden");
    expect(dropped).toMatchObject({ kind: "dropBatch", cluster: "one", reason });
  });

  test("2.3 leaves it without a stop only where a rollback is in progress while the ledger accepts nothing", () => {
    const back = makeStop({ id: "r", scope, cause: "rollback", revertTo: sha("base"), now: true });
    const changes = [{ pattern: "production", from: "old: 100", to: "new: 100", direction: "forward" as const }];
    const runs = {
      [runId]: makeRun(sha("head"), sha("base"), { changes }),
      bbbbbbbbbbbb: makeRun(sha("head"), sha("head"), { id: "bbbbbbbbbbbb", order: 2 }),
    };
    const away = {
      ...a,
      template: makeWorkload("shop/a", {}, "new").template,
      pods: [{ revision: "new", count: 2, ready: 2 }],
    };
    const drops = (stops: readonly StopRecord[], state: "failed" | "active" = "failed") =>
      decide(
        makeSnapshot({
          ledgerDown: "refused",
          ledger: ledgerOf(stops, { runs }),
          clusters: clusters(
            makeCluster("idle", [], { batch: { ...job, state } }),
            makeCluster("one", [away], { batch: { ...job, state } }),
          ),
        }),
      ).flatMap((each) => (each.kind === "dropBatch" ? [each.cluster] : []));
    expect([drops([back]), drops([]), drops([back], "active")]).toEqual([["one"], [], []]);
  });
});
