import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { editShares } from "#libs/rollouts";

/** Airbnb's file as published, byte for byte. */
const publishedRollouts = readFileSync(
  fileURLToPath(new URL("../../../test/fixtures/rollouts/airbnb.yml", import.meta.url)),
  "utf8",
);

/** Airbnb's file and one more bucket, for card payments, that goes last. */
export const demoRollouts = `${publishedRollouts}
# Whatever handles cards goes last.
"payments-.*":
  1-24-5: 100
  1-25-2: 0
`;

/** The same file with the target in production at 0 %: that moves nothing, and from then on only the numbers change. */
export function prepareRollouts(): string {
  const edited = editShares(demoRollouts, [{ pattern: "production", shares: [{ revision: "1-25-2", weight: 0 }] }]);
  if (!edited.ok) throw new Error("bug: the demo's file cannot be edited");
  return edited.text;
}

/** The meshroll.yml of the demo's platform team: how changes move that belong to no campaign. */
export const demoSettings = `# How meshroll moves workloads here.
defaults:
  drift: converge # what an owner's old manifest puts back is moved again
  batch:
    batchSize: 8
    failurePolicy: FailFast
  rollback:
    batch:
      batchSize: 40
      delayBetweenBatches: 0s
vms: # one after the other; minutes where people would write days
  maxUnavailable: 10%
  deadline: 30m
`;

export const campaignName = "istio-1-25";
export const campaignPath = `campaigns/${campaignName}.yml`;

/** The stage that is left to owners' deploys. */
export const deploysStage = "staging-100";

/** The stage in which the demo plants a fault. */
export const brokenStage = "prod-25";

/** From 0 to 100 % in production, over six clusters; with minutes where people would write hours. */
export const demoCampaign = `apiVersion: meshroll.dev/v1
kind: Campaign
metadata:
  name: ${campaignName}
  annotations: { ticket: MESH-412 }
spec:
  target: 1-25-2
  replaces: [1-24-5]
  maxVersion: "1.25.999"
  owners: ["user:ana"]

  clusters: # inner lists are waves
    order:
      - [stage-use1]
      - [prod-use1-a, prod-use1-b, prod-usw2-a, prod-euw1-a, prod-apne1-a]
    delayBetweenWaves: 10s

  defaults:
    bake: 1m
    strategy: Window # the next one moves when one has arrived
    batch:
      batchSize: 40
      readinessTimeout: 10m
      failurePolicy: FailFast
    approvals: { required: 1 }
    gates:
      - { name: restarts, when: during, restartHealth: { maxFailureRatio: 0.05, minSamples: 20 } }
      - { name: proxies, when: during, proxySync: { minSyncedRatio: 0.95, within: 60m } }
      - { name: on-revision, when: after, revisionMatch: { minRatio: 1 } }

  windows: # nothing begins while the backups run
    - { kind: deny, schedule: "0 3 * * *", duration: 5m, timeZone: Europe/Berlin, atEnd: finishBatch }

  stages:
    - name: ${deploysStage}
      set: { ".*-staging": 100 }
      autoMerge: { notice: 30s }
      strategy: OnDeploy # owners deploy it; what is left at the deadline is restarted
      deadline: 5m
    - { name: ${brokenStage}, set: { production: 25 } }
    - { name: prod-100, set: { production: 100, "payments-.*": 100 } }

  rollback:
    batch: { batchSize: 60, delayBetweenBatches: 0s }
  notify:
    github: { labels: [mesh] }
`;
