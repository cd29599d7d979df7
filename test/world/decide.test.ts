import { decide, type Decision, type World } from "#libs/plan";
import { describe, expect, test } from "vitest";

import {
  arrived,
  failed,
  makeCluster,
  makeLedger,
  makeRun,
  makeSpec,
  makeStop,
  makeWorkload,
  makeWorld,
  moved,
  noon,
  runId,
  sha,
} from "./build.ts";

/** A decision as a test wants to read it. */
function tell(decision: Decision): string {
  switch (decision.kind) {
    case "handOut":
      return `handOut ${decision.batch.cluster} ${decision.batch.items.map((item) => `${item.namespace}/${item.name}`).join(" ")}`;
    case "startRun":
      return `startRun ${decision.run.commit.slice(0, 4)}`;
    case "finishRun":
      return `finishRun ${decision.run.state}`;
    case "placeStop":
      return `placeStop ${decision.stop.scope} ${decision.stop.cause}`;
    case "liftStop":
      return `liftStop ${decision.stops.join(" ")}`;
    case "wait":
      return `wait ${decision.reason.code}`;
    case "dropBatch":
      return `dropBatch ${decision.cluster}`;
    case "judge":
    case "openWave":
    case "answerAsk":
      return decision.kind;
  }
}

/** Freezes what a decision may look at: a decider that changes its world is found out. */
function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    if (!(value instanceof Map)) for (const each of Object.values(value)) freeze(each);
  }
  return value;
}

/** Decides twice on a frozen world: the answers must be the same (architecture §3). */
function decideTwice(world: World): readonly string[] {
  const frozen = freeze(world);
  const first = decide(frozen);
  expect(decide({ ...frozen })).toEqual(first);
  return first.map(tell);
}

const a = makeWorkload("shop/a");
const b = makeWorkload("shop/b");
const c = makeWorkload("shop/c");
const clusters = (...all: readonly ReturnType<typeof makeCluster>[]) => new Map(all.map((each) => [each.name, each]));
const batchOf = (size: number) => ({ settings: { batch: { ...makeSpec(sha("x"), 0).settings.batch, batchSize: size } } });

const points = (spec = makeSpec(sha("next"), 50)) => [
  { commit: { sha: spec.commit, author: "ben", subject: "raise", at: noon }, spec },
];

interface Case {
  readonly world: World;
  readonly want: readonly string[];
}

function runCases(cases: Readonly<Record<string, Case>>): void {
  for (const [name, { world, want }] of Object.entries(cases)) test(name, () => expect(decideTwice(world)).toEqual(want));
}

describe("runs", () => {
  const judgedBase = makeLedger();
  const base = makeSpec(sha("base"), 0);
  const withPoint = (spec: ReturnType<typeof makeSpec>): World =>
    makeWorld({
      ledger: judgedBase,
      specs: new Map([
        [base.commit, base],
        [spec.commit, spec],
      ]),
      main: { head: spec.commit, ageMs: 0, contained: true, vanished: [], points: points(spec) },
      clusters: clusters(makeCluster("one", [a])),
    });
  const unparsable = {
    commit: { sha: sha("bad"), author: "ben", subject: "oops", at: noon },
    findings: [{ code: "MR1004", severity: "error" as const, file: "rollouts.yml", line: 3, column: 5, message: "sum is 105" }],
  };
  runCases({
    "1.1 a run is a commit after which the parsed file differs": { world: withPoint(makeSpec(sha("next"), 50)), want: ["startRun 6e65"] },
    "1.1 a commit after which the file says the same is judged and forgotten": { world: withPoint(makeSpec(sha("next"), 0)), want: ["judge"] },
    "1.1 a commit after which only the seed differs is a run": {
      world: withPoint(makeSpec(sha("next"), 0, { seed: "2027" })),
      want: ["startRun 6e65"],
    },
    "1.1 a commit after which only other settings differ is no run": {
      world: withPoint(makeSpec(sha("next"), 0, { strategy: "Window" })),
      want: ["judge"],
    },
    "1.2 without a baseline everything is only observed": {
      world: makeWorld({ ledger: undefined, clusters: clusters(makeCluster("one", [a])) }),
      want: ["wait NoBaseline"],
    },
    "1.2 after a baseline what differs from the file is drift and nothing moves": {
      world: makeWorld({ ledger: makeLedger({ main: sha("head"), judged: sha("head") }), clusters: clusters(makeCluster("one", [a])) }),
      want: [],
    },
    "1.3 once its run is done what differs is drift": {
      world: makeWorld({
        ledger: makeLedger({
          main: sha("head"),
          judged: sha("head"),
          runs: { [runId]: makeRun(sha("head"), sha("base"), { state: "done" }) },
        }),
        clusters: clusters(makeCluster("one", [a])),
      }),
      want: [],
    },
    "1.6 a run in which nobody's desired revision changes is empty and done at once": {
      world: makeWorld({ clusters: clusters(makeCluster("one", [])) }),
      want: ["finishRun empty"],
    },
    "1.7 main that does not parse stops everything": {
      world: makeWorld({
        main: { head: sha("bad"), ageMs: 0, contained: true, vanished: [], points: [unparsable] },
        clusters: clusters(makeCluster("one", [a])),
      }),
      want: ["wait MainUnparsable"],
    },
    "1.7 a commit after one that does not parse is compared with the last that did": {
      world: { ...withPoint(makeSpec(sha("next"), 50)), main: { head: sha("next"), ageMs: 0, contained: true, vanished: [], points: [unparsable, ...points()] } },
      want: ["startRun 6e65"],
    },
    "1.7 a forced push stops everything": {
      world: makeWorld({ main: { head: sha("head"), ageMs: 0, contained: false, vanished: [], points: [] }, clusters: clusters(makeCluster("one", [a])) }),
      want: ["placeStop all forcedPush"],
    },
  });
});

describe("batches", () => {
  const window = { settings: { ...batchOf(2).settings, strategy: "Window" as const } };
  runCases({
    "4.1 one batch per cluster, of at most batchSize": {
      world: makeWorld({ ...batchOf(2), clusters: clusters(makeCluster("one", [a, b, c])) }),
      want: ["handOut one shop/a shop/b"],
    },
    "4.1 no second batch while one is in hand": {
      world: makeWorld({
        clusters: clusters(makeCluster("one", [a, b], { batch: { run: runId, commit: sha("head"), state: "active", workloads: [] } })),
      }),
      want: ["wait BatchInHand"],
    },
    "4.1 a job that failed for good becomes a stop on its cluster": {
      world: makeWorld({
        clusters: clusters(makeCluster("one", [a], { batch: { run: runId, commit: "", state: "failed", reason: "forbidden", workloads: [] } })),
      }),
      want: ["placeStop cluster/one jobFailed"],
    },
    "4.1 and then it leaves the queue": {
      world: makeWorld({
        ledger: makeLedger({
          main: sha("head"),
          judged: sha("head"),
          runs: { [runId]: makeRun(sha("head"), sha("base")) },
          stops: { "job-one-1": makeStop({ id: "job-one-1", scope: "cluster/one", cause: "jobFailed" }) },
        }),
        clusters: clusters(makeCluster("one", [a], { batch: { run: runId, commit: "", state: "failed", workloads: [] } })),
      }),
      want: ["dropBatch one"],
    },
    "4.2 Batched waits until everything of the batch has settled": {
      world: makeWorld({ ...batchOf(3), clusters: clusters(makeCluster("one", [moved(a, "new", runId), b])) }),
      want: ["wait BatchSettling"],
    },
    "4.2 Batched waits for the delay between batches": {
      world: makeWorld({ clusters: clusters(makeCluster("one", [a], { batchEndedAt: noon - 29_000 })) }),
      want: ["wait DelayBetweenBatches"],
    },
    "4.2 Window fills what is free, without a delay": {
      world: makeWorld({ ...window, clusters: clusters(makeCluster("one", [moved(a, "new", runId), b, c], { batchEndedAt: noon })) }),
      want: ["handOut one shop/b"],
    },
    "4.2 Window waits when batchSize rolls": {
      world: makeWorld({ ...window, clusters: clusters(makeCluster("one", [moved(a, "new", runId), moved(b, "new", runId), c])) }),
      want: ["wait BatchFull"],
    },
    "4.5 no batch while the target's webhook is missing": {
      world: makeWorld({ clusters: clusters(makeCluster("one", [a], { facts: { revisions: [{ name: "old", webhook: true, istiod: "ready" }] } })) }),
      want: ["wait RevisionMissing"],
    },
    "4.5 no batch while the target's istiod is not ready": {
      world: makeWorld({ clusters: clusters(makeCluster("one", [a], { facts: { revisions: [{ name: "new", webhook: true, istiod: "unready" }] } })) }),
      want: ["wait IstiodNotReady"],
    },
    "9.1 no batch for a cluster whose inventory is stale; others go on": {
      world: makeWorld({ clusters: clusters(makeCluster("one", [a], { fresh: false, ageMs: 61_000 }), makeCluster("two", [b])) , ledger: makeLedger({ main: sha("head"), judged: sha("head"), runs: { [runId]: makeRun(sha("head"), sha("base"), { clusters: { one: { openedAt: "", unhealthyBefore: [] }, two: { openedAt: "", unhealthyBefore: [] } } }) } }) }),
      want: ["wait ClusterUnreachable", "handOut two shop/b"],
    },
    "9.1 a cluster that is only observed gets no batch": {
      world: makeWorld({ clusters: clusters(makeCluster("one", [a], { facts: { mode: "observe" } })) }),
      want: ["wait ObserveOnly"],
    },
    "12.1 main that was read more than ten minutes ago starts nothing": {
      world: makeWorld({ main: { head: sha("head"), ageMs: 601_000, contained: true, vanished: [], points: [] }, clusters: clusters(makeCluster("one", [a])) }),
      want: ["wait GitDown"],
    },
    "without Redis nothing new starts": {
      world: makeWorld({ queueUp: false, clusters: clusters(makeCluster("one", [a])) }),
      want: ["wait QueueDown"],
    },
  });
});

describe("what is left", () => {
  const paused = makeWorkload("shop/p", { paused: true });
  const sick = makeWorkload("shop/sick", { available: 0, pods: [{ revision: "old", count: 2, ready: 0 }] });
  const guarded = makeWorkload("shop/g", { disruptionsAllowed: 0 });
  const waitedFor = new Map([["one:shop/Deployment/p", noon - 300_000]]);
  runCases({
    "3.1 a workload whose owner paused it waits": { world: makeWorld({ clusters: clusters(makeCluster("one", [paused])) }), want: [] },
    "3.1 after readinessTimeout it goes aside and the run is done": {
      world: makeWorld({ clusters: clusters(makeCluster("one", [paused])), waitingSince: waitedFor }),
      want: ["finishRun done"],
    },
    "3.1 a workload whose budget allows nothing waits": { world: makeWorld({ clusters: clusters(makeCluster("one", [guarded])) }), want: [] },
    "3.1 a workload unhealthy before the run is tried at the end": {
      world: makeWorld({ ...batchOf(5), clusters: clusters(makeCluster("one", [sick, a])) }),
      want: ["handOut one shop/a"],
    },
    "3.1 and at the end it has its one try": {
      world: makeWorld({ ...batchOf(5), clusters: clusters(makeCluster("one", [sick, arrived(a, "new", runId)])) }),
      want: ["handOut one shop/sick"],
    },
    "3.2 a run is done when nothing is moving, due or waiting": {
      world: makeWorld({ clusters: clusters(makeCluster("one", [arrived(a, "new", runId)])) }),
      want: ["finishRun done"],
    },
    "3.2 a run is not done while one of its clusters is not seen": {
      world: makeWorld({ clusters: clusters(makeCluster("one", [arrived(a, "new", runId)], { fresh: false })) }),
      want: [],
    },
    "3.2 a stop never ends a run": {
      world: makeWorld({
        ledger: makeLedger({
          main: sha("head"),
          judged: sha("head"),
          runs: { [runId]: makeRun(sha("head"), sha("base")) },
          stops: { s: makeStop({ id: "s", scope: "all" }) },
        }),
        clusters: clusters(makeCluster("one", [a])),
      }),
      want: ["wait Stopped"],
    },
    "3.3 FailFast stops the run at its first failure": {
      world: makeWorld({ clusters: clusters(makeCluster("one", [failed(a, "new", runId), b])) }),
      want: [`placeStop run/${runId} failures`],
    },
    "3.3 ContinueOnError goes on": {
      world: makeWorld({
        settings: { batch: { ...makeSpec(sha("x"), 0).settings.batch, failurePolicy: "ContinueOnError" } },
        clusters: clusters(makeCluster("one", [failed(a, "new", runId), b])),
      }),
      want: ["handOut one shop/b"],
    },
    "3.3 failures of another run do not count": {
      world: makeWorld({ clusters: clusters(makeCluster("one", [failed(a, "new", "aaaaaaaaaaaa"), b])) }),
      want: ["handOut one shop/b"],
    },
    "3.3 maxUnavailable counts what became unavailable since the run began": {
      world: makeWorld({
        settings: { batch: { ...makeSpec(sha("x"), 0).settings.batch, batchSize: 5, maxUnavailable: 1 } },
        clusters: clusters(makeCluster("one", [sick, a])),
      }),
      want: ["wait MaxUnavailable"],
    },
    "3.4 a workload with 0 replicas is only labelled": {
      world: makeWorld({ clusters: clusters(makeCluster("one", [makeWorkload("shop/z", { replicas: 0 })])) }),
      want: ["handOut one shop/z"],
    },
    "5.2 one namespace at a time where the namespace's label decides": {
      world: makeWorld({
        ...batchOf(5),
        clusters: clusters(
          makeCluster(
            "one",
            ["x/a", "x/b", "y/c"].map((name) => makeWorkload(name, { template: { labels: {}, annotations: {}, hostNetwork: false } })),
            {},
            { "istio.io/rev": "old" },
          ),
        ),
      }),
      want: ["handOut one x/a x/b"],
    },
    "5.3 a tag's workloads wait until its owner moves it": {
      world: makeWorld({
        clusters: clusters(makeCluster("one", [makeWorkload("shop/t", { template: { labels: { "istio.io/rev": "stable" }, annotations: {}, hostNetwork: false } })], { facts: { tags: { stable: "old" } } })),
      }),
      want: [],
    },
    "5.3 and are restarted once it points to the target": {
      world: makeWorld({
        clusters: clusters(makeCluster("one", [makeWorkload("shop/t", { template: { labels: { "istio.io/rev": "stable" }, annotations: {}, hostNetwork: false } })], { facts: { tags: { stable: "new" } } })),
      }),
      want: ["handOut one shop/t"],
    },
  });
});

describe("verbs", () => {
  const ask = { id: "v1", verb: "lift" as const, scope: `run/${runId}` as const, strength: "move" as const, who: "ana", why: "looked at it", at: "2026-11-19T12:10:00Z" };
  const stopped = makeLedger({
    main: sha("head"),
    judged: sha("head"),
    runs: { [runId]: makeRun(sha("head"), sha("base")) },
    stops: { f1: makeStop({ id: "f1", scope: `run/${runId}`, cause: "failures", failures: ["one:shop/Deployment/a"] }) },
  });
  const lifted = { ...stopped, stops: { f1: { ...stopped.stops["f1"]!, lift: { at: "", who: "ana", why: "" } } }, asks: { v1: { at: "", answer: "" } } };
  runCases({
    "3.3 resume lifts the stop on the run": {
      world: makeWorld({ ledger: stopped, asks: [ask], clusters: clusters(makeCluster("one", [failed(a, "new", runId), b])) }),
      want: ["liftStop f1"],
    },
    "3.3 what failed stays aside after resume, and does not count again": {
      world: makeWorld({ ledger: lifted, clusters: clusters(makeCluster("one", [failed(a, "new", runId), b])) }),
      want: ["handOut one shop/b"],
    },
    "7.5 a verb is carried out once": {
      world: makeWorld({ ledger: lifted, asks: [ask], clusters: clusters(makeCluster("one", [failed(a, "new", runId), b])) }),
      want: ["handOut one shop/b"],
    },
    "7.5 a verb with nothing to lift is answered": {
      world: makeWorld({ ledger: { ...stopped, stops: {} }, asks: [ask], clusters: clusters(makeCluster("one", [b])) }),
      want: ["answerAsk"],
    },
  });
});
