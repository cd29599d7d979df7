import { type FleetStatus, tellAnswers } from "#libs/plan";
import { writeText } from "#libs/wording";
import { describe, expect, it } from "vitest";

import type { Reading } from "../../options/reading-options.ts";
import { printStatus } from "./print-status.ts";

const long =
  "a sentence that goes on and on, as the messages of planners do when they name everything that they wait for";
const cluster: FleetStatus["clusters"][number] = {
  name: "prod",
  mode: "act",
  fresh: true,
  ageSeconds: 3,
  namespaces: 1019,
  workloads: 2521,
  unmanaged: 12,
  rolling: 10,
  unhealthy: 55,
  drift: 0,
  problems: [long],
};
const stop: FleetStatus["stops"][number] = {
  id: "pause-1a2b3c4d",
  scope: "run/8abdbc074a6d",
  strength: "move",
  cause: "verb",
  who: "ana",
  why: "5xx on listings, INC-9921",
  from: "ledger",
  overdue: false,
  command: 'meshroll resume run/8abdbc074a6d --reason "…"',
};

function makeStatus(change: Partial<FleetStatus> = {}): FleetStatus {
  return {
    apiVersion: "meshroll.dev/v1",
    kind: "FleetStatus",
    at: "2026-11-19T11:43:00.000Z",
    main: { head: "8abdbc074a6d".padEnd(40, "0"), ageSeconds: 2 },
    state: "InProgress",
    where: [
      {
        bucket: "production",
        namespaces: 620,
        shares: [{ revision: "1-25-2", requested: 25, namespaces: 85, actual: 13.7 }],
        mixed: 2,
      },
    ],
    rollouts: [
      {
        cluster: "prod",
        run: "8abdbc074a6d",
        workloads: Array.from({ length: 9 }, (_, n) => `payments-${n}/Deployment/api`),
      },
    ],
    waiting: [
      {
        scope: "all",
        code: "X",
        message: writeText(long),
        owner: "the executor",
        command: "git fetch origin && git x",
      },
    ],
    next: [{ event: "Nothing", text: writeText(long) }],
    stop: { command: 'meshroll pause all --reason "…"', effect: writeText(long) },
    undo: { command: 'meshroll rollback run/8abdbc074a6d --reason "…"', effect: writeText(long) },
    runs: [
      {
        id: "8abdbc074a6d",
        subject: long,
        author: "ana",
        startedAt: "2026-11-19T11:00:00.000Z",
        workloads: 355,
        migrated: 150,
        idle: 0,
        migrating: 10,
        pending: 190,
        waiting: 0,
        skipped: [
          {
            cluster: "prod",
            workload: "tax-search/Deployment/search",
            code: "ReadinessTimeout",
            message: writeText("ReadinessTimeout"),
            at: "2026-11-19T11:42:00.000Z",
          },
        ],
        skippedTotal: 5,
        clusters: [],
      },
    ],
    clusters: [cluster, { ...cluster, name: "a".repeat(63) }],
    stops: [],
    ...change,
  };
}

const reading: Reading = { terminal: { env: {} }, tz: "UTC" };

function print(status: FleetStatus, change: Partial<Reading> = {}): string {
  return printStatus(status, tellAnswers(status), { ...reading, ...change });
}

describe("status for people", () => {
  it("fits 80 columns with any text", () => {
    const text = print(makeStatus({ stops: [{ ...stop, why: long }] }), { width: 80 });
    expect(text.split("\n").filter((line) => Array.from(line).length > 80)).toEqual([]);
    for (const word of long.split(" ")) expect(text).toContain(word);
  });

  const patient = {
    cluster: "prod",
    workload: "shop/Deployment/web",
    code: "UnhealthyBefore",
    message: writeText("UnhealthyBefore: it was"),
  };
  const failed = { ...patient, workload: "tax/Deployment/api", reason: "ReadinessTimeout", failed: true as const };
  const looks: readonly { readonly plain: boolean; readonly want: readonly string[] }[] = [
    { plain: true, want: ["FAILED prod tax/Deployment/api", "skipped prod shop/Deployment/web"] },
    { plain: false, want: ["✖ prod tax/Deployment/api", "• prod shop/Deployment/web"] },
  ];
  it.each(looks)("does not call a skipped workload failed (plain: $plain)", ({ plain, want }) => {
    const [run] = makeStatus().runs;
    if (run === undefined) throw new Error("no run is open");
    const text = print(makeStatus({ runs: [{ ...run, skipped: [patient, failed], skippedTotal: 2 }] }), { plain });
    const lines = text.split("\n").filter((line) => line.includes("/Deployment/") && !line.includes("payments"));
    expect(lines.map((line) => line.trim().split("  ")[0])).toEqual(want);
  });

  it("does not mention stops if none is in force", () => {
    expect(print(makeStatus())).not.toContain("stopped ");
  });

  const cases: readonly {
    readonly name: string;
    readonly change: Partial<typeof stop>;
    readonly want: readonly string[];
  }[] = [
    {
      name: "a pause, with what ends it",
      change: {},
      want: [
        "stopped    pause on run/8abdbc074a6d  pause-1a2b3c4d, by ana",
        "5xx on listings",
        'meshroll resume run/8abdbc074a6d --reason "…"',
      ],
    },
    {
      name: "an overdue pause asks its owner",
      change: { until: "2026-11-19T11:00:00.000Z", overdue: true },
      want: ["! overdue since 2026-11-19", "ana is reminded"],
    },
    { name: "a pause with an end", change: { until: "2026-11-19T15:00:00.000Z" }, want: ["until 2026-11-19"] },
    {
      name: "a hold on a pattern that a shell would read",
      change: { strength: "propose", scope: "bucket/.*-staging", command: "meshroll unhold 'bucket/.*-staging'" },
      want: ["hold on bucket/.*-staging", "meshroll unhold 'bucket/.*-staging'"],
    },
    {
      name: "a rollback's hold",
      change: { cause: "rolledBack", scope: "bucket/x", rollbackOf: "0123456789ab" },
      want: ["hold on bucket/x", "since run 0123456789ab", "rolled it back"],
    },
    { name: "a rollback", change: { cause: "rollback" }, want: ["rollback on run/8abdbc074a6d"] },
  ];
  it.each(cases)("7.1 $name", ({ change, want }) => {
    const text = print(makeStatus({ stops: [{ ...stop, ...change }] }));
    for (const part of want) expect(text).toContain(part);
  });

  it("shows a stop once, at the wait that it causes", () => {
    const waiting = [
      { scope: "all", code: "Stopped", message: writeText("stopped by ana: 5xx"), owner: "ana", command: stop.command },
    ];
    const text = print(makeStatus({ stops: [stop], waiting }));
    expect(text.split(stop.command)).toHaveLength(2);
    expect(text).not.toContain("stopped    ");
  });

  it("is only ASCII with --plain", () => {
    expect(print(makeStatus({ stops: [stop] }), { plain: true })).toMatch(/^[\n -~]*$/u);
  });

  it("prints commands as the program was called", () => {
    const text = print(makeStatus(), { terminal: { env: { npm_command: "exec" } } });
    expect(text).toContain('npx meshroll pause all --reason "…"');
    expect(text).not.toMatch(/(?<!npx )meshroll (?:pause|rollback)/u);
  });

  it("shows the fleet's page, where it can be opened", () => {
    expect(print(makeStatus({ page: "https://meshroll.example.com" }))).toContain(
      "\npage https://meshroll.example.com/\n",
    );
    for (const status of [makeStatus(), makeStatus({ page: "javascript:alert(1)" })])
      expect(print(status)).not.toContain("\npage ");
  });

  it("says that the planner is silent, and for how long", () => {
    expect(print(makeStatus({ wroteAt: Date.now() - 600_000 }))).toMatch(/^! no planner has written for 10 min/);
  });
});
