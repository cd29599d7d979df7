import type { FleetStatus } from "#libs/plan";
import { makeStop } from "#test/world/build";
import { type Instant, instantRun, makeInstant, statusOf } from "#test/world/campaigns/campaign-instant";
import { describe, expect, it } from "vitest";

import { listTransitions, type Watched } from "./watch-transitions.ts";

function see(instant: Instant = {}): Watched {
  const status: FleetStatus = statusOf(makeInstant(instant));
  const campaign = status.campaigns?.[0];
  return { status, ...(campaign === undefined ? {} : { campaign }) };
}

function listLines(...of: Parameters<typeof listTransitions>): readonly string[] {
  return listTransitions(...of).map(({ text, command }) => (command === undefined ? text : `${text}  ${command}`));
}

const bake = { beganAt: "", neededMs: 86_400_000, healthyMs: 3_600_000, savedAt: "2026-11-19T11:43:00.000Z" };
const allMigrated = () => "migrated" as const;
const pause = makeStop({ id: "pause-1", scope: `run/${instantRun}`, who: "ana", why: "5xx" });

describe("changes between two statuses", () => {
  it("lists everything at the first status", () => {
    const lines = listLines(undefined, see());
    expect(lines).toContain("stage prod-25 of istio-1-25 is Running");
    expect(lines).toContain(
      "gate restarts: pass 1 of 13 tried workloads failed (7.7 %), 16 not tried: limit 2 %, judged once 50 are tried",
    );
    expect(lines.some((line) => line.startsWith("skipped in prod-use1-a: team-"))).toBe(true);
  });

  it("lists nothing when only figures changed", () => {
    const later = { now: Date.parse("2026-11-19T11:44:00.000Z") };
    expect(listTransitions(see(), see({ snapshot: later }))).toEqual([]);
  });

  const cases: readonly {
    readonly name: string;
    readonly before: Instant;
    readonly after: Instant;
    readonly want: readonly string[];
  }[] = [
    {
      name: "a stage that bakes",
      before: { progress: allMigrated },
      after: { progress: allMigrated, run: { bake } },
      want: ["stage prod-25 of istio-1-25 is Baking"],
    },
    {
      name: "a run that is over",
      before: { progress: allMigrated, run: { bake } },
      after: { progress: allMigrated, run: { state: "done", endedAt: "2026-11-20T11:00:00.000Z" } },
      want: [`run ${instantRun} has ended`, "stage prod-25 of istio-1-25 is Completed"],
    },
    {
      name: "a pause, with its actor, reason and what ends it",
      before: {},
      after: { stops: { [pause.id]: pause } },
      want: [
        "stage prod-25 of istio-1-25 is Held",
        `stop pause-1 on run/${instantRun} by ana: 5xx  meshroll resume run/${instantRun} --reason "…"`,
      ],
    },
    {
      name: "the end of a pause",
      before: { stops: { [pause.id]: pause } },
      after: {},
      want: [`stop pause-1 on run/${instantRun} has ended`, "stage prod-25 of istio-1-25 is Running"],
    },
  ];
  it.each(cases)("$name", ({ before, after, want }) => {
    expect(listLines(see(before), see(after))).toEqual(expect.arrayContaining([...want]));
  });
});
