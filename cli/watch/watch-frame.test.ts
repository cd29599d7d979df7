import { type CampaignStatus, type FleetStatus, tellAnswers } from "#libs/plan";
import { writeText } from "#libs/wording";
import { makeInstant, statusOf } from "#test/world/campaigns/campaign-instant";
import { describe, expect, it } from "vitest";

import type { Key } from "./keys.ts";
import { drawFrame, type Size } from "./watch-frame.ts";
import { answersOf } from "#test/world/words";
import { firstView, pressKey, type View } from "./watch-view.ts";

const reading = { terminal: { env: {} }, tz: "UTC" };

function draw(
  status: FleetStatus,
  campaign: CampaignStatus | undefined,
  size: Size,
  { plain = false, view = firstView }: { readonly plain?: boolean; readonly view?: View } = {},
): readonly string[] {
  const watched = campaign === undefined ? { status } : { status, campaign };
  const { lines, foot } = drawFrame(watched, tellAnswers(campaign ?? status), size, { ...reading, plain }, view);
  return [...lines, foot];
}

const status = statusOf(makeInstant());
const campaign = status.campaigns?.[0];

/** Forty clusters with 250 workloads each, half of them skipped with a reason: 10,000 in all. */
function makeHuge(): FleetStatus {
  const clusters = Array.from({ length: 40 }, (_, index) => ({
    cluster: `prod-region-with-a-long-name-${index}`,
    workloads: 250,
    migrated: 100,
    idle: 0,
    migrating: 5,
    pending: 20,
    waiting: 0,
    skipped: 125,
    failed: 125,
  }));
  const skipped = clusters.flatMap(({ cluster }) =>
    Array.from({ length: 3 }, (_, at) => ({
      cluster,
      workload: `team-${at}/Deployment/${"x".repeat(60)}`,
      code: "ReadinessTimeout",
      message: writeText("ReadinessTimeout"),
    })),
  );
  const [run] = status.runs;
  if (run === undefined) throw new Error("no run is open");
  return {
    ...status,
    runs: Array.from({ length: 9 }, (_, at) => ({
      ...run,
      id: `${at}`.repeat(12),
      clusters,
      skipped,
      skippedTotal: 5000,
    })),
  };
}

const ends: readonly {
  readonly name: string;
  readonly skipped: number;
  readonly failed: number;
  readonly want: string;
}[] = [
  { name: "all workloads moved", skipped: 0, failed: 0, want: "✔ done" },
  { name: "its one workload was skipped", skipped: 1, failed: 0, want: "• nothing left to move, 1 skipped" },
  { name: "some failed", skipped: 2, failed: 2, want: "✖ nothing left to move, 2 failed" },
  {
    name: "some failed, some were skipped",
    skipped: 3,
    failed: 2,
    want: "✖ nothing left to move, 2 failed, 1 skipped",
  },
];

it.each(ends)("a cluster in which nothing is left, where $name", ({ skipped, failed, want }) => {
  const runs = status.runs.map((run) => ({
    ...run,
    clusters: run.clusters.map((share) => ({ ...share, migrating: 0, pending: 0, waiting: 0, skipped, failed })),
  }));
  const line = draw({ ...status, runs }, undefined, { rows: 40, columns: 120 }).find((each) =>
    each.includes("stage-use1"),
  );
  expect(line).toMatch(new RegExp(`  ${want}$`, "u"));
});

describe("the picture of a watch", () => {
  it("shows stage, clusters, failures and the answers", () => {
    expect(draw(status, campaign, { rows: 24, columns: 80 })).toEqual([
      "istio-1-25  stage 5/8 prod-25  ◌ InProgress, 1 failed",
      "run 6d6572676500  12/29  ████████░░░░░░░░░░░░  41 %, 1 skipped, 1 failed",
      "├─ stage-use1           6/6  ✔ done",
      "├─ prod-use1-a          4/5  ✖ nothing left to move, 1 failed",
      "│   ✖ team-043/Deployment/api  ReadinessTimeout at 2026-11-19 10:31:00 UTC",
      "├─ prod-use1-b          1/3  ◌ batch 1/1 2 restarting  team-020/Deployment/api",
      "├─ prod-usw2-a          1/5  ◌ batch 1/1 4 restarting  team-015/Deployment/api",
      "├─ prod-euw1-a          0/6  ◷ WaveClosed, 6 pending",
      "└─ prod-apne1-a         0/4  ◷ WaveClosed, 4 pending",
      "where      production: requested 25 %, actual 14.2 % (17 of 120) (and 3 more)",
      "waiting    the wave of prod-euw1-a is not open yet (meshroll) (and 1 more)",
      "next       16 workloads left, in batches, at this pace until about 2026-11-19 1…",
      'stop       meshroll pause istio-1-25 --reason "…"',
      'undo       meshroll rollback run/6d6572676500 --reason "…"',
      "j/k scroll  f failures  n namespaces  ? keys  q quits; the rollout continues",
    ]);
  });

  const sizes: readonly Size[] = [
    { rows: 24, columns: 80 },
    { rows: 10, columns: 40 },
    { rows: 3, columns: 20 },
    { rows: 1, columns: 10 },
    { rows: 60, columns: 200 },
  ];
  it.each(sizes)("with 10,000 workloads it fits $rows rows and $columns columns", (size) => {
    for (const watched of [undefined, campaign]) {
      for (const plain of [false, true]) {
        const lines = draw(makeHuge(), watched, size, { plain });
        expect(lines.length).toBeLessThanOrEqual(Math.max(1, size.rows - 1));
        expect(Math.max(...lines.map((line) => Array.from(line).length))).toBeLessThanOrEqual(size.columns);
      }
    }
  });

  it("says how much it left out", () => {
    expect(draw(makeHuge(), undefined, { rows: 24, columns: 80 }).join("\n")).toMatch(/… \d+ more lines/u);
  });

  const page = (key: Key) => draw(status, campaign, { rows: 24, columns: 80 }, { view: pressKey(firstView, key) });
  it("f shows what failed, n what moves, ? the keys; the answers stay", () => {
    expect(page("failures")[1]).toMatch(/^✖ prod-use1-a:team-043\/Deployment\/api {2}ReadinessTimeout/u);
    expect(page("namespaces")).toContain("prod-use1-b team-020  1 restarting");
    expect(page("keys").join("\n")).toContain("No key changes anything");
    for (const key of ["failures", "namespaces", "keys"] as const) {
      expect(page(key).join("\n")).toContain('meshroll pause istio-1-25 --reason "…"');
      expect(pressKey(pressKey(firstView, key), key)).toEqual(firstView);
      expect(pressKey(pressKey(firstView, key), "back")).toEqual(firstView);
    }
  });

  it("a list that is taller than the screen scrolls up to its end", () => {
    const size = { rows: 24, columns: 80 };
    const down = draw(makeHuge(), undefined, size, { view: pressKey(firstView, "pageDown") });
    expect(down.join("\n")).toMatch(/… 8 lines above/u);
    const end = draw(makeHuge(), undefined, size, { view: pressKey(firstView, "bottom") });
    expect(end.join("\n")).not.toMatch(/more lines\n/u);
    expect(end).toHaveLength(23);
  });

  it("shows the full answers where there is room, with commands", () => {
    const text = draw({ ...status, runs: [] }, campaign, { rows: 60, columns: 80 }).join("\n");
    for (const { text: told } of answersOf(campaign ?? status).waiting) {
      expect(text.replaceAll(/\s+/gu, " ")).toContain(told.replaceAll(/\s+/gu, " "));
    }
  });

  it("has only ASCII with --plain", () => {
    expect(draw(status, campaign, { rows: 24, columns: 80 }, { plain: true }).join("\n")).toMatch(/^[\n -~]*$/u);
  });
});
