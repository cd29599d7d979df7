import { decide, type LedgerState, type RunRecord, type StopRecord, type World } from "#libs/plan";
import {
  arrived,
  makeCluster,
  makeLedger,
  makeRun,
  makeSpec,
  makeStop,
  makeWorkload,
  makeWorld,
  noon,
  runId,
  sha,
} from "#test/world/build";
import { a, clusters } from "#test/world/decide-cases";
import { describe, expect, test } from "vitest";

const changes = [{ pattern: "production", from: "old: 100", to: "new: 100", direction: "forward" as const }];
const forward = makeRun(sha("head"), sha("base"), { changes });

function ledgerOf(stops: readonly StopRecord[] = [], change: Partial<LedgerState> = {}): LedgerState {
  const recorded = Object.fromEntries(stops.map((stop) => [stop.id, stop]));
  return makeLedger({ main: sha("head"), judged: sha("head"), runs: { [runId]: forward }, stops: recorded, ...change });
}

/** What people read, and batches by their items. */
function tell(world: World): readonly string[] {
  return decide(world).map((each) => {
    if (each.kind === "handOut") return `handOut ${each.batch.items.map(({ name }) => name).join(" ")}`;
    return `${each.kind} ${each.reason.code}: ${each.reason.message}`;
  });
}

const minutes = (count: number) => count * 60_000;
const main = { head: sha("head"), ageMs: 0, contained: true, vanished: [], points: [] };
const back = makeStop({ id: "r", scope: `run/${runId}`, cause: "rollback", revertTo: sha("base") });
const moved = makeCluster("one", [arrived(a, "new", runId)]);

describe("12.1 main that nobody has read of late", () => {
  test("for more than ten minutes starts nothing, and says how long", () => {
    const at = (ageMs: number) =>
      tell(makeWorld({ main: { ...main, ageMs }, clusters: clusters(makeCluster("one", [a])) }));
    expect(at(minutes(10))).toEqual(["handOut a"]);
    expect(at(minutes(12))).toEqual([
      "wait GitDown: main was last read 12 minutes ago: nothing moves forward, rollback --now goes back",
    ]);
  });
});

describe("1.7 files that nobody can read", () => {
  const finding = (severity: "error" | "warning", line: number) => ({
    code: "MR1004",
    severity,
    file: "rollouts.yml",
    line,
    column: 5,
    message: `line ${line} is odd`,
  });
  const both = [finding("warning", 2), finding("error", 3)];
  const short = sha("head").slice(0, 12);

  test("are named before anything is recorded, by their first error", () => {
    const look = (findings: readonly ReturnType<typeof finding>[] | undefined) => {
      const unreadable = findings === undefined ? new Map() : new Map([[sha("head"), findings]]);
      return tell(makeWorld({ ledger: undefined, main: { ...main, unreadable }, clusters: clusters(moved) })).slice(1);
    };
    expect(look(undefined)).toEqual([]);
    const head = `wait MainUnparsable: commit ${short} of main does not parse`;
    expect(look(both)).toEqual([`${head} (rollouts.yml:3:5 line 3 is odd)`]);
    expect(look(both.slice(0, 1))).toEqual([`${head} (rollouts.yml:2:5 line 2 is odd)`]);
    expect(look([])).toEqual([head]);
  });

  test("and were judged last stop all: nothing can be compared with them", () => {
    const specs = new Map([[sha("head"), makeSpec(sha("head"), 100)]]);
    const ledger = ledgerOf([], { judged: sha("old") });
    const unreadable = new Map([[sha("old"), both]]);
    expect(tell(makeWorld({ specs, ledger, main: { ...main, unreadable }, clusters: clusters(moved) }))).toEqual([
      `wait MainUnparsable: commit ${sha("old").slice(0, 12)} of main, which was judged last, does not parse with this ` +
        "version of meshroll (rollouts.yml:3:5 line 3 is odd): nothing is compared with it, and nobody moves",
    ]);
  });
});

describe("2.4 a rollback", () => {
  const look = (
    stop: StopRecord,
    percentNew: number,
    runs: Readonly<Record<string, RunRecord>> = { [runId]: forward },
  ) => {
    const later = sha("later");
    const specs = new Map(
      [makeSpec(sha("base"), 0), makeSpec(sha("head"), 100), makeSpec(later, percentNew)].map((spec) => [
        spec.commit,
        spec,
      ]),
    );
    const ledger = ledgerOf([stop], { runs, main: later, judged: later });
    return tell(makeWorld({ specs, ledger, main: { ...main, head: later }, clusters: clusters(moved) }));
  };
  const over = `liftStop RollbackOver: rollback r of run/${runId} is over: main says the same since ${sha("later").slice(0, 12)}`;

  test("ends when main says what it goes back to, at once or by a pull request", () => {
    expect([look(back, 0), look({ ...back, now: true }, 0)]).toEqual([[over], [over]]);
    expect(look(back, 50)).not.toContain(over);
  });

  test("does not end by a person's stop, nor for a run that nobody knows", () => {
    const { revertTo: _, ...stop } = makeStop({ ...back, cause: "verb" });
    expect(look(stop, 0)).not.toContain(over);
    expect(look({ ...back, scope: "run/aaaaaaaaaaaa" }, 0).join()).not.toContain("liftStop");
    expect(look({ ...back, revertTo: sha("unread") }, 0).join()).not.toContain("liftStop");
  });
});

describe("2.4 while main does not parse", () => {
  const bad = {
    commit: { sha: sha("bad"), author: "ben", subject: "oops", at: noon },
    findings: [
      { code: "MR1004", severity: "error" as const, file: "rollouts.yml", line: 3, column: 5, message: "sum is 105" },
    ],
  };
  const why = `wait MainUnparsable: commit ${sha("bad").slice(0, 12)} of main does not parse (rollouts.yml:3:5 sum is 105)`;
  const look = (stops: readonly StopRecord[], change: Partial<World> = {}) =>
    tell(
      makeWorld({
        main: { ...main, head: sha("bad"), points: [bad] },
        ledger: ledgerOf(stops),
        clusters: clusters(makeCluster("one", [arrived(a, "new", runId), makeWorkload("shop/b")])),
        ...change,
      }),
    );

  test("nothing moves but what a rollback takes back at once", () => {
    expect(look([])).toEqual([why]);
    expect(look([back])).toEqual([why]);
    expect(look([{ ...back, now: true }])).toEqual([why, "handOut a"]);
  });

  test("nobody goes back either where the commit judged last was not read, or main was rewritten", () => {
    const stop = { ...back, now: true as const };
    expect(look([stop], { specs: new Map([[sha("base"), makeSpec(sha("base"), 0)]]) })).toHaveLength(1);
    const rewritten = makeStop({ id: "f", scope: "all", cause: "forcedPush" });
    const told = look([stop, rewritten], { main: { ...main, contained: false } });
    expect(told.map((each) => each.slice(0, "wait MainRewritten".length))).toEqual(["wait MainRewritten"]);
  });
});

describe("3.4 a cluster that a run waits for", () => {
  const run = makeRun(sha("head"), sha("base"), {
    expected: ["gone"],
    clusters: { one: { openedAt: "", unhealthyBefore: [] } },
  });
  const without = "to go on without it merge clusters.gone.aside: true into meshroll.yml";
  const look = (...all: readonly ReturnType<typeof makeCluster>[]) =>
    tell(makeWorld({ ledger: ledgerOf([], { runs: { [runId]: run } }), clusters: clusters(moved, ...all) })).filter(
      (each) => each.includes("ClusterUnreachable"),
    );
  const stale = { fresh: false, ageMs: 90_400 };

  test("is named while nobody sees it, with what lets the run go on without it", () => {
    const tail = `run ${runId} is not done before its workloads were looked at; ${without}`;
    expect(look()).toEqual([`wait ClusterUnreachable: gone was never seen by this planner: ${tail}`]);
    expect(look(makeCluster("gone", [], stale))).toEqual([
      `wait ClusterUnreachable: gone was last seen 90 s ago: ${tail}`,
    ]);
    expect(look(makeCluster("gone", []))).toEqual([]);
  });

  test("is named once where it has work, too", () => {
    expect(look(makeCluster("gone", [makeWorkload("shop/b")], stale))).toHaveLength(1);
  });
});
