import type { Decision, RunRecord, StopRecord, Snapshot } from "#libs/plan";
import { type Reason, renderReason, writeText } from "#libs/wording";
import { describe, expect, it } from "vitest";

import { noWaits, updateWaits, type WaitReconcile, type WaitMemory } from "./update-waits.ts";

const start = Date.parse("2026-11-21T13:00:00.000Z");
const missing: Reason = { code: "RevisionMissing", cluster: "one", revision: "1-29" };
const stage = { campaign: { name: "up", file: "campaigns/up.yml", owners: [] }, stage: "half" };
const pause = { id: "v0", scope: "all", strength: "move", who: "ana", why: "5xx" } as const;

function waitFor(reason: Reason, scope = "run/abcdefabcdef@one"): Decision {
  return { kind: "wait", scope, reason };
}

function snapshotOf(clusters: Readonly<Record<string, boolean>>): WaitReconcile["snapshot"] {
  const run = { id: "abcdefabcdef", state: "open", clusters: { one: {} } } as unknown as RunRecord;
  const ledger = { runs: { abcdefabcdef: run } } as unknown as NonNullable<Snapshot["ledger"]>;
  const found = Object.entries(clusters).map(([name, fresh]) => [name, { name, fresh }] as const);
  return { clusters: new Map(found) as unknown as Snapshot["clusters"], ledger };
}

function lookAt(
  second: number,
  decisions: readonly Decision[],
  clusters: Readonly<Record<string, boolean>> = {},
): WaitReconcile {
  return { now: start + second * 1000, real: second * 1000, decisions, snapshot: snapshotOf(clusters) };
}

/** Types and seconds of everything that is told over several looks. */
function tellAll(...reconciles: readonly WaitReconcile[]): readonly string[] {
  let memory: WaitMemory = noWaits;
  return reconciles.flatMap((reconcile) => {
    const told = updateWaits(memory, reconcile);
    memory = told.memory;
    return told.events.map(({ type, at }) => `${type} ${(Date.parse(at) - start) / 1000}`);
  });
}

describe("a wait that needs a person", () => {
  it("is reported once when it has stood for half a minute, and once when it is over", () => {
    const waiting = [waitFor(missing)];
    expect(
      tellAll(
        lookAt(0, waiting),
        lookAt(29, waiting),
        lookAt(30, waiting),
        lookAt(90, waiting),
        lookAt(95, []),
        lookAt(99, []),
      ),
    ).toEqual(["wait.v1.began 30", "wait.v1.ended 95"]);
  });

  it("that is over before that is never told, and starts again when it returns", () => {
    const waiting = [waitFor(missing)];
    expect(tellAll(lookAt(0, waiting), lookAt(20, []), lookAt(25, waiting), lookAt(50, waiting))).toEqual([]);
  });

  it("brings what a person needs, and ties its end to its beginning", () => {
    const first = updateWaits(noWaits, lookAt(0, [waitFor(missing)]));
    const second = updateWaits(first.memory, lookAt(30, [waitFor(missing)]));
    const third = updateWaits(second.memory, lookAt(60, []));
    const key = { scope: "run/abcdefabcdef@one", code: "RevisionMissing", since: "2026-11-21T13:00:00.000Z" };
    const { message, owner, command } = renderReason(missing);
    expect(second.events).toMatchObject([{ data: { ...key, run: "abcdefabcdef", message, owner, command } }]);
    expect(third.events).toMatchObject([{ data: { ...key, run: "abcdefabcdef" } }]);
  });

  const cases: readonly { readonly name: string; readonly reason: Reason; readonly want: boolean }[] = [
    { name: "a revision that is missing", reason: missing, want: true },
    {
      name: "a delay",
      reason: { code: "DelayBetweenBatches", cluster: "one", until: "2026-11-21T13:00:30Z" },
      want: false,
    },
    { name: "a batch under way", reason: { code: "BatchInHand", cluster: "one", run: "r" }, want: false },
    { name: "a window with a command to open it", reason: { ...missing, until: "2026-11-23T09:00:00Z" }, want: false },
    {
      name: "an approval, which was reported with its stage",
      reason: {
        code: "ApprovalNeeded",
        ...stage,
        number: 7,
        from: [],
        rule: { required: 1, from: [], allowAuthor: true },
        why: writeText("0 of 1"),
      },
      want: false,
    },
    {
      name: "a held stage: its hold was told",
      reason: { code: "StageHeld", ...stage, stop: pause, more: 0 },
      want: false,
    },
    {
      name: "a stage that a person has to merge",
      reason: { code: "MergeNeeded", ...stage, number: 7, from: [], url: "" },
      want: true,
    },
    { name: "a stop, which was told when it was placed", reason: { code: "Stopped", stop: pause }, want: false },
    {
      name: "a stop that a person made with kubectl",
      reason: { code: "Stopped", stop: { ...pause, id: "kubectl" } },
      want: true,
    },
    {
      name: "Redis, which has nothing to type",
      reason: { code: "QueueDown" },
      want: true,
    },
    {
      name: "a cluster that is away, which has its own message",
      reason: { code: "ClusterUnreachable", cluster: "one", seconds: 90, hinders: { kind: "moves" } },
      want: false,
    },
  ];
  it.each(cases)("$name: $want", ({ reason, want }) => {
    const told = tellAll(lookAt(0, [waitFor(reason)]), lookAt(60, [waitFor(reason)]));
    expect(told).toHaveLength(want ? 1 : 0);
  });
});

describe("a cluster that is not seen", () => {
  it("is reported once, with the runs that cannot end without it, and once when it is seen again", () => {
    const away = { one: false, two: true };
    expect(
      tellAll(
        lookAt(0, [], away),
        lookAt(30, [], away),
        lookAt(80, [], away),
        lookAt(90, [], { one: true, two: true }),
      ),
    ).toEqual(["cluster.v1.unreachable 30", "cluster.v1.seen 90"]);
    const first = updateWaits(noWaits, lookAt(0, [], away));
    expect(updateWaits(first.memory, lookAt(30, [], away)).events).toMatchObject([
      { data: { cluster: "one", since: "2026-11-21T13:00:00.000Z", runs: ["abcdefabcdef"] } },
    ]);
  });

  it("that is seen before half a minute has passed is no news: a planner was restarted", () => {
    expect(tellAll(lookAt(0, [], { one: false }), lookAt(5, [], { one: true }))).toEqual([]);
  });
});

describe("7.1 a stop whose time has passed stays, and its owner is notified", () => {
  const until = "2026-11-21T13:00:10.000Z";
  const stop: StopRecord = {
    id: "v1",
    scope: "all",
    strength: "move",
    at: "",
    who: "ana",
    why: "5xx",
    cause: "verb",
    until,
  };
  const lookWith = (second: number, stops: readonly StopRecord[]): WaitReconcile => {
    const snapshot = {
      ...snapshotOf({}),
      ledger: { runs: {}, stops: Object.fromEntries(stops.map((each) => [each.id, each])) },
    };
    return { ...lookAt(second, []), snapshot: snapshot as unknown as WaitReconcile["snapshot"] };
  };

  it("once, however long it stands", () => {
    const told = tellAll(...[9, 10, 11, 500].map((second) => lookWith(second, [stop])));
    expect(told).toEqual(["stop.v1.overdue 10"]);
  });

  it("never when it was ended in time, or has no time", () => {
    const { until: _until, ...endless } = stop;
    const resumed = { ...stop, resume: { at: "", who: "ben", why: "over" } };
    expect(tellAll(lookWith(60, [resumed, { ...endless, id: "v2" }]))).toEqual([]);
  });
});
