import type { Campaign, Window } from "#libs/campaign";
import { type ActiveStop, permitPatch } from "#libs/plan";
import { makeRun, makeSpec, makeWorkload, moved, noon, runId, sha } from "#test/world/build";
import { makeCampaign, makeStage, withCampaign } from "#test/world/campaigns/campaign";
import { makeItem, makeJob, makeExecutorView, openRunLedger } from "#test/world/executor";
import { expect, test } from "vitest";

const a = makeWorkload("shop/a");
const rolling = moved(makeWorkload("shop/b"), "new", runId);
const night: Window = {
  kind: "allow",
  schedule: "0 1 * * *",
  duration: 3_600_000,
  timeZone: "Europe/Berlin",
  atEnd: "stop",
};
const stop: ActiveStop = {
  id: "s",
  scope: "campaign/up",
  strength: "move",
  who: "ana",
  why: "because",
  at: "",
  from: "control",
};
const batch = makeStage("all", 100).settings.batch;

interface Case {
  readonly name: string;
  readonly campaign?: Partial<Campaign>;
  readonly stops?: readonly ActiveStop[];
  readonly now?: number;
  readonly want: string;
}

/** The permit for `shop/a` while `shop/b` is rolling. */
function decide({ campaign, stops = [], now = noon }: Case): string {
  const run = makeRun(sha("head"), sha("base"), { campaign: "up", stage: "all" });
  const head = withCampaign(makeSpec(sha("head"), 100), makeCampaign(campaign));
  const ledger = openRunLedger({ runs: { [runId]: run } });
  const { snapshot, judged } = makeExecutorView({ workloads: [a, rolling], head, ledger, stops, now });
  const permit = permitPatch(
    snapshot,
    makeJob(),
    makeItem(a),
    judged.find(({ key }) => key === "shop/Deployment/a"),
  );
  return permit.kind === "go" ? "go" : `${permit.kind} ${permit.reason.code}`;
}

const stage = (settings: Parameters<typeof makeStage>[2]) => ({ stages: [makeStage("all", 100, settings)] });

const cases: readonly Case[] = [
  { name: "7.1 a pause of the campaign stops its runs", stops: [stop], want: "end Stopped" },
  {
    name: "7.1 a window that closes with atEnd: stop holds every forward patch",
    campaign: stage({ batch: { ...batch, batchSize: 2 }, windows: [night] }),
    want: "skip WindowClosed",
  },
];
for (const each of cases) test(each.name, () => expect(decide(each)).toBe(each.want));
