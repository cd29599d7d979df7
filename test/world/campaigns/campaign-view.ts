import type { Campaign, Settings } from "#libs/campaign";
import { type CampaignStatus, decide, describeFleet, type RunRecord, evaluateFleet, type Snapshot } from "#libs/plan";

import {
  makeMigrated,
  makeCluster,
  makeLedger,
  makeRun,
  makeSpec,
  type makeStop,
  makeWorkload,
  makeSnapshot,
  noon,
  runId,
  sha,
} from "../build.ts";
import { makeCampaign, makeStage, withCampaign } from "./campaign.ts";

export const hour = 3_600_000;
/** This many ms after noon, as ISO text. */
export const iso = (ms: number) => new Date(noon + ms).toISOString();
const names = Array.from({ length: 8 }, (_, index) => `ns-${index}/api`);
const old = names.map((name) => makeWorkload(name));
const workloads = (moved: number) =>
  old.map((each, index) => (index < moved ? makeMigrated(each, "new", runId) : each));

/** Campaign `up` with the stages `half`, which main has reached, and `all`. */
export interface CampaignSetup {
  /** Settings of stage `half`, which main has reached, and of `all`, which is next. */
  readonly half?: Partial<Settings>;
  readonly all?: Partial<Settings>;
  readonly campaign?: Partial<Campaign>;
  /** How many of the eight workloads have migrated. */
  readonly moved?: number;
  readonly run?: Partial<RunRecord>;
  readonly snapshot?: Partial<Snapshot>;
  readonly stops?: Readonly<Record<string, ReturnType<typeof makeStop>>>;
  readonly plans?: ReturnType<typeof makeLedger>["plans"];
}

/** The campaign's status at noon. */
export function seeCampaign({
  half,
  all,
  campaign = {},
  moved = 8,
  run,
  snapshot = {},
  stops = {},
  plans = {},
}: CampaignSetup): CampaignStatus {
  const [base, head] = [sha("base"), sha("head")];
  const stages = [makeStage("half", 50, half), makeStage("all", 100, all)];
  const up = makeCampaign({ stages, ...campaign });
  const changes = [{ pattern: "production", from: "old: 100", to: "new: 50, old: 50", direction: "forward" as const }];
  const opened = { one: { openedAt: iso(-hour), unhealthyBefore: [] } };
  const record = makeRun(head, base, {
    campaign: "up",
    stage: "half",
    startedAt: iso(-hour),
    changes,
    clusters: opened,
    ...run,
  });
  const filled = makeSnapshot({
    specs: new Map([
      [base, withCampaign(makeSpec(base, 0), up)],
      [head, withCampaign(makeSpec(head, 50), up)],
    ]),
    ledger: makeLedger({ main: head, judged: head, runs: { [runId]: record }, stops, plans }),
    clusters: new Map([["one", makeCluster("one", workloads(moved))]]),
    pulls: new Map(),
    ...snapshot,
  });
  const spec = filled.specs.get(head);
  if (spec === undefined) throw new Error("main does not parse");
  const { judged, views } = evaluateFleet(filled, spec);
  const [status] = describeFleet(filled, spec, judged, views, decide(filled)).campaigns ?? [];
  if (status === undefined) throw new Error("the status names no campaign");
  return status;
}
