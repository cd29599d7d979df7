import type { Campaign } from "#libs/campaign";
import type { SimulatedStage } from "#libs/simulation";

import type { Simulated } from "./run-simulations.ts";

function printIso(epochMs: number | undefined): string | undefined {
  return epochMs === undefined ? undefined : new Date(epochMs).toISOString();
}

function toSeconds(ms: number): number {
  return Math.round(ms / 1000);
}

function describeStage(stage: SimulatedStage): unknown {
  const { name, namespaces, workloads, skipped, spent } = stage;
  return {
    name,
    proposedAt: printIso(stage.proposedAt),
    mergedAt: printIso(stage.mergedAt),
    startedAt: printIso(stage.startedAt),
    restartedAt: printIso(stage.restartedAt),
    bakedAt: printIso(stage.endedAt),
    namespaces,
    workloads,
    skipped,
    spentSeconds: Object.fromEntries(Object.entries(spent).map(([cause, ms]) => [cause, toSeconds(ms)])),
  };
}

/** The answer for machines: times are ISO 8601 in UTC, lengths are seconds. */
export function describeSimulation({ run, spread, asked, savings }: Simulated, campaign: Campaign): unknown {
  const { seed, start, stages, end, handedOut } = run;
  const ending = end.kind === "stuck" ? { reason: end.reason } : {};
  return {
    apiVersion: "meshroll.dev/v1",
    kind: "Simulation",
    metadata: { name: campaign.name },
    spec: { target: campaign.target, replaces: campaign.replaces, start: printIso(start), seed, runs: asked },
    status: {
      outcome: end.kind,
      at: printIso(end.at),
      ...ending,
      handedOut,
      stages: stages.map(describeStage),
      spread: { ...spread, p50: printIso(spread.p50), p95: printIso(spread.p95) },
      savings: savings.map(({ change, endsAt, savedMs }) => ({
        change,
        endsAt: printIso(endsAt),
        savedSeconds: toSeconds(savedMs),
      })),
    },
  };
}
