import type { Gate } from "#libs/campaign";
import type { RevisionFacts, Workload } from "#libs/fleet";
import type { ClusterSnapshot, LedgerState, RunRecord, Sample, StopRecord, Snapshot } from "#libs/plan";

import { makeMigrated, failed, makeCluster, makeWorkload, noon, runId } from "../build.ts";
import { makeCampaign, makeCampaignSnapshot, makeStage } from "./campaign.ts";

type OfKind<K extends Gate["kind"]> = Extract<Gate, { readonly kind: K }>;

const base = { name: "g", when: "during", onFail: "pause", onNoData: "hold" } as const;

/** Gates named `g`; by default one that fails pauses the run, and one without data holds it. */
export const gates = {
  restartHealth: (change: Partial<OfKind<"restartHealth">> = {}): Gate => ({
    ...base,
    kind: "restartHealth",
    maxFailureRatio: 0.5,
    minSamples: 1,
    ...change,
  }),
  revisionMatch: (change: Partial<OfKind<"revisionMatch">> = {}): Gate => ({
    ...base,
    when: "after",
    kind: "revisionMatch",
    minRatio: 1,
    ...change,
  }),
  proxySync: (change: Partial<OfKind<"proxySync">> = {}): Gate => ({
    ...base,
    kind: "proxySync",
    minSyncedRatio: 0.9,
    within: 60_000,
    ...change,
  }),
  prometheus: (change: Partial<OfKind<"prometheus">> = {}): Gate => ({
    ...base,
    kind: "prometheus",
    query: "errors",
    max: 0.02,
    interval: 60_000,
    failureLimit: 2,
    ...change,
  }),
};

/** This many ms after noon, as ISO text. */
export const isoAt = (ms: number): string => new Date(noon + ms).toISOString();

/** Workloads `shop/w0`, `shop/w1`, …: the first `failures` have failed, the others have migrated. */
export function makeTried(failures: number, all: number): readonly Workload[] {
  return Array.from({ length: all }, (_, index) => {
    const workload = makeWorkload(`shop/w${index}`);
    return index < failures ? failed(workload, "new", runId) : makeMigrated(workload, "new", runId);
  });
}

/** A cluster whose istiod of `new` reports these numbers of proxies. */
export function makeSyncedCluster(
  name: string,
  workloads: readonly Workload[],
  proxies?: RevisionFacts["proxies"],
): ClusterSnapshot {
  const ready = { webhook: true, istiod: "ready" } as const;
  const told = proxies === undefined ? {} : { proxies };
  return makeCluster(name, workloads, {
    facts: {
      revisions: [
        { name: "old", ...ready },
        { name: "new", ...ready, ...told },
      ],
    },
  });
}

export interface GateSnapshot {
  readonly gate: Gate;
  readonly clusters: readonly ClusterSnapshot[];
  readonly run?: Partial<RunRecord>;
  readonly ledger?: Partial<LedgerState>;
  /** The gate's samples; absent: this planner has no Prometheus. */
  readonly samples?: readonly Sample[];
  readonly bake?: number;
  readonly snapshot?: Partial<Snapshot>;
}

/** An open campaign run that gives everything to `new`, with one gate and an open wave in all these clusters. */
export function makeGateSnapshot({ gate, clusters, run, ledger, samples, bake = 0, snapshot }: GateSnapshot): Snapshot {
  const opened = { openedAt: isoAt(-3_600_000), unhealthyBefore: [] };
  const measured = samples === undefined ? {} : { samples: new Map([[`${runId}/${gate.name}`, samples]]) };
  return makeCampaignSnapshot({
    campaign: makeCampaign({ owners: ["team:mesh"], stages: [makeStage("all", 100, { gates: [gate], bake })] }),
    run: { clusters: Object.fromEntries(clusters.map(({ name }) => [name, opened])), ...run },
    clusters: new Map(clusters.map((each) => [each.name, each])),
    ...(ledger === undefined ? {} : { ledger }),
    snapshot: { ...measured, ...snapshot },
  });
}

/** The stop that gate `g` placed on the run ten minutes before noon. */
export function makeGateStop(change: Partial<StopRecord> = {}): StopRecord {
  return {
    id: `gate-${runId}-1`,
    scope: `run/${runId}`,
    strength: "move",
    at: isoAt(-600_000),
    who: "meshroll planner",
    why: "gate g failed: 3 of 4",
    cause: "gate",
    gate: "g",
    ...change,
  };
}

/** Ana's resume, five minutes before noon. */
export const resumedByAna = { at: isoAt(-300_000), who: "ana", why: "looked at it" };
