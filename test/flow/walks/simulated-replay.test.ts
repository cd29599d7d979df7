import { createModel, type KubeModel } from "#fakes/kube";
import { createInventoryFold } from "#libs/events";
import { compileSpec, NamespaceTree } from "#libs/plan";
import { type StartCluster, defaultTiming, simulate, type SimulatedRun } from "#libs/simulation";
import { expect, test } from "vitest";

import { FleetFlow } from "../fleet-flow.ts";
import { file } from "../shop.ts";

const shops = Array.from({ length: 6 }, (_, index) => `shop-${String(index).padStart(2, "0")}`);
const clusters = ["one", "two"];

const campaignText = `apiVersion: meshroll.dev/v1
kind: Campaign
metadata: { name: istio }
spec:
  target: new
  replaces: [old]
  clusters: { order: [[one], [two]], delayBetweenWaves: 1m }
  defaults: { bake: 2m }
  stages:
    - { name: half, set: { production: 50 } }
    - { name: all, set: { production: 100 } }
`;
const campaignFiles = { "campaigns/istio.yml": campaignText };

/** A cluster on `old` whose pods take 5 s to 40 s to get ready. */
function makeModel(flow: FleetFlow, name: string): KubeModel {
  const model = createModel({ clock: flow.clock, seed: name });
  model.addIstiod("old");
  model.addIstiod("new");
  const labels = { "istio.io/rev": "old" };
  for (const ns of shops) model.addDeployment({ ns, name: "web", replicas: 2, labels, readyMs: [5000, 40_000] });
  return model;
}

/** The fleet that the executors have published, as `simulate --fleet live` reads it. */
async function readFleet(flow: FleetFlow): Promise<readonly StartCluster[]> {
  const fold = createInventoryFold(NamespaceTree.empty);
  const stop = new AbortController();
  const onEntry = ({ key, value }: { readonly key: string; readonly value?: string }) => void fold.apply(key, value, 0);
  const watcher = { onEntry, onReady: () => undefined, onReset: () => fold.reset() };
  await flow.bucket("inventory").watch(">", watcher, stop.signal);
  stop.abort();
  return fold.clusters();
}

/** Measures how long every workload takes from its patch to its arrival, ms. */
class Recorder {
  readonly readiness = new Map<string, number>();
  readonly #flow: FleetFlow;

  constructor(flow: FleetFlow) {
    this.#flow = flow;
  }

  measure(): void {
    for (const cluster of clusters) for (const shop of shops) this.#lookAt(cluster, shop);
  }

  #lookAt(cluster: string, shop: string): void {
    const model = this.#flow.model(cluster);
    const name = `${cluster}:${shop}/Deployment/web`;
    if (this.readiness.has(name)) return;
    const patch = model.writes.find(({ verb, path }) => verb === "patch" && path.includes(`/namespaces/${shop}/`));
    const pods = model.podsOf({ namespace: shop, kind: "Deployment", name: "web" });
    const isMigrated = pods.length === 2 && pods.every(({ revision, ready }) => revision === "new" && ready);
    if (patch !== undefined && isMigrated) this.readiness.set(name, this.#flow.clock.now() - patch.at);
  }

  /** Advances the time in small steps until this many runs have ended. */
  async untilEnded(runs: number): Promise<void> {
    await this.#flow.until(
      `${runs} runs ended`,
      async () => {
        for (let step = 0; step < 2; step += 1) {
          await this.#flow.clock.advance(500);
          this.measure();
        }
        return (await this.#flow.runs()).filter(({ state }) => state !== "open").length >= runs;
      },
      6 * 3_600_000,
    );
  }
}

interface Recording {
  readonly fleet: readonly StartCluster[];
  readonly readiness: ReadonlyMap<string, number>;
  /** Ms from the merge of each stage to the end of its run. */
  readonly took: readonly number[];
}

/**
 * Records a campaign of two stages with planner, executors and model clusters; a person merges each stage as soon as possible.
 */
async function record(settings: string): Promise<Recording> {
  const flow = new FleetFlow();
  for (const name of clusters) flow.givenCluster(name, makeModel(flow, name));
  flow.whenMerged(file(0), settings);
  flow.whenCampaignMerged(campaignFiles);
  await flow.givenBaseline();
  flow.startExecutor().startPlanner();
  await flow.pass(30_000);
  const fleet = await readFleet(flow);
  const recorder = new Recorder(flow);
  const took: number[] = [];
  for (const [index, percent] of [50, 100].entries()) {
    const mergedAt = flow.clock.now();
    flow.whenMerged(file(percent));
    await recorder.untilEnded(index + 1);
    took.push(Date.parse((await flow.runs())[index]?.endedAt ?? "") - mergedAt);
  }
  await flow.end();
  return { fleet, readiness: recorder.readiness, took };
}

function replay(settings: string, { fleet, readiness }: Recording): SimulatedRun {
  const compiled = compileSpec("0".repeat(40), file(0), settings, campaignFiles);
  const campaign = compiled.ok ? compiled.spec.campaigns.get("istio") : undefined;
  if (!compiled.ok || campaign === undefined) throw new Error(JSON.stringify(compiled.findings));
  const timing = { ...defaultTiming, recorded: readiness };
  return simulate({ head: compiled.spec, campaign, clusters: fleet, start: 0, seed: "1", timing, failures: [] });
}

const cases = [
  { batch: "batchSize: 1, delayBetweenBatches: 10s", strategy: "Batched" },
  { batch: "batchSize: 4, delayBetweenBatches: 20s", strategy: "Batched" },
  { batch: "batchSize: 3", strategy: "Window" },
];

// A generous timeout for a shared machine: each case plays some ten minutes of a planner and two executors.
test.each(cases)("a recorded campaign ($strategy, $batch) replayed ends within 10 %", async ({ batch, strategy }) => {
  const settings = `defaults:\n  strategy: ${strategy}\n  batch: { ${batch} }\n`;
  const recording = await record(settings);
  const run = replay(settings, recording);
  expect(recording.readiness.size).toBe(clusters.length * shops.length);
  const took = run.stages.map(({ mergedAt = 0, endedAt = 0 }) => endedAt - mergedAt);
  const deviations = took.map(
    (ms, index) => Math.abs(ms - (recording.took[index] ?? 0)) / (recording.took[index] ?? 1),
  );
  for (const deviation of deviations) expect(deviation).toBeLessThan(0.1);
});
