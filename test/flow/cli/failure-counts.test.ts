import { evaluateFleet, type Snapshot, tellAnswers } from "#libs/plan";
import { makeStop, noon } from "#test/world/build";
import {
  type Instant,
  instantRun,
  makeInstant,
  over,
  type Progress,
  statusOf,
} from "#test/world/campaigns/campaign-instant";
import { describe, expect, test } from "vitest";

import { listFailures } from "../../../cli/show/rows/get-left-rows.ts";
import { narrowView } from "../../../cli/show/rows/narrow-view.ts";
import { printCampaign } from "../../../cli/show/status/print-campaign.ts";
import { listCampaignCells, printStatus } from "../../../cli/show/status/print-status.ts";
import { drawFrame, type Size } from "../../../cli/watch/watch-frame.ts";
import { pickCampaign } from "../five-answers-words.ts";

const reading = { terminal: { env: {} }, tz: "UTC" };
const sizes: readonly Size[] = [
  { rows: 24, columns: 80 },
  { rows: 40, columns: 120 },
];
const name = "istio-1-25";

/** The run's first `count` workloads of the first two clusters failed; their others migrated. */
function failFirst(count: number): Progress {
  return (cluster, index) => {
    const at = { "stage-use1": 0, "prod-use1-a": 5 }[cluster];
    return at !== undefined && index < Math.min(5, count - at) ? "failed" : "migrated";
  };
}

const stop = (change: Partial<Parameters<typeof makeStop>[0]> = {}) =>
  makeStop({
    id: `failures-${instantRun}-1`,
    scope: `run/${instantRun}`,
    cause: "failures",
    who: "meshroll planner",
    ...change,
  });
const resume = { at: "2026-11-19T11:30:00.000Z", who: "ana", why: "known" };

/** Names of the failed workloads as in the stop's record. */
function nameFailed(snapshot: Snapshot): readonly string[] {
  return [...snapshot.clusters.values()].flatMap((cluster) =>
    [...cluster.namespaces.values()].flatMap(({ workloads }) =>
      workloads.flatMap((each) =>
        "meshroll.dev/failed" in each.annotations ? [`${cluster.name}:${each.namespace}/Deployment/api`] : [],
      ),
    ),
  );
}

const named = (count: number) => nameFailed(makeInstant({ progress: failFirst(count) }));
const instant = (count: number, change: Instant = {}) => makeInstant({ progress: failFirst(count), ...change });

/** One stage, from its first failure until after its end. */
const walk: Readonly<
  Record<string, { readonly snapshot: Snapshot; readonly failed: number; readonly counted?: number }>
> = {
  "the first failure": { snapshot: instant(1), failed: 1, counted: 1 },
  "what was still moving fails after the stop": {
    snapshot: instant(8, { stops: { f: stop({ failures: named(3) }) } }),
    failed: 8,
    counted: 8,
  },
  "resumed: all of them were seen": {
    snapshot: instant(8, { stops: { f: stop({ failures: named(8), resume }) } }),
    failed: 8,
    counted: 0,
  },
  "rolled back at once": {
    snapshot: instant(8, {
      stops: {
        r: stop({
          id: "r",
          cause: "rollback",
          now: true,
          revertTo: makeInstant().ledger?.runs[instantRun]?.before ?? "",
          at: resume.at,
        }),
      },
    }),
    failed: 0,
  },
  "the run is over": {
    snapshot: instant(8, { run: { ...over, outcome: { migrated: 21, skipped: [], seen: [] } } }),
    failed: 8,
  },
};

function see({ snapshot }: { readonly snapshot: Snapshot }) {
  const status = statusOf(snapshot);
  const head = snapshot.specs.get(snapshot.main.head);
  if (head === undefined) throw new Error("main does not parse");
  const view = narrowView({ snapshot, head, evaluation: evaluateFleet(snapshot, head) }, {});
  return { status, campaign: pickCampaign(status), view };
}

/** Numbers in front of the word, as in `3 failed` or `3 workloads failed`; `3 of 20 tried` is a gate's ratio. */
function readCounts(text: string): readonly number[] {
  return [...text.replaceAll(/\s+/gu, " ").matchAll(/(?<!of |\d)(\d+)(?: workloads?)? failed/gu)].map(([, count]) =>
    Number(count),
  );
}

describe("every surface shows the same number of failures", () => {
  describe.each(Object.entries(walk))("%s", (_, { snapshot, failed, counted }) => {
    const { status, campaign, view } = see({ snapshot });

    test("JSON: of the campaign, of the fleet, and against the limit", () => {
      expect([campaign.failures.count, status.failures?.count]).toEqual([failed, failed]);
      expect(campaign.failures.items).toHaveLength(failed);
      expect(campaign.failures.namespaces).toBe(failed);
      expect(campaign.failures.counted).toBe(counted ?? 0);
    });

    test("get failures, of all and of the campaign", () => {
      for (const subject of [undefined, name]) expect(listFailures(view, subject).rows).toHaveLength(failed);
    });

    test("get campaigns and the table of status", () => {
      expect(listCampaignCells(campaign, reading)[6]).toBe(String(failed));
    });

    test("status of the campaign and of the fleet", () => {
      for (const text of [
        printCampaign(campaign, tellAnswers(campaign), reading),
        printStatus(status, tellAnswers(status), reading),
      ]) {
        expect(new Set(readCounts(text))).toEqual(new Set(failed === 0 ? [] : [failed]));
        expect(text.split("✖").length - 1).toBeLessThanOrEqual(failed + 1);
      }
    });

    test.each(sizes)("watch at $columns x $rows", (size) => {
      for (const watched of [{ status }, { status, campaign }]) {
        const heads = drawFrame(watched, tellAnswers(campaign), size, reading).lines.filter(
          (line) => !/^[├└]/u.test(line),
        );
        expect(new Set(readCounts(heads.join("\n")))).toEqual(new Set(failed === 0 ? [] : [failed]));
        const whole = { ...size, rows: 100 };
        const page = drawFrame(watched, tellAnswers(campaign), whole, reading, { page: "failures", offset: 0 });
        expect(page.lines.filter((line) => line.startsWith("✖"))).toHaveLength(failed);
      }
    });
  });

  test("5 failures stay visible while a later stage runs, until they are dealt with", () => {
    const later = instant(8, { run: over, snapshot: { now: noon + 86_400_000 } });
    const { campaign, view } = see({ snapshot: later });
    expect(campaign.runs).toEqual([]);
    expect(campaign.failures.count).toBe(8);
    expect(printCampaign(campaign, tellAnswers(campaign), reading)).toContain(`meshroll get failures ${name}`);
    expect(listFailures(view, `run/${instantRun}`).rows).toHaveLength(8);
  });
});
