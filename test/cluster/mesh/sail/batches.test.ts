import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { listBatchGaps, readRollouts } from "../../fleet/read-rollouts.ts";
import { readAudit } from "../../bed/start-cluster.ts";
import { readEvents } from "../../fleet/read-events.ts";
import { createWorkloads, readInjected, type Workload } from "../../fleet/workloads.ts";
import { type Migration, old, SailBed, target } from "./open-sail-bed.ts";

// Named after Sail's test plan (its Integration Tests); README.md says where the others are.

const labels = { "istio.io/rev": old };
const annotations = { "bed.meshroll.dev/ready-after": "2s" };
const never = { ...labels, "bed.meshroll.dev/breaks-on": target };

function makeMany(namespace: string, count: number, more: Partial<Workload> = {}): readonly Workload[] {
  return Array.from({ length: count }, (_, index) => ({
    namespace,
    name: `web-${index}`,
    labels,
    annotations,
    ...more,
  }));
}

describe("Sail's integration tests: batches, readiness, status", () => {
  let opened: SailBed | undefined;
  const bed = (): SailBed => {
    if (opened === undefined) throw new Error("no bed");
    return opened;
  };
  beforeAll(async () => {
    opened = await SailBed.open();
  });
  afterAll(async () => opened?.close());

  const create = (namespace: string, workloads: readonly Workload[]) =>
    createWorkloads(bed().cluster, { [namespace]: {} }, workloads);
  const injected = (workloads: readonly Workload[]) => workloads.map((each) => readInjected(bed().cluster, each));

  it("Basic Migration Flow, Edge Cases: no workloads to migrate → status shows Completed immediately", async () => {
    bed().cluster.kubectl(["create", "namespace", "empty-shop"]);
    const run = await bed().move("empty", "batchSize: 1");
    expect([run.state, run.outcome?.migrated, bed().listWrites("empty")]).toEqual(["empty", 0, []]);
    expect(await bed().readMigration()).toMatchObject({ state: "Completed", totalWorkloads: 0, failedWorkloads: 0 });
  });

  it("Batching Behavior: batchSize=3 with 10 deployments: groups of 3, the delay between them, progress in status", async () => {
    const web = makeMany("batches-shop", 10);
    create("batches-shop", web);
    const seen: Migration[] = [];
    let isOver = false;
    await bed().begin("batches", "batchSize: 3, delayBetweenBatches: 4s");
    const looking = (async () => {
      while (!isOver) seen.push(await bed().readMigration());
    })();
    const run = await bed().end();
    isOver = true;
    await looking;

    expect([run.state, run.outcome?.migrated, injected(web)]).toEqual(["done", 10, web.map(() => target)]);
    const rollouts = readRollouts(readAudit(bed().cluster), "batches", Date.parse(run.startedAt));
    // A batch that began before the one before it had completed would have a gap below 0.
    const gaps = listBatchGaps(rollouts, 3);
    expect(gaps.length).toBe(3);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(4_000);
    const own = seen.filter(({ totalWorkloads, targetRevision }) => totalWorkloads === 10 && targetRevision === target);
    expect(new Set(own.map(({ batched }) => batched?.totalBatches))).toEqual(new Set([4]));
    expect([...new Set(own.map(({ batched }) => batched?.currentBatch))]).toEqual([1, 2, 3, 4]);
  });

  it("Readiness Checking, Status Reporting: a timeout is a failure that later batches do not wait for, with its details", async () => {
    const [broken, ...good] = makeMany("ready-shop", 5);
    if (broken === undefined) throw new Error("none");
    create("ready-shop", [{ ...broken, labels: never }, ...good]);
    await bed().begin("ready", "batchSize: 1, delayBetweenBatches: 0s, readinessTimeout: 6s");
    await bed().fleet.until("status is created", async () => (await bed().readMigration()).state === "InProgress");
    const run = await bed().end();

    expect([run.state, run.outcome?.migrated, injected(good)]).toEqual(["done", 4, good.map(() => target)]);
    expect(readInjected(bed().cluster, broken)).toBe(old);
    const { failures = [], ...status } = await bed().readMigration();
    expect(status).toMatchObject({
      state: "Failed",
      targetRevision: target,
      totalWorkloads: 5,
      migratedWorkloads: 4,
      failedWorkloads: 1,
      startTime: expect.stringMatching(/^20/) as string,
      completionTime: expect.stringMatching(/^20/) as string,
    });
    expect(failures).toEqual([
      {
        namespace: "ready-shop",
        name: "web-0",
        kind: "Deployment",
        reason: expect.stringContaining("6s") as string,
        timestamp: expect.stringMatching(/^20.*Z$/) as string,
      },
    ]);
    await bed().fleet.until("its Events are there", () => readEvents(bed().cluster, broken).length >= 2);
    expect(readEvents(bed().cluster, broken).map(({ reason }) => reason)).toEqual([
      "RevisionMigrating",
      "RevisionMigrationFailed",
    ]);
  });

  it("Failure Recovery: a PodDisruptionBudget that prevents the restart times out, others migrate, run and Event name it", async () => {
    const spec = { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } };
    const kept: Workload = { namespace: "budget-shop", name: "kept", replicas: 2, labels, spec };
    const others = makeMany("budget-shop", 2);
    create("budget-shop", [kept, ...others]);
    const pdb = ["create", "pdb", "kept", "--selector=app=kept", "--min-available=2"];
    bed().cluster.kubectl(["-n", "budget-shop", ...pdb]);
    const allowed = ["-n", "budget-shop", "wait", "pdb/kept", "--for=jsonpath={.status.currentHealthy}=2"];
    bed().cluster.kubectl([...allowed, "--timeout=60s"]);
    const run = await bed().move("budget", "batchSize: 3, delayBetweenBatches: 0s, readinessTimeout: 5s", "10s");

    expect(run.outcome?.skipped.map(({ workload, code }) => `${workload} ${code}`)).toEqual([
      "budget-shop/Deployment/kept BudgetAllowsNothing",
    ]);
    expect([readInjected(bed().cluster, kept), ...injected(others)]).toEqual([old, target, target]);
    expect(readEvents(bed().cluster, kept).map(({ reason }) => reason)).toEqual(["RevisionMigrationSkipped"]);
  });

  it("Edge Cases: all namespaces already on target revision → no-op", async () => {
    const web = makeMany("there-shop", 2, { labels: { "istio.io/rev": target } });
    create("there-shop", web);
    const run = await bed().move("there", "batchSize: 5");
    expect([run.state, bed().listWrites("there"), injected(web)]).toEqual(["done", [], [target, target]]);
  });

  it("Edge Cases: Deployment deleted during migration → the others go on, and it is named as gone", async () => {
    const web = makeMany("deleted-shop", 4);
    create("deleted-shop", web);
    await bed().begin("deleted", "batchSize: 1, delayBetweenBatches: 1s");
    await bed().fleet.until("the first is restarted", () => bed().listWrites("deleted").length > 0);
    // One of which the rollout is under way, and one that waits.
    const [first] = bed().listWrites("deleted");
    const rolling = first?.objectRef?.name ?? "";
    const waiting = web.find(({ name }) => name !== rolling)?.name ?? "";
    bed().cluster.kubectl(["-n", "deleted-shop", "delete", "deployment", rolling, waiting]);
    const run = await bed().end();
    const left = web.filter(({ name }) => name !== rolling && name !== waiting);
    expect([run.state, injected(left)]).toEqual(["done", left.map(() => target)]);
    expect(run.outcome?.skipped).toEqual([]);
  });

  it("Edge Cases: Istio resource deleted during migration → migration stops, and continues when it is back", async () => {
    const web = makeMany("stops-shop", 6);
    create("stops-shop", web);
    await bed().begin("stops", "batchSize: 1, delayBetweenBatches: 1s");
    await bed().fleet.until("the first is restarted", () => bed().listWrites("stops").length > 0);
    await bed().mesh.istiods.get(target)?.kill();
    bed().cluster.kubectl(["delete", "mutatingwebhookconfigurations", `istio-sidecar-injector-${target}`]);
    await bed().fleet.until("status names it", async () => {
      return (await bed().fleet.status())?.waiting.some(({ code }) => code === "RevisionMissing") === true;
    });
    const stopped = bed().listWrites("stops").length;
    const end = Date.now() + 5_000;
    await bed().fleet.until("some batches could have begun", () => Date.now() > end);
    expect([bed().listWrites("stops").length, stopped < web.length]).toEqual([stopped, true]);
    bed().mesh.restoreWebhooks(target);
    await bed().mesh.istiods.get(target)?.start();
    const run = await bed().end();
    expect([run.state, run.outcome?.migrated, injected(web)]).toEqual(["done", 6, web.map(() => target)]);
  });

  it("Edge Cases: Controller restart during migration → resumed: executor and planner killed, each workload written once", async () => {
    const web = makeMany("resumed-shop", 8);
    create("resumed-shop", web);
    await bed().begin("resumed", "batchSize: 2, delayBetweenBatches: 0s");
    await bed().fleet.until("a batch has begun", () => bed().listWrites("resumed").length >= 3);
    for (const name of ["executor", "planner"] as const) {
      await bed().fleet.kill(name);
      bed().fleet.start(name);
    }
    const run = await bed().end();
    expect([run.state, run.outcome?.migrated, injected(web)]).toEqual(["done", 8, web.map(() => target)]);
    const written = bed()
      .listWrites("resumed")
      .map(({ objectRef }) => objectRef?.name ?? "");
    expect(written.toSorted((a, b) => a.localeCompare(b))).toEqual(web.map(({ name }) => name));
  });
});
