import { parseDuration } from "#libs/campaign";
import { decide, planRemediation, type ProgressMemory } from "#libs/plan";
import {
  makeCluster,
  makeNamespace,
  makeSpec,
  makeWorkload,
  makeSnapshot,
  moved,
  noon,
  runId,
  sha,
} from "#test/world/build";
import { batchOf, clusters } from "#test/world/decide-cases";
import { makeExecutorView } from "#test/world/executor";
import { parseAnnotations, type Workload } from "#libs/fleet";
import { renderRemediation } from "#libs/wording";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

function withBatch(name: string, batch: string | undefined, change: Partial<Workload> = {}): Workload {
  return makeWorkload(name, {
    annotations: batch === undefined ? {} : { "sailoperator.io/migration-batch": batch },
    ...change,
  });
}

function handOut(workloads: readonly Workload[], batchSize: number): readonly string[] {
  const snapshot = makeSnapshot({ ...batchOf(batchSize), clusters: clusters(makeCluster("one", workloads)) });
  const batches = decide(snapshot).flatMap((each) => (each.kind === "handOut" ? [each.batch] : []));
  return batches.flatMap(({ items }) => items.map(({ namespace, name }) => `${namespace}/${name}`));
}

describe("migration-batch: lower values migrate first", () => {
  const cases = [
    {
      name: "without an annotation it is 0: between -1 and 1",
      workloads: [withBatch("a/w", "1"), withBatch("b/w", undefined), withBatch("c/w", "-1")],
      want: [["c/w"], ["b/w"], ["a/w"]],
    },
    {
      name: "by number, not by text, and by name within one number",
      workloads: [withBatch("a/w", "10"), withBatch("b/w", "9"), withBatch("c/w", "9")],
      want: [["b/w", "c/w"], ["a/w"]],
    },
    {
      name: "a workload that may not move does not hold up others",
      workloads: [withBatch("a/w", "-1", { paused: true }), withBatch("b/w", undefined)],
      want: [["b/w"]],
    },
    {
      name: "a workload whose number is invalid is skipped, and does not hold up others",
      workloads: [withBatch("a/w", "first"), withBatch("b/w", undefined)],
      want: [["b/w"]],
    },
  ] as const;
  for (const { name, workloads, want } of cases) {
    test(name, () => {
      let left: readonly Workload[] = workloads;
      for (const batch of want) {
        const chosen = handOut(left, 5);
        expect(chosen).toEqual(batch);
        left = left.filter((each) => !chosen.includes(`${each.namespace}/${each.name}`));
      }
    });
  }

  test("a namespace's annotation applies to all its workloads, and a workload's own takes precedence", () => {
    const early = makeNamespace("z", [makeWorkload("z/w"), withBatch("z/late", "3")]);
    const annotations = { "meshroll.dev/migration-batch": "-1" };
    const cluster = makeCluster("one", [makeWorkload("a/w")]);
    const namespaces = new Map(cluster.namespaces);
    namespaces.set("z", { ...early, namespace: { ...early.namespace, annotations } });
    const snapshot = makeSnapshot({ ...batchOf(5), clusters: clusters({ ...cluster, namespaces }) });
    const [batch] = decide(snapshot).flatMap((each) => (each.kind === "handOut" ? [each.batch] : []));
    expect(batch?.items.map(({ namespace, name }) => `${namespace}/${name}`)).toEqual(["z/w"]);
  });

  test("5.2 of namespaces that move as a unit, the one with the lowest batch comes first", () => {
    const labels = { "istio.io/rev": "old" };
    const template = { labels: {}, annotations: {}, hostNetwork: false };
    const cluster = makeCluster(
      "one",
      [makeWorkload("a/w", { template }), makeWorkload("b/w", { template })],
      {},
      labels,
    );
    const namespaces = new Map(cluster.namespaces);
    const second = cluster.namespaces.get("b");
    if (second === undefined) throw new Error("the bench lacks namespace b");
    const annotations = { "sailoperator.io/migration-batch": "-1" };
    namespaces.set("b", { ...second, namespace: { ...second.namespace, annotations } });
    const snapshot = makeSnapshot({ ...batchOf(5), clusters: clusters({ ...cluster, namespaces }) });
    const [batch] = decide(snapshot).flatMap((each) => (each.kind === "handOut" ? [each.batch] : []));
    expect(batch?.items.map(({ namespace }) => namespace)).toEqual(["b"]);
  });

  test("all of a batch have the lowest number that is due", () => {
    const numbers = fc.array(fc.option(fc.integer({ min: -3, max: 3 })), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(numbers, fc.integer({ min: 1, max: 6 }), (given, size) => {
        const workloads = given.map((batch, index) =>
          withBatch(`n${String(index).padStart(2, "0")}/w`, batch === null ? undefined : String(batch)),
        );
        const lowest = Math.min(...given.map((batch) => batch ?? 0));
        const want = given.flatMap((batch, index) =>
          (batch ?? 0) === lowest ? [`n${String(index).padStart(2, "0")}/w`] : [],
        );
        expect(handOut(workloads, size)).toEqual(want.slice(0, size));
      }),
    );
  });
});

describe("readiness-timeout", () => {
  const { batch } = makeSpec(sha("x"), 0).settings;
  const rolling = { observedGeneration: 2, updated: 1, available: 1, total: 2 };

  function findsFailureAfter(annotations: Record<string, string>, ms: number): boolean {
    const stuck = moved(makeWorkload("shop/a", { annotations }), "new", runId, rolling);
    let memory: ProgressMemory = new Map();
    const reconcile = (after: number) => {
      const { snapshot } = makeExecutorView({ workloads: [stuck], now: noon + after });
      const settings = { ...makeSpec(sha("x"), 0).settings, batch };
      const planned = planRemediation({ snapshot, settings, now: noon + after, monotonic: after }, memory);
      memory = planned.progress;
      return planned.remediations;
    };
    reconcile(0);
    return reconcile(ms).some(
      (remediation) => remediation.kind === "fail" && renderRemediation(remediation.reason).code === "ReadinessTimeout",
    );
  }

  const cases = [
    { name: "a shorter one ends the wait sooner", said: "10s", ms: 10_000 },
    { name: "a longer one ends the wait later", said: "1h", ms: 3_600_000 },
    { name: "without one the settings apply", said: undefined, ms: batch.readinessTimeout },
  ];
  for (const { name, said, ms } of cases) {
    test(`4.6 ${name}`, () => {
      const annotations = said === undefined ? {} : { "meshroll.dev/readiness-timeout": said };
      expect(findsFailureAfter(annotations, ms - 1)).toBe(false);
      expect(findsFailureAfter(annotations, ms)).toBe(true);
    });
  }

  test("durations have the form of meshroll.yml, and are not empty", () => {
    const unit = fc.constantFrom(
      "",
      "0s",
      "10",
      "5m",
      "1h30m",
      "30m1h",
      "500ms",
      "2d",
      "1.5h",
      "-1s",
      "367d",
      "366d",
      "1d1ms",
    );
    fc.assert(
      fc.property(fc.oneof(unit, fc.stringMatching(/^[0-9dhms]{0,9}$/)), (text) => {
        const marks = parseAnnotations({ annotations: { "sailoperator.io/readiness-timeout": text } });
        const read = marks.kind === "read" ? marks.sail.readinessTimeout : undefined;
        const want = parseDuration(text);
        expect(read).toBe(want === 0 ? undefined : want);
      }),
    );
  });
});
