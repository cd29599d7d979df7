import {
  type CampaignStatus,
  describeSail,
  evaluateFleet,
  type FleetStatus,
  type RunRecord,
  type Snapshot,
  tellAnswers,
} from "#libs/plan";
import { renderStagePull } from "#libs/wording";
import fc from "fast-check";
import { expect, test } from "vitest";

import { listRuns } from "../../../cli/show/rows/get-run-rows.ts";
import { listCampaignCells, printStatus } from "../../../cli/show/status/print-status.ts";
import { drawFrame } from "../../../cli/watch/watch-frame.ts";
import { createPlainLines } from "../../../sandbox/demo/display/plain-lines.ts";
import { printEnding } from "../../../sandbox/demo/ending/print-ending.ts";
import { renderComment } from "../../../services/notifier/render/github/comment.ts";
import { renderDashboard } from "../../../services/notifier/render/github/dashboard.ts";
import { renderRunDone } from "../../../services/notifier/render/slack/run-done.ts";
import { renderRunRoot } from "../../../services/notifier/render/slack/run-root.ts";
import { describeTransition } from "../../../services/planner/notifications/describe-transition.ts";
import { findEvidence } from "../../../libs/plan/proposals/stage-facts/evidence.ts";
import { runId } from "../build.ts";
import { statusOf } from "../campaigns/campaign-instant.ts";
import { endRun, fleets, openRun, proposeRun } from "./random-run.ts";
import { addParts, countOwn, find, read, readEnd, readTried, sum } from "./read-numbers.ts";

type Run = FleetStatus["runs"][number];

const reading = { terminal: { env: {} }, tz: "UTC", plain: true } as const;
const runs = { numRuns: 60 };

function findRun({ runs: all }: FleetStatus): Run {
  const run = all.find(({ id }) => id === runId);
  if (run === undefined) throw new Error("no run is open");
  return run;
}

function findCampaign({ campaigns = [] }: FleetStatus): CampaignStatus {
  const [campaign] = campaigns;
  if (campaign === undefined) throw new Error("the status names no campaign");
  return campaign;
}

function sumClasses(
  run: Pick<Run, "migrated" | "idle" | "migrating" | "pending" | "waiting">,
  skipped: number,
): number {
  return run.migrated + run.idle + run.migrating + run.pending + run.waiting + skipped;
}

/** A status in which the run has a workload, with the run. */
function see(snapshot: Snapshot): { readonly status: FleetStatus; readonly run: Run } {
  const status = statusOf(snapshot);
  const run = findRun(status);
  fc.pre(run.workloads > 0);
  return { status, run };
}

test("what a pull request says is what plan counts, and what its list names", () => {
  fc.assert(
    fc.property(fleets, (fleet) => {
      const proposed = proposeRun(fleet);
      fc.pre(proposed !== undefined);
      const { proposal, words, list } = proposed;
      const { counts } = proposal;
      const { body } = renderStagePull(words);
      expect(list.split("\n").length - 1).toBe(counts.listed);
      expect(proposal.clusters.reduce((sum, { workloads }) => sum + workloads, 0)).toBe(counts.listed);
      expect(counts.workloads).toBe(counts.listed + counts.migrated + counts.skipped);
      const text = typeof body === "string" ? body : JSON.stringify(body);
      expect(read(text, /\*\*all\*\* \| \*\*[\d,]+ distinct\*\* \| \*\*([\d,]+)\*\*/u)).toEqual([counts.listed]);
      const isMore = counts.workloads > counts.listed;
      const size = /Its run counts ([\d,]+) workloads?: ([\d,]+) listed/u;
      expect(find(text, size)).toEqual(isMore ? [counts.workloads, counts.listed] : undefined);
    }),
    runs,
  );
});

test("a merge that nothing follows leaves the run what its pull request said", () => {
  fc.assert(
    fc.property(fleets, (fleet) => {
      const still = fleet.map((sketches) =>
        sketches.map(({ namespace, was }) => ({ namespace, was, became: "pending" as const })),
      );
      const proposed = proposeRun(still);
      fc.pre(proposed !== undefined);
      const { counts } = proposed.proposal;
      const { run } = see(openRun(still, proposed.list));
      const { leftover = 0, listed } = run;
      expect(listed).toBe(counts.listed);
      expect(run.workloads - leftover).toBe(counts.workloads);
      expect(run.pending + run.waiting + run.migrating - leftover).toBe(counts.listed);
    }),
    runs,
  );
});

test("every surface says the same of an open run", () => {
  fc.assert(
    fc.property(fleets, (fleet) => {
      const snapshot = openRun(fleet, proposeRun(fleet)?.list ?? "");
      const { status, run } = see(snapshot);
      const { workloads, migrated, idle, migrating, pending, waiting, skippedTotal: skipped } = run;
      const campaign = findCampaign(status);
      expect(sumClasses(run, skipped)).toBe(workloads);
      for (const share of run.clusters) expect(sumClasses(share, share.skipped)).toBe(share.workloads);
      const add = (key: "workloads" | "migrated" | "idle" | "skipped" | "failed") =>
        run.clusters.reduce((total, share) => total + share[key], 0);
      expect([add("workloads"), add("migrated"), add("idle"), add("skipped")]).toEqual([
        workloads,
        migrated,
        idle,
        skipped,
      ]);
      expect(campaign.counts).toMatchObject({ workloads, migrated, idle, migrating, pending, waiting, skipped });
      const failed = add("failed");

      const done = `${migrated}/${workloads}`;
      const text = printStatus(status, tellAnswers(status), reading);
      const line =
        text
          .split("\n\n")
          .find((part) => part.includes(`run ${runId}`))
          ?.replaceAll(/\s+/gu, " ") ?? "";
      const open =
        /(\d+)\/(\d+) migrated,(?: (\d+) idle,)? (\d+) migrating, (\d+) pending, (\d+) waiting, (\d+) skipped(?: \((\d+) failed\))?/u;
      expect(read(line, open)).toEqual([migrated, workloads, idle, migrating, pending, waiting, skipped, failed]);
      expect(listCampaignCells(campaign, reading)[5]).toBe(done);
      expect(
        listRuns(snapshot.ledger, status, undefined)
          .rows.find(({ name }) => name === runId)
          ?.cells.slice(4, 6),
      ).toEqual([done, String(skipped)]);
      expect(
        listRuns(undefined, status, undefined)
          .rows.find(({ name }) => name === runId)
          ?.cells.slice(4, 6),
      ).toEqual([done, String(skipped)]);
      const watched = drawFrame({ status }, tellAnswers(status), { rows: 200, columns: 200 }, reading).lines.join("\n");
      expect(read(watched, new RegExp(`run ${runId} +(\\d+)/(\\d+)`, "u"))).toEqual([migrated, workloads]);

      const report = { facts: { id: runId }, run, status };
      expect(read(renderRunRoot(report).text, /(\d+) of (\d+) workloads/u)).toEqual([migrated, workloads]);
      expect(read(renderComment(report), /\*\*(\d+) of (\d+)\*\* workloads/u)).toEqual([migrated, workloads]);
      expect(read(renderDashboard(status), /: (\d+) of (\d+) workloads/u)).toEqual([migrated, workloads]);
      const lines: string[] = [];
      createPlainLines({ write: (said: string) => lines.push(said) > 0 }, { monotonic: () => 0 }).showStatus(status);
      expect(read(lines.join(""), /(\d+)\/(\d+) migrated, (\d+) migrating, (\d+) skipped/u)).toEqual([
        migrated,
        workloads,
        migrating,
        skipped,
      ]);
    }),
    runs,
  );
});

test("a person can add up what a run counts, what its gate tried, and what was skipped or failed", () => {
  let earlier = 0;
  fc.assert(
    fc.property(fleets, (fleet) => {
      const snapshot = openRun(fleet, proposeRun(fleet)?.list ?? "");
      const { status, run } = see(snapshot);
      const { workloads, migrated, skippedTotal, listed } = run;
      const failed = sum(run.clusters.map((share) => share.failed));
      const text = printStatus(status, tellAnswers(status), reading).replaceAll(/\s+/gu, " ");
      const isListed = listed === workloads && run.leftover === undefined;
      expect(addParts(text)).toBe(isListed ? undefined : workloads);
      if (status.skipped?.earlier !== undefined) earlier += 1;
      const campaign = findCampaign(status);
      const tried = migrated + failed;
      expect(readTried(campaign)).toEqual(tried === 0 ? undefined : [failed, tried, workloads - tried]);
      expect([status, campaign].map(countOwn)).toEqual([
        [failed, skippedTotal - failed],
        [failed, skippedTotal - failed],
      ]);
    }),
    runs,
  );
  expect(earlier).toBeGreaterThan(5);
});

test("Sail's totals are the run's without those that have no pods and those that were skipped without a failure", () => {
  fc.assert(
    fc.property(fleets, (fleet) => {
      const snapshot = openRun(fleet, proposeRun(fleet)?.list ?? "");
      const { run } = see(snapshot);
      const head = snapshot.specs.get(snapshot.main.head);
      if (head === undefined) throw new Error("main does not parse");
      const sail = describeSail(snapshot, head, evaluateFleet(snapshot, head));
      for (const { cluster, workloads, migrated, idle, skipped, failed } of run.clusters) {
        const found = sail.find((each) => each.cluster === cluster)?.status.workloadMigration;
        expect(found).toMatchObject({
          totalWorkloads: workloads - idle - (skipped - failed),
          migratedWorkloads: migrated,
          failedWorkloads: failed,
        });
      }
    }),
    runs,
  );
});

/** The run with what its end is told with. */
function tellEnd(snapshot: Snapshot, record: RunRecord): string {
  const { ledger } = snapshot;
  if (ledger === undefined) throw new Error("no ledger");
  const change = { main: ledger.main, sequence: 2, runs: [{ run: record, steps: [{ kind: "ended" as const }] }] };
  const done = describeTransition({ ...snapshot, ledger }, change).find((event) => event.type === "run.v1.done");
  if (done === undefined) throw new Error("no message of the end");
  return renderRunDone(done.data, done.at).text;
}

test("the end of a run keeps its classes: their sum is the total before it", () => {
  let [ended, named] = [0, 0];
  fc.assert(
    fc.property(fleets, (fleet) => {
      const snapshot = openRun(fleet, proposeRun(fleet)?.list ?? "", true);
      const { run } = see(snapshot);
      const record = endRun(snapshot);
      fc.pre(record !== undefined && run.migrating + run.pending + run.waiting === 0);
      ended += 1;
      if (record.outcome?.earlier !== undefined) named += 1;
      const { workloads, migrated, idle, skippedTotal: skipped } = run;
      const [row] = listRuns({ ...snapshot.ledger!, runs: { [record.id]: record } }, undefined, undefined).rows;
      expect(row?.cells.slice(4, 6)).toEqual([`${migrated}/${workloads}`, String(skipped)]);
      const evidence = findEvidence({ ...snapshot.ledger!, runs: { [record.id]: record } }, findCampaignOf(snapshot));
      expect(evidence).toMatchObject({ migrated, idle, skipped });
      const nothing = {
        held: [],
        stopped: {},
        brokenBefore: [],
        writes: 0,
        clusters: 1,
        violations: [],
        notJudged: [],
      };
      const ending = printEnding({
        ...nothing,
        runs: [record],
        rules: 1,
        told: { messages: 0, comments: 0 },
        tookMs: 0,
      });
      expect(read(ending, /(\d+)\/(\d+) migrated, (\d+) skipped/u)).toEqual([migrated, workloads, skipped]);
      const slack = tellEnd(snapshot, record);
      expect(readEnd(slack)).toEqual([migrated, idle, skipped]);
    }),
    runs,
  );
  // Some ends have skipped workloads that an earlier stage left over.
  expect([ended > 20, named > 5]).toEqual([true, true]);
});

function findCampaignOf(snapshot: Snapshot) {
  const campaign = snapshot.specs.get(snapshot.main.head)?.campaigns.get("up");
  if (campaign === undefined) throw new Error("main has no campaign");
  return campaign;
}
