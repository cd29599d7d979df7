import type { Gate } from "#libs/campaign";
import { writeText } from "#libs/wording";
import { describe } from "vitest";

import { failed, makeCluster, makeStop, noon, runId } from "../build.ts";
import { makeCampaign, makeCampaignSnapshot, makeStage } from "./campaign.ts";
import { gates, makeGateSnapshot } from "./gates.ts";
import { a, b, clusters, runCases } from "../decide-cases.ts";

const at = (ms: number) => new Date(noon + ms).toISOString();

describe("failures of a stage", () => {
  const gate: Gate = {
    name: "restarts",
    when: "during",
    onFail: "rollback",
    onNoData: "pass",
    kind: "restartHealth",
    maxFailureRatio: 0.1,
    minSamples: 1,
  };
  const tolerant = { ...makeStage("all", 100).settings.batch, failurePolicy: "ContinueOnError" as const };
  const gated = makeCampaign({ stages: [makeStage("all", 100, { gates: [gate], batch: tolerant })] });
  const broken = clusters(makeCluster("one", [failed(a, "new", runId), b]));
  const stop = makeStop({ id: "f", scope: `run/${runId}`, cause: "failures", why: "1 failed" });
  const policy = (on: "maxFailures" | "gateFailed") => ({
    rollback: { on: [on], scope: "stage" as const, mode: "pr" as const },
  });
  runCases({
    "3.3 its own failurePolicy counts, not the fleet's": {
      snapshot: makeCampaignSnapshot({
        campaign: makeCampaign({ stages: [makeStage("all", 100, { batch: tolerant })] }),
        clusters: broken,
      }),
      want: ["handOut one shop/b"],
    },
    "3.3 a stage that failures stopped is not over though nothing is left": {
      snapshot: makeCampaignSnapshot({
        ledger: { stops: { f: { ...stop, failures: ["one:shop/Deployment/a"] } } },
        clusters: clusters(makeCluster("one", [failed(a, "new", runId)])),
      }),
      want: ["wait Stopped"],
    },
    "1.4 rollback.on maxFailures places the rollback, by meshroll": {
      snapshot: makeCampaignSnapshot({
        campaign: makeCampaign({ stages: [makeStage("all", 100, policy("maxFailures"))] }),
        ledger: { stops: { f: { ...stop, failures: ["one:shop/Deployment/a"] } } },
        clusters: broken,
      }),
      want: [`placeStop run/${runId} rollback`],
    },
    "1.4 once: never again after a person ended it": {
      snapshot: makeCampaignSnapshot({
        campaign: makeCampaign({ stages: [makeStage("all", 100, policy("maxFailures"))] }),
        ledger: {
          stops: {
            f: { ...stop, failures: ["one:shop/Deployment/a"] },
            r: makeStop({
              id: "r",
              scope: `run/${runId}`,
              cause: "rollback",
              revertTo: "b",
              resume: { at: at(0), who: "ana", why: "no" },
            }),
          },
        },
        clusters: broken,
      }),
      want: ["wait Stopped"],
    },
    "6.3 a gate's verdict is recorded before it stops anything": {
      snapshot: makeCampaignSnapshot({ campaign: gated, clusters: broken }),
      want: ["judgeGate restarts fail"],
    },
    "6.3 a failed gate whose onFail is rollback brings the run back": {
      snapshot: makeCampaignSnapshot({
        campaign: gated,
        ledger: { stops: { g: makeStop({ id: "g", scope: `run/${runId}`, cause: "gate", gate: "restarts" }) } },
        clusters: broken,
      }),
      want: [`placeStop run/${runId} rollback`],
    },
  });
});

describe("gates before a run", () => {
  const gate = gates.prometheus({ when: "before" });
  const unopened = { run: { clusters: {}, expected: ["one"] }, clusters: [makeCluster("one", [a])] };
  const passed = { g: { verdict: "pass", at: at(0), why: writeText("0"), value: 0, limit: 0.02 } } as const;
  runCases({
    "6.3 no wave opens before they have passed": {
      snapshot: makeGateSnapshot({ gate, ...unopened }),
      want: ["wait GateNoData"],
    },
    "6.3 it opens when they have": {
      snapshot: makeGateSnapshot({ gate, ...unopened, run: { ...unopened.run, gates: passed } }),
      want: ["openWave one"],
    },
  });
});
