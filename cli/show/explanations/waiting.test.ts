import type { StopRecord, WaitStatus } from "#libs/plan";
import { printText, writeText } from "#libs/wording";
import { makeStop } from "#test/world/build";
import { describe, expect, test } from "vitest";

import type { RunsAnswer } from "../../read/read-runs.ts";
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

function runs(revision: string): RunsAnswer {
  const workload = { cluster: "one", workload: "Deployment/web", pods: 2, revisions: { [revision]: 2 } };
  return { workloads: [workload], namespaces: [] };
}

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
  ];
  const cases: readonly {
    readonly name: string;
    readonly stops?: readonly StopRecord[];
    readonly status?: { readonly waiting: readonly WaitStatus[] };
    readonly openRun?: string;
    readonly revision?: string;
    readonly want: readonly string[] | undefined;
  }[] = [
    {
      name: "what holds its run, its cluster or its bucket",
      status: { waiting },
      want: ["git", "its gate", "its wave", "its bucket"],
    },
    { name: "nothing where all of it moved", status: { waiting }, revision: "new", want: undefined },
    { name: "nothing where no run is open on its bucket", openRun: "", want: undefined },
    { name: "its turn where nothing holds it", status: { waiting: [] }, stops: [failures], want: [] },
    {
      name: "without a planner the stops in the ledger, no holds of proposals",
      stops: [failures, makeStop({ id: "h", scope: "bucket/production", strength: "propose" })],
      want: [`run/${run} is stopped by meshroll planner: 2 failed`],
    },
  ];
  test.each(cases)("$name", ({ stops = [], status, openRun = run, revision = "old", want }) => {
    const source = { stops, ...(openRun === "" ? {} : { openRun }) };
    const found = findWaiting(source, subject, runs(revision), status);
    expect(found?.waits.map(({ message }) => printText(message))).toEqual(want);
  });
});

test("whose turn it is and what that person can type; the choices of what failed are not repeated", () => {
  const found = findWaiting({ openRun: run, stops: [failures] }, subject, runs("old"), undefined);
  const print = (isFailed: boolean): string =>
    JSON.stringify(printWaiting(found, { terminal: { env: {} }, tz: "UTC" }, isFailed));
  expect(print(false)).toContain(`  waiting   run/${run} is stopped by meshroll planner: 2 failed (`);
  expect(print(false)).toContain(`meshroll retry run/${run}`);
  expect(print(true)).not.toContain("meshroll retry");
  const turn = printWaiting({ run, waits: [] }, { terminal: { env: {} } }, false);
  expect(turn).toEqual([`  waiting   its turn in the batches of run ${run}`]);
});
