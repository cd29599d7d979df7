import { builtInSettings, type Campaign, type Settings, type Stage } from "#libs/campaign";
import type { ClusterSnapshot, LedgerState, RunRecord, Spec, Snapshot } from "#libs/plan";

import { makeLedger, makeRun, makeSpec, makeSnapshot, runId, sha } from "../build.ts";

/** A stage that gives this percent of `production` to `new`; without gates, unless the settings have some. */
export function makeStage(name: string, percent: number, settings: Partial<Settings> = {}): Stage {
  return { name, set: { production: percent }, line: 1, settings: { ...builtInSettings, gates: [], ...settings } };
}

/** Campaign `up` moves production from `old` to `new`: half, then all. */
export function makeCampaign(change: Partial<Campaign> = {}): Campaign {
  return {
    name: "up",
    file: "campaigns/up.yml",
    target: "new",
    replaces: ["old"],
    owners: [],
    exclude: [],
    clusters: { order: [], delayBetweenWaves: 0 },
    stages: [makeStage("half", 50), makeStage("all", 100)],
    ...change,
  };
}

export function withCampaign(spec: Spec, campaign: Campaign): Spec {
  return { ...spec, campaigns: new Map([[campaign.name, campaign]]) };
}

export interface CampaignSnapshot {
  readonly campaign?: Campaign;
  readonly run?: Partial<RunRecord>;
  readonly ledger?: Partial<LedgerState>;
  /** Fields of a second, earlier run of the same commit; absent: there is none. */
  readonly earlier?: Partial<RunRecord>;
  readonly clusters: ReadonlyMap<string, ClusterSnapshot>;
  readonly snapshot?: Partial<Snapshot>;
}

/** A snapshot in the campaign's last stage: the run that gives everything to `new` is open, and so is its wave in `one`. */
export function makeCampaignSnapshot(parts: CampaignSnapshot): Snapshot {
  const { campaign = makeCampaign(), run, ledger, earlier, clusters, snapshot } = parts;
  const [base, head] = [sha("base"), sha("head")];
  const changes = [{ pattern: "production", from: "old: 100", to: "new: 100", direction: "forward" as const }];
  const record = makeRun(head, base, { campaign: "up", stage: "all", changes, ...run });
  const before = earlier === undefined ? {} : { [runId]: makeRun(head, base, { changes, ...earlier }) };
  return makeSnapshot({
    specs: new Map([
      [base, withCampaign(makeSpec(base, 0), campaign)],
      [head, withCampaign(makeSpec(head, 100), campaign)],
    ]),
    ledger: makeLedger({ main: head, judged: head, runs: { ...before, [record.id]: record }, ...ledger }),
    clusters,
    ...snapshot,
  });
}
