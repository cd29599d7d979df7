import type { Prometheus } from "#libs/prometheus";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, makeShop, listMovedPaths } from "../shop.ts";

/** Every measurement is good. */
const goodPrometheus = (): Prometheus => ({ query: async () => ({ kind: "value", value: 0.01 }) });

/** Bad once all run the new revision, so that the gate fails in the bake however long the moves take. */
const badPrometheus = (flow: FleetFlow): Prometheus => ({
  query: async () => ({ kind: "value", value: countOn(flow, "new", names) === names.length ? 0.5 : 0.01 }),
});

const names = ["a", "b", "c", "d"] as const;

const gates =
  "  gates:\n    - { name: errors, when: during, onFail: pause, prometheus: { query: e, max: 0.02, interval: 20s, failureLimit: 2 } }\n";

/** A run from its merge to its end. */
export interface Story {
  readonly name: string;
  readonly settings: string;
  readonly prometheus?: (flow: FleetFlow) => Prometheus;
  /** Workloads of this namespace never get ready on the new revision. */
  readonly broken?: string;
  /**
   * A kill between two patches makes the batch smaller: the failure in it stops the run before the rest moves (ADR 70).
   */
  readonly mayMoveFewer?: true;
  /** Whether the story has come to its end. */
  readonly isOver: (flow: FleetFlow) => Promise<boolean>;
}

const isEnded = async (flow: FleetFlow): Promise<boolean> => (await flow.runs()).some(({ state }) => state === "done");
const isStopped = async (flow: FleetFlow): Promise<boolean> =>
  Object.keys((await flow.ledger())?.stops ?? {}).length > 0;
const batch = "batch: { batchSize: 2, delayBetweenBatches: 5s, readinessTimeout: 30s }";
const onward =
  "batch: { batchSize: 2, delayBetweenBatches: 5s, readinessTimeout: 30s, failurePolicy: ContinueOnError }";

export const stories: readonly Story[] = [
  { name: "a run in batches, and its bake", settings: `defaults:\n  ${batch}\n  bake: 1m\n`, isOver: isEnded },
  {
    name: "a run whose gate measures while it moves and bakes",
    settings: `defaults:\n  ${batch}\n  bake: 1m\n${gates}`,
    prometheus: goodPrometheus,
    isOver: isEnded,
  },
  {
    name: "a run that is stopped because a gate fails",
    settings: `defaults:\n  ${batch}\n  bake: 1m\n${gates}`,
    prometheus: badPrometheus,
    isOver: isStopped,
  },
  {
    name: "a run that is stopped because a workload does not get ready",
    settings: `defaults:\n  ${batch}\n`,
    broken: "shop-a",
    mayMoveFewer: true,
    isOver: isStopped,
  },
  {
    name: "a run that goes on past a workload that does not get ready",
    settings: `defaults:\n  ${onward}\n`,
    broken: "shop-b",
    isOver: isEnded,
  },
];

/** What a story left behind, without times. */
export interface Left {
  readonly runs: unknown;
  readonly stops: unknown;
  readonly writes: readonly string[];
  /** Messages to people with their count; a repeat has the same id and is not counted. */
  readonly told: Readonly<Record<string, number>>;
}

const times = /\d{4}-\d\d-\d\dT[\d:.]+Z/gu;

/**
 * Not counted are the messages of a bake's progress and of batches, whose number depends on time, and hints, which no person
 * gets.
 */
const isCounted = (type: string): boolean => !/^(?:wait|batch|hint)\./u.test(type);

function describeMessages(flow: FleetFlow): Left["told"] {
  const told: Record<string, number> = {};
  const heard = new Set<string>();
  for (const { body } of flow.bus.messages) {
    const event = JSON.parse(body) as { type: string; id: string; data: { step?: string; healthyMs?: number } };
    const name = `${event.type}/${event.id}`;
    if (heard.has(name)) continue;
    heard.add(name);
    if (!isCounted(event.type) || event.data.step === "progress") continue;
    const { healthyMs: _, ...data } = event.data;
    const line = `${event.type} ${JSON.stringify(data)}`.replaceAll(times, "T").replaceAll(/"minutes":\d+/gu, "");
    told[line] = (told[line] ?? 0) + 1;
  }
  return told;
}

/** Describes what a flow left behind. */
export async function describeLeft(flow: FleetFlow): Promise<Left> {
  const ledger = await flow.ledger();
  const runs = Object.values(ledger?.runs ?? {}).map(({ state, outcome, gates: said, changes }) => {
    // A gate's counts depend on the moment; its verdict does not.
    const verdicts = Object.entries(said ?? {}).map(([name, { verdict }]) => `${name} ${verdict}`);
    return { state, outcome, changes, verdicts };
  });
  const stops = Object.values(ledger?.stops ?? {}).map(({ scope, cause, failures, resume }) => ({
    scope,
    cause,
    failures,
    resume,
  }));
  const strip = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll(times, "T"));
  return {
    runs: strip(runs),
    stops: strip(stops),
    writes: listMovedPaths(flow).toSorted(),
    told: describeMessages(flow),
  };
}

/** Returns a function that is called each second of a story and may restart processes. */
export type Disturb = (flow: FleetFlow) => () => Promise<void>;

/** Plays a story from its merge to its end, and half a minute more. */
export async function playStory(story: Story, disturb: Disturb): Promise<Left> {
  const flow = await makeShop({ settings: story.settings, names });
  if (story.broken !== undefined) {
    const { broken } = story;
    flow.model("one").breakWorkload((ref) => ref.namespace === broken, { how: "neverReady", whenRevision: "new" });
  }
  flow.prometheus = story.prometheus?.(flow);
  await flow.startExecutor().startPlanner().pass(20_000);
  const restart = disturb(flow);
  flow.whenMerged(file(100));
  for (let seconds = 0; seconds < 900 && !(await story.isOver(flow)); seconds += 1) {
    await flow.pass(1000);
    await restart();
  }
  if (!(await story.isOver(flow))) throw new Error(`never over: ${JSON.stringify(await flow.status(), undefined, 1)}`);
  flow.server.onPushed = () => undefined;
  await flow.killPlanner();
  await flow.killExecutor();
  await flow.startExecutor().startPlanner().pass(30_000);
  const left = await describeLeft(flow);
  await flow.end();
  return left;
}

const readMoved = (line: string): string | undefined => /^workload\.v1\.moved .*"workload":"([^/]+)\//u.exec(line)?.[1];

/** What a disturbed story must leave: as the undisturbed one, without workloads that it was free not to move. */
export function narrowToMoved({ mayMoveFewer }: Story, undisturbed: Left, disturbed: Left): Left {
  if (mayMoveFewer === undefined) return undisturbed;
  const moved = new Set(Object.keys(disturbed.told).flatMap((line) => readMoved(line) ?? []));
  const spared = Object.keys(undisturbed.told)
    .flatMap((line) => readMoved(line) ?? [])
    .filter((ns) => !moved.has(ns));
  const isSpared = (line: string): boolean => spared.some((ns) => line.includes(`${ns}/`));
  const told = Object.entries(undisturbed.told).filter(([line]) => !isSpared(line));
  return {
    ...undisturbed,
    writes: undisturbed.writes.filter((line) => !isSpared(line)),
    told: Object.fromEntries(told),
  };
}

export const undisturbed: Disturb = () => async () => undefined;
