import type { FleetStatus } from "#libs/plan";
import { renderUndo, writeText } from "#libs/wording";
import { instantRun, makeInstant, statusOf } from "#test/world/campaigns/campaign-instant";
import { answersOf, makeComing } from "#test/world/words";
import { describe, expect, test } from "vitest";

import { narrowToRun } from "./five-answers.ts";

const run = "abcdefabcdef";

function makeStatus(change: Partial<FleetStatus> = {}): FleetStatus {
  const share = { revision: "new", requested: 25, namespaces: 10, actual: 12.5 };
  const { campaigns: _, ...status } = statusOf(makeInstant());
  return {
    ...status,
    where: [
      { bucket: "done", namespaces: 4, shares: [{ ...share, requested: 100, actual: 100, namespaces: 4 }], mixed: 0 },
      { bucket: "production", namespaces: 80, shares: [share], mixed: 2 },
      { bucket: "empty", namespaces: 0, shares: [], mixed: 0 },
    ],
    rollouts: [
      { cluster: "one", run, workloads: ["a/Deployment/a", "b/Deployment/b", "c/Deployment/c", "d/Deployment/d"] },
      { cluster: "two", run: "other", workloads: [] },
      { cluster: "three", run: "", workloads: ["e/Deployment/e"] },
    ],
    waiting: [],
    next: makeComing({ code: "MergeNeeded" }),
    undo: renderUndo({ code: "NoRun" }),
    runs: [],
    ...change,
  };
}

const wait = (scope: string, change: object = {}) => ({
  scope,
  code: "X",
  message: writeText("it waits"),
  owner: "ana",
  ...change,
});

describe("the fleet's answers in words", () => {
  test("a bucket with its shares and mixed namespaces; names are cut, and counted", () => {
    const told = answersOf(makeStatus());
    expect(told.where).toEqual([
      "done: new requested 100 %, actual 100 % (4 of 4)",
      "production: new requested 25 %, actual 12.5 % (10 of 80), 2 in transition or on another revision",
      "empty: no namespace",
    ]);
    expect(told.rollouts).toEqual([
      `one: 4 restarting of run ${run}: a/Deployment/a, b/Deployment/b, c/Deployment/c, and 1 more`,
      "two: a batch of run other is starting",
      "three: 1 restarting: e/Deployment/e",
    ]);
    expect(told.waiting).toEqual([{ text: "nothing" }]);
    expect(told.undo).toEqual({ text: "nothing to undo: no run is recorded yet" });
  });

  test("an empty answer says that there is nothing", () => {
    expect(answersOf(makeStatus({ rollouts: [] })).rollouts).toEqual(["none in progress"]);
  });

  test("the same wait of several clusters is reported once, with their number; another deadline is another wait", () => {
    const until = "2026-11-19T12:00:00.000Z";
    const waiting = [wait("run/x@one"), wait("run/x@two"), wait("run/x@three", { until, command: "meshroll status" })];
    expect(answersOf(makeStatus({ waiting })).waiting).toEqual([
      { text: "it waits (blocks 2 clusters) (ana)" },
      { text: `it waits, until ${until} (ana)`, command: "meshroll status" },
    ]);
  });

  test("long lists end with the number of the others", () => {
    const many = Array.from({ length: 9 }, (_, index) => wait("all", { message: writeText(`wait ${index}`) }));
    const rollouts = Array.from({ length: 8 }, (_, index) => ({ cluster: `c${index}`, run, workloads: [] }));
    const told = answersOf(makeStatus({ waiting: many, rollouts }));
    expect(told.waiting.at(-1)).toEqual({ text: "and 3 more" });
    expect([told.waiting.length, told.rollouts.length, told.rollouts.at(-1)]).toEqual([7, 7, "and 2 more"]);
  });
});

describe("the answers about a run", () => {
  test("with a campaign: the campaign's", () => {
    const status = statusOf(makeInstant());
    expect(narrowToRun(status, instantRun)).toBe(status.campaigns?.[0]);
  });

  test("without a campaign: the fleet's, reduced to the run, with differing buckets first", () => {
    const waiting = [wait("all"), wait(`run/${run}@one`), wait(`run/${run}`), wait("run/other@one")];
    const narrowed = narrowToRun(makeStatus({ waiting }), run, 12);
    expect(narrowed).toMatchObject({
      where: [{ bucket: "production" }, { bucket: "done" }, { bucket: "empty" }],
      rollouts: [{ cluster: "one" }],
      stop: { command: `meshroll pause run/${run} --reason "…"` },
      undo: {
        command: `meshroll rollback run/${run} --reason "…"`,
        effect: "up to 12 workloads are rolled back, in batches; a hold stays",
      },
    });
    expect(narrowed.waiting.map(({ scope }) => scope)).toEqual(["all", `run/${run}@one`, `run/${run}`]);
  });

  test("the planner's undo takes precedence; moved workloads are counted where the status has them", () => {
    const undo = renderUndo({ code: "IsRollback", run, of: [] });
    expect(narrowToRun(makeStatus({ undo }), run).undo).toEqual(undo);
    const [first] = statusOf(makeInstant()).runs;
    const runs = first === undefined ? [] : [{ ...first, id: run, migrated: 3, migrating: 2 }];
    expect(narrowToRun(makeStatus({ runs }), run).undo.effect).toMatch(/^up to 5 workloads are rolled back/u);
    expect(narrowToRun(makeStatus(), run).undo.effect).toMatch(/^the workloads that it moved are rolled back/u);
  });
});
