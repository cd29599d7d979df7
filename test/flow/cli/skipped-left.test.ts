import { evaluateFleet, type RunRecord, type Snapshot, tellAnswers } from "#libs/plan";
import { writeText } from "#libs/wording";
import { failed, makeMigrated, noon } from "#test/world/build";
import { instantRun, makeInstant, over, statusOf } from "#test/world/campaigns/campaign-instant";
import { expect, test } from "vitest";

import { printListing, printNotes } from "../../../cli/show/listing.ts";
import { listFailures, listSkipped } from "../../../cli/show/rows/get-left-rows.ts";
import { narrowView } from "../../../cli/show/rows/narrow-view.ts";
import { printCampaign } from "../../../cli/show/status/print-campaign.ts";
import { printStatus } from "../../../cli/show/status/print-status.ts";
import { drawFrame } from "../../../cli/watch/watch-frame.ts";
import { pickCampaign } from "../five-answers-words.ts";

const reading = { terminal: { env: {} }, tz: "UTC" };
const campaignName = "istio-1-25";
const outcome: NonNullable<RunRecord["outcome"]> = {
  migrated: 17,
  skipped: ["team-006", "team-012"].map((namespace) => ({
    cluster: "stage-use1",
    workload: `${namespace}/Deployment/api`,
    code: "OwnerRollout",
    message: writeText("its owner is rolling it out, for too long"),
  })),
  seen: [],
};

/** The run ended a day ago; `change` says what happened to the workloads of some namespaces in stage-use1. */
function leave(change: Readonly<Record<string, "opted out" | "failed" | "migrated">> = {}): Snapshot {
  const snapshot = makeInstant({
    progress: (cluster) => (cluster === "stage-use1" ? "pending" : "migrated"),
    run: { ...over, outcome },
    snapshot: { now: noon + 86_400_000 },
  });
  const clusters = [...snapshot.clusters].map(([name, cluster]) => {
    const namespaces = [...cluster.namespaces].map(([namespace, inventory]) => {
      const what = name === "stage-use1" ? change[namespace] : undefined;
      const workloads = inventory.workloads.map((each) => {
        if (what === "migrated") return makeMigrated(each, "1-25-2", instantRun);
        if (what === "failed") return failed(each, "1-25-2", instantRun);
        if (what === undefined) return each;
        return { ...each, annotations: { ...each.annotations, "meshroll.dev/opt-out": "until the audit" } };
      });
      return [namespace, { ...inventory, workloads }] as const;
    });
    return [name, { ...cluster, namespaces: new Map(namespaces) }] as const;
  });
  return { ...snapshot, clusters: new Map(clusters) };
}

function see(snapshot: Snapshot) {
  const head = snapshot.specs.get(snapshot.main.head);
  if (head === undefined) throw new Error("main does not parse");
  const view = narrowView({ snapshot, head, evaluation: evaluateFleet(snapshot, head) }, {});
  const status = statusOf(snapshot);
  return { status, campaign: pickCampaign(status), view };
}

const cases: readonly {
  readonly name: string;
  readonly change: Parameters<typeof leave>[0];
  readonly want: readonly string[];
}[] = [
  {
    name: "each is listed with its reason, since when, and what to type",
    change: { "team-006": "opted out" },
    want: [
      "stage-use1:team-006/Deployment/api  OptedOut  meshroll get workloads team-006 -o wide",
      'stage-use1:team-012/Deployment/api  OwnerRollout  meshroll converge namespace/team-012 --reason "…"',
    ],
  },
  {
    name: "workloads on the revision that main wants are dealt with",
    change: { "team-006": "migrated" },
    want: ['stage-use1:team-012/Deployment/api  OwnerRollout  meshroll converge namespace/team-012 --reason "…"'],
  },
  {
    name: "failed workloads are counted as failed, and only there",
    change: { "team-006": "failed", "team-012": "failed" },
    want: [],
  },
];

test.each(cases)("workloads that an earlier stage skipped: $name", ({ change, want }) => {
  const { status, campaign, view } = see(leave(change));
  for (const each of [status, campaign])
    expect(each.skipped?.items.map(({ workload, code, command }) => `${workload}  ${code}  ${command}`)).toEqual(want);
  expect([status.skipped?.count, status.skipped?.items.every(({ since }) => since === over.endedAt)]).toEqual([
    want.length,
    true,
  ]);
  expect(listSkipped(view, undefined).rows.map(({ name }) => name)).toEqual(want.map((line) => line.split("  ")[0]));
  expect(listSkipped(view, "run/0123456789ab").rows).toEqual([]);
});

test("status, watch, get failures and get skipped point to workloads that an earlier stage skipped", () => {
  const { status, campaign, view } = see(leave({ "team-006": "opted out" }));
  const texts = [
    printStatus(status, tellAnswers(status), reading),
    printCampaign(campaign, tellAnswers(campaign), reading),
  ].map((text) => text.replaceAll(/\s+/gu, " "));
  for (const text of texts) {
    expect(text).toContain("2 workloads skipped, none of them failed, in 2 namespaces: 1 OptedOut, 1 OwnerRollout");
    expect(text).toContain("meshroll get skipped");
  }
  const frame = drawFrame({ status, campaign }, tellAnswers(campaign), { rows: 40, columns: 120 }, reading, {
    page: "failures",
    offset: 0,
  });
  expect(frame.lines).toContain(
    "• stage-use1:team-006/Deployment/api  the workload has meshroll.dev/opt-out: until the audit",
  );

  const failures = listFailures(view, campaignName);
  expect(failures.rows).toEqual([]);
  expect(printNotes(failures, "human", { env: {} })).toEqual([
    "2 more were skipped without a failure:",
    "  meshroll get skipped istio-1-25",
  ]);
  expect(JSON.parse(printListing(failures, "json", 80) ?? "")).toMatchObject({
    items: [],
    skipped: { count: 2, command: "meshroll get skipped istio-1-25" },
  });
  expect(printListing(listSkipped(view, campaignName), "human", 80)).toBe(
    [
      "NAME                     CLUSTER     REASON        RUN           AGE",
      "team-006/Deployment/api  stage-use1  OptedOut      6d6572676500  25h",
      "team-012/Deployment/api  stage-use1  OwnerRollout  6d6572676500  25h\n",
    ].join("\n"),
  );
});
