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

function reconcileAt(
  second: number,
  decisions: readonly Decision[],
  clusters: Readonly<Record<string, boolean>> = {},
): WaitReconcile {
  return { now: start + second * 1000, real: second * 1000, decisions, snapshot: snapshotOf(clusters) };
}

/** Types and seconds of all events over several reconciles. */
function listEvents(...reconciles: readonly WaitReconcile[]): readonly string[] {
  let memory: WaitMemory = noWaits;
  return reconciles.flatMap((reconcile) => {
    const told = updateWaits(memory, reconcile);
    memory = told.memory;
    return told.events.map(({ type, at }) => `${type} ${(Date.parse(at) - start) / 1000}`);
  });
}

describe("a wait that needs a person", () => {
  it("is reported once when it has lasted for half a minute, and once when it is over", () => {
    const waiting = [waitFor(missing)];
    expect(
      listEvents(
        reconcileAt(0, waiting),
        reconcileAt(29, waiting),
        reconcileAt(30, waiting),
        reconcileAt(90, waiting),
        reconcileAt(95, []),
        reconcileAt(99, []),
      ),
    ).toEqual(["wait.v1.began 30", "wait.v1.ended 95"]);
  });

  it("that is over before that is not reported, and starts again when it returns", () => {
    const waiting = [waitFor(missing)];
    expect(
      listEvents(reconcileAt(0, waiting), reconcileAt(20, []), reconcileAt(25, waiting), reconcileAt(50, waiting)),
    ).toEqual([]);
  });

  it("has what a person needs, and the same key at its beginning and end", () => {
    const first = updateWaits(noWaits, reconcileAt(0, [waitFor(missing)]));
    const second = updateWaits(first.memory, reconcileAt(30, [waitFor(missing)]));
    const third = updateWaits(second.memory, reconcileAt(60, []));
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
      name: "a held stage, whose hold was reported",
      reason: { code: "StageHeld", ...stage, stop: pause, more: 0 },
      want: false,
    },
    {
      name: "a stage that a person has to merge",
      reason: { code: "MergeNeeded", ...stage, number: 7, from: [], url: "" },
      want: true,
    },
    { name: "a stop, which was reported when it was placed", reason: { code: "Stopped", stop: pause }, want: false },
    {
      name: "a stop that a person made with kubectl",
      reason: { code: "Stopped", stop: { ...pause, id: "kubectl" } },
      want: true,
    },
    {
      name: "Redis, for which there is no command",
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
    const told = listEvents(reconcileAt(0, [waitFor(reason)]), reconcileAt(60, [waitFor(reason)]));
    expect(told).toHaveLength(want ? 1 : 0);
  });
});

describe("an unreachable cluster", () => {
  it("is reported once, with the runs that cannot end without it, and once when it is seen again", () => {
    const away = { one: false, two: true };
    expect(
      listEvents(
        reconcileAt(0, [], away),
        reconcileAt(30, [], away),
        reconcileAt(80, [], away),
        reconcileAt(90, [], { one: true, two: true }),
      ),
    ).toEqual(["cluster.v1.unreachable 30", "cluster.v1.seen 90"]);
    const first = updateWaits(noWaits, reconcileAt(0, [], away));
    expect(updateWaits(first.memory, reconcileAt(30, [], away)).events).toMatchObject([
      { data: { cluster: "one", since: "2026-11-21T13:00:00.000Z", runs: ["abcdefabcdef"] } },
    ]);
  });

  it("is not reported when it is seen again within half a minute, as after a restart of the planner", () => {
    expect(listEvents(reconcileAt(0, [], { one: false }), reconcileAt(5, [], { one: true }))).toEqual([]);
  });
});

describe("7.1 a stop whose time is over stays in force, and its owner is notified", () => {
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
    return { ...reconcileAt(second, []), snapshot: snapshot as unknown as WaitReconcile["snapshot"] };
  };

  it("once, however long it is in force", () => {
    const told = listEvents(...[9, 10, 11, 500].map((second) => lookWith(second, [stop])));
    expect(told).toEqual(["stop.v1.overdue 10"]);
  });

  it("not when it was resumed in time, or has no time", () => {
    const { until: _until, ...endless } = stop;
    const resumed = { ...stop, resume: { at: "", who: "ben", why: "over" } };
    expect(listEvents(lookWith(60, [resumed, { ...endless, id: "v2" }]))).toEqual([]);
  });
});
