import type { Workload } from "#libs/fleet";
import {
  decide,
  type Decision,
  isLedgerDecision,
  type LedgerChange,
  type LedgerDecision,
  type RunRecord,
  type RunStep,
  type Snapshot,
  type StopChange,
  type StopRecord,
} from "#libs/plan";
import { expect, test } from "vitest";

import { type makeCluster, makeSpec, makeWorkload, sha } from "./build.ts";

type Other = Exclude<Decision, LedgerDecision>;

type Tellers = {
  readonly [K in Other["kind"]]: (decision: Extract<Other, { readonly kind: K }>) => string;
} & Readonly<Record<LedgerDecision["kind"], (transition: Transition) => string>>;

/** The parts of a transition that tests compare. */
interface Transition {
  readonly kind: string;
  readonly change: LedgerChange;
  /** The first run that changes, and its first step. */
  readonly run: RunRecord;
  readonly step: RunStep;
}

function readTransition({ kind, change }: LedgerDecision): Transition {
  const [first] = change.runs ?? [];
  return { kind, change, run: first?.run as RunRecord, step: first?.steps[0] as RunStep };
}

function nameClusters({ kind, step }: Transition): string {
  return `${kind} ${"clusters" in step ? step.clusters.join(" ") : ""}`;
}

function nameStops({ stops = [] }: LedgerChange, wanted: StopChange["step"]): readonly StopRecord[] {
  return stops.flatMap(({ stop, step }) => (step === wanted ? [stop] : []));
}

function readGate({ step, run }: Transition): readonly [string, RunRecord] {
  return ["gate" in step ? step.gate : "", run];
}

/** A decision as a short text. */
const tellers: Tellers = {
  handOut: ({ batch }) =>
    `handOut ${batch.cluster} ${batch.items.map((item) => `${item.namespace}/${item.name}`).join(" ")}`,
  startRun: ({ run }) => `startRun ${run.commit.slice(0, 4)}`,
  finishRun: ({ run }) => `finishRun ${run.state}`,
  placeStop: ({ change }) =>
    `placeStop ${nameStops(change, "placed")
      .map(({ scope, cause }) => `${scope} ${cause}`)
      .join(" ")}`,
  resumeStop: ({ change }) =>
    `resumeStop ${nameStops(change, "resumed")
      .map(({ id }) => id)
      .join(" ")}`,
  retryRun: ({ run }) => `retryRun ${Object.keys(run.retried ?? {}).join(" ")}`,
  converge: ({ change }) =>
    `converge ${(change.runs ?? []).flatMap(({ run }) => Object.keys(run.retried ?? {})).join(" ")}`,
  wait: ({ reason }) => `wait ${reason.code}`,
  dropBatch: ({ cluster }) => `dropBatch ${cluster}`,
  judge: ({ kind }) => kind,
  openWave: nameClusters,
  answerRequest: ({ kind }) => kind,
  closeWave: nameClusters,
  reopenWave: nameClusters,
  saveBake: ({ step }) => `saveBake ${"step" in step ? step.step : ""}`,
  restartBake: ({ kind }) => kind,
  countGate(transition) {
    const [gate, { measured }] = readGate(transition);
    return `countGate ${gate} ${measured?.[gate]?.bad?.length ?? 0}`;
  },
  judgeGate(transition) {
    const [gate, { gates }] = readGate(transition);
    return `judgeGate ${gate} ${gates?.[gate]?.verdict}`;
  },
  archive: ({ change }) => `archive ${(change.runs ?? []).map(({ run }) => run.id).join(" ")}`,
  recordPlan: ({ change }) =>
    `recordPlan ${(change.plans ?? []).map(({ plan }) => `${plan.campaign}/${plan.stage}`).join(" ")}`,
};

function tell(decision: Decision): string {
  const read = isLedgerDecision(decision) ? readTransition(decision) : decision;
  return (tellers[decision.kind] as (read: object) => string)(read);
}

/** Freezes the snapshot deeply, so that a decision that changes it throws. */
function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    if (!(value instanceof Map)) for (const each of Object.values(value)) freeze(each);
  }
  return value;
}

/** Open runs that these decisions do not name although nothing moves (promise 5 of the README). */
function listUnnamed({ ledger, clusters: all }: Snapshot, decisions: readonly Decision[]): readonly string[] {
  if (ledger === undefined || decisions.some(({ kind }) => kind !== "wait" && kind !== "handOut")) return [];
  const isMigrating = [...all.values()].some(({ namespaces }) =>
    [...namespaces.values()].some(({ workloads }) => workloads.some((each) => !isAtRest(each))),
  );
  if (isMigrating) return [];
  const open = Object.values(ledger.runs).flatMap(({ id, state }) => (state === "open" ? [`run/${id}`] : []));
  const named = new Set(
    decisions.flatMap((each) => {
      if (each.kind === "handOut") return [`run/${each.batch.run}`];
      return each.kind === "wait" ? [each.scope.split("@")[0]] : [];
    }),
  );
  return named.has("all") ? [] : open.filter((scope) => !named.has(scope));
}

function isAtRest({ generation, observedGeneration, pods, replicas }: Workload): boolean {
  return observedGeneration === generation && pods.length === 1 && pods[0]?.ready === replicas;
}

/** Decides twice on a frozen snapshot; both answers must be equal. */
function decideTwice(snapshot: Snapshot): readonly string[] {
  const frozen = freeze(snapshot);
  const first = decide(frozen);
  expect(decide({ ...frozen })).toEqual(first);
  expect(listUnnamed(frozen, first)).toEqual([]);
  return first.map(tell);
}

export const a = makeWorkload("shop/a");
export const b = makeWorkload("shop/b");
export const c = makeWorkload("shop/c");

/** Clusters by name, as in a snapshot. */
export function clusters(
  ...all: readonly ReturnType<typeof makeCluster>[]
): ReadonlyMap<string, ReturnType<typeof makeCluster>> {
  return new Map(all.map((each) => [each.name, each]));
}

/** Settings with this batchSize. */
export function batchOf(size: number) {
  return { settings: { batch: { ...makeSpec(sha("x"), 0).settings.batch, batchSize: size } } };
}

/** A snapshot and its expected decisions. */
export interface Case {
  readonly snapshot: Snapshot;
  readonly want: readonly string[];
}

/** One test for each case. */
export function runCases(cases: Readonly<Record<string, Case>>): void {
  for (const [name, { snapshot, want }] of Object.entries(cases))
    test(name, () => expect(decideTwice(snapshot)).toEqual(want));
}
