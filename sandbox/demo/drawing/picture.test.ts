import { writeText } from "#libs/wording";

import fc from "fast-check";
import { expect, test } from "vitest";

import { drawPicture } from "./picture.ts";
import type { PictureFacts } from "../story/step.ts";
import { nameChapter, suggestSteps } from "../story/story.ts";
import { makeComing } from "#test/world/words";
import { makeCampaign, makePull, makeStatus, run, share, untouched } from "../test-status.ts";

const terminal = { columns: 80, rows: 24 };
const id = "a17ecec1ed5f";
const undo = { command: `meshroll rollback run/${id} --reason "…"`, effect: writeText("moves them back") };

function makeContext(status: PictureFacts["status"], notes: readonly string[] = []): PictureFacts {
  const next =
    status === undefined ? [] : suggestSteps(nameChapter(status, { isProposed: true }), status, "ana/istio-1-25");
  return { status, next, notes: notes.map((text) => ({ at: "2026-11-21T15:14:00.000Z", text })) };
}

const migrating = makeStatus({
  campaigns: [makeCampaign()],
  state: "InProgress",
  runs: [
    run([
      share("stage-use1", 65, { migrated: 23, migrating: 8 }),
      share("prod-use1-a", 39, { migrated: 24 }),
      share("prod-use1-b", 41, { migrated: 16, migrating: 1 }),
      share("prod-usw2-a", 21, { migrated: 16, waiting: 5 }),
      share("prod-euw1-a", 30),
      share("prod-apne1-a", 18, { migrated: 17, skipped: 1 }),
    ]),
  ],
  rollouts: [
    {
      cluster: "stage-use1",
      run: id,
      workloads: ["ux-ingest-staging/Deployment/app", "ux-ingest-staging/Deployment/worker"],
    },
    { cluster: "prod-use1-b", run: id, workloads: ["tax-rank-staging/StatefulSet/cache"] },
  ],
  waiting: [
    {
      scope: `run/${id}@stage-use1`,
      code: "BudgetAllowsNothing",
      message: writeText("1 in stage-use1 waits"),
      owner: "their owners",
    },
    {
      scope: `run/${id}@stage-use1`,
      code: "BatchInHand",
      message: writeText(`a batch of run ${id} is in hand`),
      owner: "the executor",
    },
    {
      scope: `run/${id}@prod-use1-a`,
      code: "DelayBetweenBatches",
      message: writeText("the next batch in prod-use1-a starts after the delay"),
      owner: "meshroll",
      until: "2026-11-21T15:23:00.000Z",
    },
    { scope: `run/${id}@prod-usw2-a`, code: "SomethingNew", message: writeText("an unknown wait"), owner: "ben" },
  ],
  next: makeComing({ code: "FleetBatches", left: 118 }),
  undo,
});

const why = "too many failed (failurePolicy FailFast), first: prod-euw1-a:ledger-rank-staging/Deployment/worker";
const stopped = makeStatus({
  ...migrating,
  campaigns: [],
  state: "Failed",
  rollouts: [],
  runs: [
    run(
      [
        share("stage-use1", 65, { migrated: 32, skipped: 1 }),
        share("prod-use1-a", 39, { migrated: 39 }),
        share("prod-euw1-a", 30, { migrated: 8, skipped: 8, failed: 8 }),
      ],
      [
        {
          cluster: "stage-use1",
          workload: "host-web-staging/Deployment/app",
          code: "BudgetAllowsNothing",
          message: writeText("its PodDisruptionBudget"),
        },
        {
          cluster: "prod-euw1-a",
          workload: "ledger-rank-staging/Deployment/worker",
          code: "ReadinessTimeout",
          message: writeText("ReadinessTimeout"),
          failed: true,
        },
      ],
    ),
  ],
  waiting: [
    {
      scope: `run/${id}@stage-use1`,
      code: "Stopped",
      message: writeText(`run/${id} is stopped by meshroll planner: ${why}`),
      owner: "meshroll planner",
      command: `meshroll resume run/${id} --reason "…"`,
    },
  ],
  next: [{ event: "Nothing", text: writeText(`nothing: run/${id} is stopped by meshroll planner: ${why}`) }],
  stops: [
    {
      id: `failures-${id}-1`,
      scope: `run/${id}`,
      strength: "move",
      cause: "failures",
      who: "meshroll planner",
      why,
      from: "ledger",
      overdue: false,
      command: `meshroll resume run/${id} --reason "…"`,
    },
  ],
});

const golden: Record<string, { context: PictureFacts; want: string }> = {
  "nothing is published yet": {
    context: makeContext(undefined, ["starting"]),
    want: `meshroll demo: waiting for the planner's first status

15:14 starting

In another terminal, first:  . .demo/env        Ctrl-C here ends the demo`,
  },
  "proposed: the fleet is at rest, and a person is told what to type": {
    context: makeContext(makeStatus(), ["PR #1 by ana", "second"]),
    want: `main ff871c7d60ad  Idle                                    15:22 in the clusters
6 clusters, 2,140 managed workloads

CLUSTER       ON DESIRED REVISION       MOVING BROKEN  STATE
prod-apne1-a  ████████████████  180/180      -      7  idle
prod-euw1-a   ████████████████  300/300      -      7  idle
prod-use1-a   ████████████████  390/390      -      7  idle
prod-use1-b   ████████████████  410/410      -      7  idle
prod-usw2-a   ████████████████  210/210      -      7  idle
stage-use1    ████████████████  650/650      -      7  idle

where      .*-staging 1-25-2 requested 50 %, actual 39.6 % (132 of 333)
rollouts   none in progress
waiting    nothing
next       nothing until a change of rollouts.yml is merged
stop       npx meshroll pause all --reason "…"
undo       nothing to undo: no run is recorded yet

15:14 PR #1 by ana
15:14 second
▸ who would move  npx meshroll plan --from main --to ana/istio-1-25
▸ approve, merge  npm run demo -- merge
▸ where we are    npx meshroll status
In another terminal, first:  . .demo/env        Ctrl-C here ends the demo`,
  },
  "a stage waits for a review: by its number, with the branch that may be looked at": {
    context: makeContext(makeStatus({ campaigns: [makeCampaign({ pull: makePull("prod-25") })] })),
    want: `istio-1-25  stage 2/3 prod-25  InProgress                  15:22 in the clusters
#3 waits for a review                                    2,140 managed workloads

CLUSTER       ON DESIRED REVISION       MOVING BROKEN  STATE
prod-apne1-a  ████████████████  180/180      -      7  idle
prod-euw1-a   ████████████████  300/300      -      7  idle
prod-use1-a   ████████████████  390/390      -      7  idle
prod-use1-b   ████████████████  410/410      -      7  idle
prod-usw2-a   ████████████████  210/210      -      7  idle
stage-use1    ████████████████  650/650      -      7  idle

where      .*-staging 1-25-2 requested 50 %, actual 39.6 % (132 of 333)
rollouts   none in progress
waiting    nothing
next       nothing until a change of rollouts.yml is merged
stop       npx meshroll pause all --reason "…"
undo       nothing to undo: no run is recorded yet



▸ who would move  npx meshroll plan --from main --to meshroll/istio-1-25/prod-25
▸ approve, merge  npm run demo -- merge
▸ where we are    npx meshroll status istio-1-25
In another terminal, first:  . .demo/env        Ctrl-C here ends the demo`,
  },
  "moving: a line for each cluster says how far, what moves, what it waits for": {
    context: makeContext(migrating, ["merged"]),
    want: `istio-1-25  stage 2/3 prod-25  InProgress                  15:22 in the clusters
run a17ecec1ed5f (ben)                   96/214 migrated, 9 migrating, 1 skipped

CLUSTER       DONE                      MOVING FAILED  WAITS FOR
prod-apne1-a  ███████████████░    17/18      -      -  ✔ done, 1 skipped
prod-euw1-a   ░░░░░░░░░░░░░░░░     0/30      -      -  next batch
prod-use1-a   ██████████░░░░░░    24/39      -      -  batch delay, 15:23
prod-use1-b   ██████░░░░░░░░░░    16/41      1      -  moving pods
prod-usw2-a   ████████████░░░░    16/21      -      -  something new
stage-use1    ██████░░░░░░░░░░    23/65      8      -  batch running

where      .*-staging 1-25-2 requested 50 %, actual 39.6 % (132 of 333)
rollouts   stage-use1 ux-ingest-staging/Deployment/app, 2 more in 2 clusters
waiting    1 in stage-use1 waits [their owners]
next       118 workloads left until the fleet matches rollouts.yml
stop       npx meshroll pause all --reason "…"
undo       npx meshroll rollback run/a17ecec1ed5f --reason "…"

15:14 merged


▸ where we are  npx meshroll status istio-1-25
▸ who and why   npx meshroll history
In another terminal, first:  . .demo/env        Ctrl-C here ends the demo`,
  },
  "stopped: the failures, why nothing moves, and the commands that end it": {
    context: makeContext(stopped, ["first", "planted: new proxies never get ready"]),
    want: `run a17ecec1ed5f  Failed                                   15:22 in the clusters
Merge pull request #1 from acme/ana/st…  79/134 migrated, 0 migrating, 9 skipped

CLUSTER       DONE                      MOVING FAILED  WAITS FOR
prod-apne1-a  ░░░░░░░░░░░░░░░░      0/0      -      -  no workload here
prod-euw1-a   ████░░░░░░░░░░░░     8/30      -      8  next batch
prod-use1-a   ████████████████    39/39      -      -  ✔ done
prod-use1-b   ░░░░░░░░░░░░░░░░      0/0      -      -  no workload here
prod-usw2-a   ░░░░░░░░░░░░░░░░      0/0      -      -  no workload here
stage-use1    ████████░░░░░░░░    32/65      -      -  a person (stopped)

where      .*-staging 1-25-2 requested 50 %, actual 39.6 % (132 of 333)
rollouts   none in progress
waiting    run/a17ecec1ed5f is stopped by meshroll planner: too many failed (fa…
next       nothing: run/a17ecec1ed5f is stopped by meshroll planner: too many f…
stop       npx meshroll pause all --reason "…"
undo       npx meshroll rollback run/a17ecec1ed5f --reason "…"
✖ prod-euw1-a ledger-rank-staging/Deployment/worker  ReadinessTimeout

▸ look          npx meshroll get failures run/a17ecec1ed5f
▸ fix it        npm run demo -- fix
▸ then retry    npx meshroll retry run/a17ecec1ed5f --reason "fixed"
▸ or roll back  npx meshroll rollback run/a17ecec1ed5f --reason "bad proxies"
In another terminal, first:  . .demo/env        Ctrl-C here ends the demo`,
  },
};

for (const [name, { context, want }] of Object.entries(golden)) {
  test(`at 80x24, ${name}`, () => {
    expect(drawPicture(context, terminal).join("\n")).toBe(want);
  });
}

const idle = [makeStatus(), makeStatus({ runs: [run(untouched)] }), makeStatus({ clusters: [] })];
const contexts = [undefined, ...idle, migrating, stopped];

test("the address of the page stays above the last line, where the status knows it", () => {
  const lines = drawPicture(makeContext({ ...stopped, page: "http://127.0.0.1:8080" }), terminal);
  expect([lines.length, lines.at(-2)]).toEqual([24, "In a browser:  http://127.0.0.1:8080/"]);
});

test("a command that does not fit next to its purpose gets a line of its own", () => {
  const pull = { ...makePull("prod-25"), branch: `meshroll/${"x".repeat(30)}` };
  const lines = drawPicture(makeContext(makeStatus({ campaigns: [makeCampaign({ pull })] })), terminal);
  expect(lines.join("\n")).toContain(`▸ who would move:\n  npx meshroll plan --from main --to ${pull.branch}\n`);
});

test("at any size no line is too long, and there is none too many", () => {
  const notes = Array.from({ length: 30 }, (_, at) => `note ${at} ${"x".repeat(at * 7)}`);
  fc.assert(
    fc.property(
      fc.constantFrom(...contexts),
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 1, max: 70 }),
      (status, columns, rows) => {
        const lines = drawPicture(makeContext(status, notes), { columns, rows });
        expect(lines.length).toBeLessThanOrEqual(rows);
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
      },
    ),
  );
});

test("no command is cut at 80 columns", () => {
  for (const status of [makeStatus(), migrating, stopped]) {
    const context = makeContext(status);
    const text = drawPicture(context, terminal).join("\n");
    for (const { command } of context.next) expect(text).toContain(command);
  }
});

test("many clusters are counted where there is no room for all", () => {
  const clusters = Array.from({ length: 40 }, (_, at) => ({
    ...(makeStatus().clusters[0] ?? fail()),
    name: `c-${at}`,
  }));
  const lines = drawPicture(makeContext(makeStatus({ clusters })), terminal);
  expect(lines.join("\n")).toMatch(/… \d+ more clusters/);
  expect(lines).toHaveLength(24);
});

function fail(): never {
  throw new Error("there is no cluster");
}
