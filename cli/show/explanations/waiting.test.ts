import type { FleetStatus, RunRecord, StopRecord, WaitStatus } from "#libs/plan";
import { printText, writeText } from "#libs/wording";
import { makeStop } from "#test/world/build";
import { describe, expect, test } from "vitest";

import type { RunsAnswer, RunsNow } from "../../read/read-runs.ts";
import { findWaiting, printWaiting } from "./waiting.ts";

const run = "0123456789ab";
const subject = { namespace: "shop", revision: "new", bucket: "production" };
const failures = makeStop({
  id: "f",
  scope: `run/${run}`,
  cause: "failures",
  who: "meshroll planner",
  why: "2 failed",
});

function runs(revision: string, change: Partial<RunsNow> = {}): RunsAnswer {
  const workload = { cluster: "one", workload: "Deployment/web", pods: 2, revisions: { [revision]: 2 } };
  return { workloads: [{ ...workload, ...change }], namespaces: [] };
}

/** The open run in a planner's status, with one workload that is pending, or none. */
function see(pending: 0 | 1, ...skipped: readonly string[]): FleetStatus["runs"] {
  const counts = { workloads: pending, migrated: 0, idle: 0, migrating: 0, pending, waiting: 0 };
  const named = skipped.map((workload) => ({ code: "Gateway", message: writeText("x"), cluster: "one", workload }));
  const share = { ...counts, cluster: "one", skipped: named.length, failed: 0 };
  const who = { subject: "half", author: "ana", startedAt: "2026-11-19T12:00:00.000Z" };
  return [{ id: run, ...who, ...counts, skipped: named, skippedTotal: named.length, clusters: [share] }];
}

const failed = {
  revision: "new",
  reason: "ReadinessTimeout",
  at: "",
  isNamespace: false,
  run: { id: run, attempt: 1 },
};
const overwritten = { target: "new", pointers: [] };
const name = "shop/Deployment/web";

function wait(scope: string, text: string): WaitStatus {
  return { scope, code: "X", message: writeText(text), owner: "ana" };
}

describe("what a namespace waits for", () => {
  const waiting = [
    wait("all", "git"),
    wait(`run/${run}`, "its gate"),
    wait(`run/${run}@one`, "its wave"),
    wait(`run/${run}@two`, "the wave of another cluster"),
    wait("run/ffffffffffff", "another run"),
    wait("namespace/cart", "another namespace"),
    wait("bucket/production", "its bucket"),
    wait("campaign/up", "its campaign"),
    wait("campaign/other", "another campaign"),
  ];
  const cases: readonly {
    readonly name: string;
    readonly stops?: readonly StopRecord[];
    readonly status?: Pick<FleetStatus, "runs" | "waiting">;
    readonly openRun?: string;
    readonly revision?: string;
    readonly retried?: RunRecord["retried"];
    readonly workload?: Partial<RunsNow>;
    readonly want: readonly string[] | undefined;
  }[] = [
    {
      name: "what holds its run, its cluster or its bucket",
      status: { runs: see(1), waiting },
      want: ["git", "its gate", "its wave", "its bucket", "its campaign"],
    },
    { name: "nothing where all of it moved", status: { runs: see(1), waiting }, revision: "new", want: undefined },
    { name: "nothing where no run is open on its bucket", openRun: "", want: undefined },
    {
      name: "its turn where nothing holds it",
      status: { runs: see(1, "shop/Deployment/other"), waiting: [] },
      stops: [failures],
      want: [],
    },
    {
      name: "nothing where it failed: it moves only after a retry",
      status: { runs: see(1), waiting },
      workload: { failed },
      want: undefined,
    },
    {
      name: "its turn where it failed and a retry was requested since",
      status: { runs: see(1), waiting: [] },
      workload: { failed },
      retried: { [`one:${name}`]: 1 },
      want: [],
    },
    {
      name: "nothing where another manager took it back",
      status: { runs: see(1), waiting },
      workload: { overwritten },
      want: undefined,
    },
    {
      name: "nothing for an owner that is never moved",
      status: { runs: see(1), waiting },
      workload: { isOther: true },
      want: undefined,
    },
    {
      name: "not its turn where the run skipped it, as a gateway or what was unhealthy before",
      status: { runs: see(1, name), waiting: [] },
      want: undefined,
    },
    {
      name: "not its turn where nothing of the run is pending in its cluster",
      status: { runs: see(0), waiting: [] },
      want: undefined,
    },
    {
      name: "not its turn where the status does not name all that was skipped",
      status: { runs: see(1).map((each) => ({ ...each, skippedTotal: 101 })), waiting: [] },
      want: undefined,
    },
    {
      name: "not its turn where the status does not know the run yet",
      status: { runs: [], waiting: [] },
      want: undefined,
    },
    { name: "without a planner not its turn: the ledger does not know", want: undefined },
    {
      name: "without a planner the pause of its campaign, and none of another",
      stops: ["up", "other"].map((each) =>
        makeStop({ id: each, scope: `campaign/${each}`, cause: "verb", who: "ana", why: `look at ${each}` }),
      ),
      want: ["campaign/up is stopped by ana: look at up"],
    },
    {
      name: "without a planner the stops in the ledger, no holds of proposals",
      stops: [failures, makeStop({ id: "h", scope: "bucket/production", strength: "propose" })],
      want: [`run/${run} is stopped by meshroll planner: 2 failed`],
    },
  ];
  test.each(cases)("$name", ({ stops = [], status, openRun = run, revision = "old", want, retried, workload }) => {
    const source = {
      stops,
      ...(retried === undefined ? {} : { retried: { [run]: retried } }),
      ...(openRun === "" ? {} : { openRun: { id: openRun, campaign: "up" } }),
    };
    const found = findWaiting(source, subject, runs(revision, workload), status);
    expect(found?.waits.map(({ message }) => printText(message))).toEqual(want);
  });
});

test("whose turn it is and what that person can type; the choices of what failed are not repeated", () => {
  const found = findWaiting({ openRun: { id: run }, stops: [failures] }, subject, runs("old"), undefined);
  const print = (isFailed: boolean): string =>
    JSON.stringify(printWaiting(found, { terminal: { env: {} }, tz: "UTC" }, isFailed));
  expect(print(false)).toContain(`  waiting   run/${run} is stopped by meshroll planner: 2 failed (`);
  expect(print(false)).toContain(`meshroll retry run/${run}`);
  expect(print(true)).not.toContain("meshroll retry");
  const turn = printWaiting({ run, waits: [] }, { terminal: { env: {} } }, false);
  expect(turn).toEqual([`  waiting   its turn in the batches of run ${run}`]);
});
