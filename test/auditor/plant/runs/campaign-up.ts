import type { AuditedCommit, AuditedRun } from "../../evidence/evidence.ts";
import { commits, run, runId } from "../plant.ts";

/** A campaign with these fields in its spec and one stage, which sets production to 100. */
export const campaign = (spec: string, stage = "") =>
  `metadata: { name: up }\nspec:\n  defaults: { batch: { delayBetweenBatches: 0s } }\n${spec}  stages:\n    - { name: all${stage} }\n`;

export const withCampaign = (text: string, all: readonly AuditedCommit[] = commits): readonly AuditedCommit[] =>
  all.map((each) => ({ ...each, campaigns: { "campaigns/up.yml": text } }));

export const own = (change: Partial<AuditedRun> = {}) => run(runId, { campaign: "up", stage: "all", ...change });
