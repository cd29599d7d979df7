import { makeMigrated, makeCluster, noon, runId } from "./build.ts";
import { makeCampaign, makeCampaignSnapshot } from "./campaigns/campaign.ts";
import { a, b, clusters, runCases } from "./decide-cases.ts";

const minute = 60_000;
const at = (ms: number): string => new Date(noon + ms).toISOString();
const opened = { openedAt: at(-60 * minute), unhealthyBefore: [] };
const over = { ...opened, doneAt: at(-5 * minute) };
const campaign = (delayMinutes: number) =>
  makeCampaign({ clusters: { order: [["one"], ["two"]], delayBetweenWaves: delayMinutes * minute } });
const migrated = makeMigrated(a, "new", runId);
const fleet = (one = a, other = b) => clusters(makeCluster("one", [one]), makeCluster("two", [other]));
const expected = ["one", "two"];

runCases({
  "6.1 a workload that joins an ended wave cancels the recorded end": {
    snapshot: makeCampaignSnapshot({
      campaign: campaign(30),
      run: { expected, clusters: { one: over } },
      clusters: fleet(),
    }),
    want: ["reopenWave one"],
  },
  "6.1 while it moves the next wave waits for it, not for the delay": {
    snapshot: makeCampaignSnapshot({
      campaign: campaign(30),
      run: { expected, clusters: { one: opened } },
      clusters: fleet(),
    }),
    want: ["handOut one shop/a", "wait WaveClosed"],
  },
  "6.1 the wave's new end is recorded": {
    snapshot: makeCampaignSnapshot({
      campaign: campaign(30),
      run: { expected, clusters: { one: opened } },
      clusters: fleet(migrated),
    }),
    want: ["closeWave one"],
  },
  "6.1 a late workload does not cancel a wave's end once the last wave is open": {
    snapshot: makeCampaignSnapshot({
      campaign: campaign(30),
      run: { expected, clusters: { one: over, two: opened } },
      clusters: fleet(a, makeMigrated(b, "new", runId)),
    }),
    want: ["handOut one shop/a"],
  },
});
