import { isLedgerDecision, type LedgerState, type RunRecord, type StopRecord, type Snapshot } from "#libs/plan";
import {
  makeMigrated,
  makeCluster,
  makeLedger,
  makeRun,
  makeSpec,
  makeStop,
  makeWorkload,
  makeSnapshot,
  noon,
  runId,
  sha,
} from "#test/world/build";
import { a, clusters } from "#test/world/decide-cases";
import { printText, renderReason, renderTransition } from "#libs/wording";
import { describe, expect, test } from "vitest";

import { decide } from "./decide.ts";

const changes = [{ pattern: "production", from: "old: 100", to: "new: 100", direction: "forward" as const }];
const forward = makeRun(sha("head"), sha("base"), { changes });

function ledgerOf(stops: readonly StopRecord[] = [], change: Partial<LedgerState> = {}): LedgerState {
  const recorded = Object.fromEntries(stops.map((stop) => [stop.id, stop]));
  return makeLedger({ main: sha("head"), judged: sha("head"), runs: { [runId]: forward }, stops: recorded, ...change });
}

/** Reasons as people read them, and batches by their items. */
function tell(snapshot: Snapshot): readonly string[] {
  return decide(snapshot).map((each) => {
    if (each.kind === "handOut") return `handOut ${each.batch.items.map(({ name }) => name).join(" ")}`;
    const { code, message } = isLedgerDecision(each) ? renderTransition(each.reason) : renderReason(each.reason);
    return `${each.kind} ${code}: ${printText(message)}`;
  });
}

const minutes = (count: number) => count * 60_000;
const main = { head: sha("head"), ageMs: 0, contained: true, vanished: [], points: [] };
const back = makeStop({ id: "r", scope: `run/${runId}`, cause: "rollback", revertTo: sha("base") });
const moved = makeCluster("one", [makeMigrated(a, "new", runId)]);

describe("12.1 a main that was not read lately", () => {
  test("starts nothing after ten minutes, and its age is reported", () => {
    const at = (ageMs: number) =>
      tell(makeSnapshot({ main: { ...main, ageMs }, clusters: clusters(makeCluster("one", [a])) }));
    expect(at(minutes(10))).toEqual(["handOut a"]);
    expect(at(minutes(12))).toEqual([
      "wait GitDown: main is not read: nothing moves forward, rollback --now still works",
    ]);
  });
});

describe("1.7 files that cannot be read", () => {
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

  test("are reported before the baseline, by their first error", () => {
    const reconcile = (findings: readonly ReturnType<typeof finding>[] | undefined) => {
      const unreadable = findings === undefined ? new Map() : new Map([[sha("head"), findings]]);
      return tell(makeSnapshot({ ledger: undefined, main: { ...main, unreadable }, clusters: clusters(moved) })).slice(
        1,
      );
    };
    expect(reconcile(undefined)).toEqual([]);
    const head = `wait MainUnparsable: commit ${short} of main does not parse`;
    expect(reconcile(both)).toEqual([`${head} (rollouts.yml:3:5 line 3 is odd)`]);
    expect(reconcile(both.slice(0, 1))).toEqual([`${head} (rollouts.yml:2:5 line 2 is odd)`]);
    expect(reconcile([])).toEqual([head]);
  });

  test("of the commit judged last stop everything, because nothing can be compared with them", () => {
    const specs = new Map([[sha("head"), makeSpec(sha("head"), 100)]]);
    const ledger = ledgerOf([], { judged: sha("old") });
    const unreadable = new Map([[sha("old"), both]]);
    expect(tell(makeSnapshot({ specs, ledger, main: { ...main, unreadable }, clusters: clusters(moved) }))).toEqual([
      `wait MainUnparsable: commit ${sha("old").slice(0, 12)} of main, which was judged last, does not parse with this ` +
        "version of meshroll (rollouts.yml:3:5 line 3 is odd): nothing is compared with it, and nothing moves",
    ]);
  });
});

describe("2.4 a rollback", () => {
  const reconcile = (
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
    return tell(makeSnapshot({ specs, ledger, main: { ...main, head: later }, clusters: clusters(moved) }));
  };
  const head = sha("later").slice(0, 12);
  const over = `resumeStop RollbackOver: rollback r of run/${runId} has ended: main now matches (${head}); stop ended`;

  test("ends when main says what it rolls back to, at once or by a pull request", () => {
    expect([reconcile(back, 0), reconcile({ ...back, now: true }, 0)]).toEqual([[over], [over]]);
    expect(reconcile(back, 50)).not.toContain(over);
  });

  test("does not end by a person's stop, or for an unknown run", () => {
    const { revertTo: _, ...stop } = makeStop({ ...back, cause: "verb" });
    expect(reconcile(stop, 0)).not.toContain(over);
    expect(reconcile({ ...back, scope: "run/aaaaaaaaaaaa" }, 0).join()).not.toContain("resumeStop");
    expect(reconcile({ ...back, revertTo: sha("unread") }, 0).join()).not.toContain("resumeStop");
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
  const reconcile = (stops: readonly StopRecord[], change: Partial<Snapshot> = {}) =>
    tell(
      makeSnapshot({
        main: { ...main, head: sha("bad"), points: [bad] },
        ledger: ledgerOf(stops),
        clusters: clusters(makeCluster("one", [makeMigrated(a, "new", runId), makeWorkload("shop/b")])),
        ...change,
      }),
    );

  test("only workloads of a rollback --now move", () => {
    expect(reconcile([])).toEqual([why]);
    expect(reconcile([back])).toEqual([why]);
    expect(reconcile([{ ...back, now: true }])).toEqual([why, "handOut a"]);
  });

  test("there is no rollback either where the commit judged last was not read, or main was rewritten", () => {
    const stop = { ...back, now: true as const };
    expect(reconcile([stop], { specs: new Map([[sha("base"), makeSpec(sha("base"), 0)]]) })).toHaveLength(1);
    const rewritten = makeStop({ id: "f", scope: "all", cause: "forcedPush" });
    const told = reconcile([stop, rewritten], { main: { ...main, contained: false } });
    expect(told.map((each) => each.slice(0, "wait MainRewritten".length))).toEqual(["wait MainRewritten"]);
  });
});

describe("3.4 a cluster that a run waits for", () => {
  const run = makeRun(sha("head"), sha("base"), {
    expected: ["gone"],
    clusters: { one: { openedAt: "", unhealthyBefore: [] } },
  });
  const without = "to continue without it merge clusters.gone.excluded: true into meshroll.yml";
  const reconcile = (...all: readonly ReturnType<typeof makeCluster>[]) =>
    tell(makeSnapshot({ ledger: ledgerOf([], { runs: { [runId]: run } }), clusters: clusters(moved, ...all) })).filter(
      (each) => each.includes("ClusterUnreachable"),
    );
  const stale = { fresh: false, ageMs: 90_400 };

  test("is reported while it is not seen, with the setting that lets the run continue without it", () => {
    const tail = `run ${runId} cannot finish before its workloads are known; ${without}`;
    expect(reconcile()).toEqual([`wait ClusterUnreachable: gone was never seen by this planner: ${tail}`]);
    expect(reconcile(makeCluster("gone", [], stale))).toEqual([`wait ClusterUnreachable: gone is not seen: ${tail}`]);
    expect(reconcile(makeCluster("gone", []))).toEqual([]);
  });

  test("is reported once where it has work", () => {
    expect(reconcile(makeCluster("gone", [makeWorkload("shop/b")], stale))).toHaveLength(1);
  });
});
