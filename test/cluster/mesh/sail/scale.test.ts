import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { readAudit } from "../../bed/start-cluster.ts";
import { readProcessUse } from "../../fleet/process-use.ts";
import { findMakespan, readRollouts } from "../../fleet/read-rollouts.ts";
import { applyWorkloads, type Workload } from "../../fleet/workloads.ts";
import { old, SailBed, target } from "./open-sail-bed.ts";

// Sail's E2E "Performance at Scale", read as its plan says it: 200 Deployments in all, two in each of 100 namespaces. The bed holds
// some thousands of pods; 20,000 Deployments would be another machine's work.

const [namespaceCount, eachNamespace, replicas] = [100, 2, 3];
const names = Array.from({ length: namespaceCount }, (_, index) => `scale-${index}`);
const labels = { "istio.io/rev": old };
const workloads: readonly Workload[] = names.flatMap((namespace) =>
  Array.from({ length: eachNamespace }, (_, index) => ({ namespace, name: `web-${index}`, replicas, labels })),
);
/** All of them at this pace would take a third of it. */
const limitMs = 280_000;

describe("Sail's E2E: Performance at Scale", () => {
  let opened: SailBed | undefined;
  const bed = (): SailBed => {
    if (opened === undefined) throw new Error("no bed");
    return opened;
  };
  beforeAll(async () => {
    opened = await SailBed.open();
    applyWorkloads(opened.cluster, Object.fromEntries(names.map((name) => [name, {}])), workloads);
    const available = ["--for=condition=Available", "deployments", "--all", "--all-namespaces", "--timeout=180s"];
    opened.cluster.kubectl(["wait", ...available]);
  });
  afterAll(async () => opened?.close());

  /** Answers 429 of the API server since it started, to any client. */
  const countThrottled = (): number => {
    const metrics = bed().cluster.kubectl(["get", "--raw", "/metrics"]).split("\n");
    const lines = metrics.filter((line) => /^apiserver_request_total\{.*code="429"/u.test(line));
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
  };
  const readExecutor = () => readProcessUse(bed().fleet.findPid("executor"));

  it("100 namespaces with 200 total deployments: all move, memory is stable, and the API server throttles no client", async () => {
    const before = readExecutor();
    // While it starts and gets definitions, an API server answers 429 until their storage is ready.
    const throttled = countThrottled();
    await bed().begin("scale", "batchSize: 20, delayBetweenBatches: 0s");
    const run = await bed().fleet.untilRunEnds(1, limitMs);
    const after = readExecutor();
    const rollouts = readRollouts(readAudit(bed().cluster), "scale", Date.parse(run.startedAt));
    const [makespan, cpu] = [findMakespan(rollouts), after.cpuSeconds - before.cpuSeconds];
    const memory = `${before.residentMb.toFixed(0)} MB before, ${after.residentMb.toFixed(0)} after, ${after.peakMb.toFixed(0)} at most`;
    console.log(
      `200 Deployments of 600 pods in ${makespan.toFixed(1)} s; executor: ${cpu.toFixed(1)} CPU s, ${memory}`,
    );

    expect([run.state, run.outcome?.migrated, run.outcome?.skipped]).toEqual(["done", workloads.length, []]);
    const revisions = `jsonpath={range .items[*]}{.metadata.namespace} {.metadata.annotations.istio\\.io/rev}{"\\n"}{end}`;
    const pods = bed().cluster.kubectl(["get", "pods", "-A", "-o", revisions]).split("\n");
    expect(pods.filter((line) => line.startsWith("scale-") && line.endsWith(` ${target}`)).length).toBe(
      workloads.length * replicas,
    );
    expect(after.residentMb).toBeLessThan(before.residentMb * 1.5);
    expect(countThrottled() - throttled).toBe(0);
    const refused = readAudit(bed().cluster).filter(({ responseStatus }) => responseStatus?.code === 429);
    expect(refused).toEqual([]);
  });
});
