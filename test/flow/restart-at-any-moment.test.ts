import type { Prometheus } from "#libs/prometheus";
import { describe, expect, it } from "vitest";

import type { FleetFlow } from "./fleet-flow.ts";
import { file, makeShop, written } from "./shop.ts";

/** Good while the shop stands still, as of any moment. */
const prometheus: Prometheus = { query: async () => ({ kind: "value", value: 0.01 }) };

const gates =
  "  gates:\n    - { name: errors, when: during, onFail: pause, prometheus: { query: e, max: 0.02, interval: 20s, failureLimit: 2 } }\n";

interface Scenario {
  readonly name: string;
  readonly settings: string;
  readonly prometheus?: Prometheus;
  /** Workloads of this namespace never get ready on the new revision. */
  readonly broken?: string;
  /** True once there is nothing more to see. */
  readonly isOver: (flow: FleetFlow) => Promise<boolean>;
}

const isEnded = async (flow: FleetFlow): Promise<boolean> => (await flow.runs()).some(({ state }) => state === "done");
const batch = "batch: { batchSize: 2, delayBetweenBatches: 5s, readinessTimeout: 30s }";

const scenarios: readonly Scenario[] = [
  { name: "a run in batches, and its bake", settings: `defaults:\n  ${batch}\n  bake: 1m\n`, isOver: isEnded },
  {
    name: "a run whose gate measures while it moves and bakes",
    settings: `defaults:\n  ${batch}\n  bake: 1m\n${gates}`,
    prometheus,
    isOver: isEnded,
  },
  {
    name: "a run that is stopped because a gate fails",
    settings: `defaults:\n  ${batch}\n  bake: 1m\n${gates}`,
    prometheus: { query: async () => ({ kind: "value", value: 0.5 }) },
    isOver: async (flow) => Object.keys((await flow.ledger())?.stops ?? {}).length > 0,
  },
  {
    name: "a run that is stopped because a workload does not get ready",
    settings: `defaults:\n  ${batch}\n`,
    broken: "shop-a",
    isOver: async (flow) => Object.keys((await flow.ledger())?.stops ?? {}).length > 0,
  },
];

/** What a run of the scenario left behind, without anything that says when. */
interface Left {
  readonly runs: unknown;
  readonly stops: unknown;
  readonly writes: readonly string[];
  /** Each message that people are told, and how often. */
  readonly told: Readonly<Record<string, number>>;
}

const times = /\d{4}-\d\d-\d\dT[\d:.]+Z/gu;

/** Progress of a bake and batches are told as often as there are steps: that depends on time alone. */
const isCounted = (type: string): boolean => !/^(?:wait|batch|workload)\./u.test(type);

function describeMessages(flow: FleetFlow): Left["told"] {
  const told: Record<string, number> = {};
  for (const { body } of flow.bus.messages) {
    const event = JSON.parse(body) as { type: string; data: { step?: string; healthyMs?: number } };
    if (!isCounted(event.type) || event.data.step === "progress") continue;
    const { healthyMs: _, ...data } = event.data;
    const line = `${event.type} ${JSON.stringify(data)}`.replaceAll(times, "T").replaceAll(/"minutes":\d+/gu, "");
    told[line] = (told[line] ?? 0) + 1;
  }
  return told;
}

async function describeLeft(flow: FleetFlow): Promise<Left> {
  const ledger = await flow.ledger();
  const runs = Object.values(ledger?.runs ?? {}).map(({ state, outcome, gates: said, changes }) => {
    return { state, outcome, changes, gates: said };
  });
  const stops = Object.values(ledger?.stops ?? {}).map(({ scope, cause, failures, lift }) => ({
    scope,
    cause,
    failures,
    lift,
  }));
  const strip = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll(times, "T"));
  return { runs: strip(runs), stops: strip(stops), writes: written(flow).toSorted(), told: describeMessages(flow) };
}

/** Plays it; `disturb` is asked each second, and may restart. */
async function play(scenario: Scenario, disturb: (flow: FleetFlow) => () => Promise<void>): Promise<Left> {
  const flow = await makeShop({ settings: scenario.settings, names: ["a", "b", "c", "d"] });
  if (scenario.broken !== undefined) {
    const { broken } = scenario;
    flow.model("one").breakWorkload((ref) => ref.namespace === broken, { how: "neverReady", whenRevision: "new" });
  }
  flow.prometheus = scenario.prometheus;
  await flow.startExecutor().startPlanner().pass(20_000);
  const restart = disturb(flow);
  flow.whenMerged(file(100));
  for (let seconds = 0; seconds < 900 && !(await scenario.isOver(flow)); seconds += 1) {
    await flow.pass(1000);
    await restart();
  }
  expect(await scenario.isOver(flow)).toBe(true);
  flow.server.onPushed = () => undefined;
  await flow.killPlanner();
  await flow.startPlanner().pass(15_000);
  const left = await describeLeft(flow);
  await flow.end();
  return left;
}

const undisturbed = (): (() => Promise<void>) => async () => undefined;

/** The planner is killed the moment that the server took its push: it never hears of it, and says no word of it to the bus. */
function killAtEachRecord(flow: FleetFlow): () => Promise<void> {
  let isDead = false;
  flow.server.onPushed = (user) => {
    if (user !== "planner") return;
    isDead = true;
    flow.dropPlanner();
  };
  return async () => {
    if (isDead) flow.startPlanner();
    isDead = false;
  };
}

/** Killed in the middle of whatever it does, each few seconds. */
function killOften(flow: FleetFlow): () => Promise<void> {
  let seconds = 0;
  return async () => {
    seconds += 1;
    if (seconds % 17 !== 0) return;
    await flow.killPlanner();
    flow.startPlanner();
  };
}

/** Asked to end, as an upgrade does. */
function endOften(flow: FleetFlow): () => Promise<void> {
  let seconds = 0;
  return async () => {
    seconds += 1;
    if (seconds % 11 !== 0) return;
    await flow.stopPlanner();
    flow.startPlanner();
  };
}

describe.each(scenarios)("$name", (scenario) => {
  let want: Promise<Left> | undefined;

  it.each([
    { name: "the planner is killed at each record, before it hears of it", disturb: killAtEachRecord },
    { name: "the planner is killed every seventeen seconds", disturb: killOften },
    { name: "the planner is asked to end every eleven seconds", disturb: endOften },
  ])("$name: the same ledger, writes and messages as undisturbed", async ({ disturb }) => {
    want ??= play(scenario, undisturbed);
    expect(await play(scenario, disturb)).toEqual(await want);
  });
});
