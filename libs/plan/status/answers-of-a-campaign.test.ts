import { findRunNamed } from "#libs/input";
import { type CampaignStatus } from "#libs/plan";
import { writeText } from "#libs/wording";
import { makeLedger, noon } from "#test/world/build";
import {
  type Instant,
  instantRun,
  makeInstant,
  statusOf,
  see,
  allMigrated,
  over,
  stopOf,
  pulls,
} from "#test/world/campaigns/campaign-instant";
import { answersOf, sayComing } from "#test/world/words";
import { describe, expect, test } from "vitest";

describe("the state of a campaign, in Sail's words", () => {
  const cases: readonly { readonly name: string; readonly instant: Instant; readonly want: CampaignStatus["state"] }[] =
    [
      { name: "a run of it is open", instant: {}, want: "InProgress" },
      { name: "no run is open between two stages", instant: { progress: allMigrated, run: over }, want: "InProgress" },
      {
        name: "a gate stopped it",
        instant: { stops: stopOf({ id: "g", scope: `run/${instantRun}`, cause: "gate", gate: "error-rate" }) },
        want: "Failed",
      },
    ];
  test.each(cases)("$name: $want", ({ instant, want }) => expect(see(makeInstant(instant)).state).toBe(want));

  test("Idle before its first merge", () => {
    const snapshot = makeInstant({ progress: () => "pending" });
    const ledger = makeLedger({ main: snapshot.main.head, judged: snapshot.main.head });
    expect(see({ ...snapshot, ledger }).state).toBe("Idle");
  });
});

describe("shares, failures and exclusions", () => {
  const status = see(makeInstant());

  test("the buckets of the present stage come first", () => {
    expect(status.where[0]).toEqual({ bucket: "production", requested: 25, actual: 14.2, onTarget: 17, total: 120 });
    expect(status.where).toHaveLength(4);
  });

  test("3.3 failures are shown with their limit", () => {
    expect(status.failures).toMatchObject({ count: 1, namespaces: 1, counted: 1, allowed: 2, left: 1 });
    expect(status.failures.items).toEqual([
      {
        workload: "prod-use1-a:team-043/Deployment/api",
        code: "ReadinessTimeout",
        message: writeText("ReadinessTimeout"),
        at: "2026-11-19T10:31:00Z",
        revision: "1-25-2",
        run: instantRun,
        campaign: "istio-1-25",
      },
    ]);
  });

  test("each cluster with a batch says what it does, and all its workloads are counted once", () => {
    const migrating = ["team-020", "team-044"].map((name) => `${name}/Deployment/api`);
    expect(status.rollouts).toHaveLength(2);
    expect(status.rollouts[0]).toEqual({
      cluster: "prod-use1-b",
      run: instantRun,
      batch: 1,
      of: 1,
      migrating: 2,
      workloads: migrating,
    });
    expect(status.counts).toEqual({
      workloads: 29,
      migrated: 12,
      idle: 0,
      migrating: 6,
      pending: 10,
      waiting: 0,
      skipped: 1,
    });
  });

  test("an exclusion is listed until it ends", () => {
    expect(status.leftOut).toEqual([
      { pattern: "payments-.*", reason: "PCI audit MESH-398", until: "2026-12-04T00:00:00.000Z" },
    ]);
    const end = Date.parse("2026-12-04T00:00:00.000Z");
    expect(see(makeInstant({ snapshot: { now: end - 1 } })).leftOut).toHaveLength(1);
    expect(see(makeInstant({ snapshot: { now: end } })).leftOut).toEqual([]);
  });

  test("6.3 a gate is shown with value and limit, or that it has no data", () => {
    // The open run's present result takes precedence over the recorded one.
    expect(status.gates[0]).toMatchObject({ name: "restarts", status: "pass", value: 1 / 13, limit: 0.02 });
    expect(status.gates[3]).toEqual({ name: "error-rate", when: "after", status: "pending" });
  });
});

describe("waits, and the next events without a person", () => {
  const told = (instant: Instant) => answersOf(see(makeInstant(instant)));

  test("an open pull request waits for its approvers, without a next event", () => {
    const answers = told({ progress: allMigrated, run: over, snapshot: pulls() });
    expect(answers.waiting).toEqual([
      {
        text:
          "stage prod-50 of istio-1-25 waits in pull request 119 for 1 approval from team:mesh (not the author's): " +
          "https://github.com/acme/rollouts/pull/119 (team:mesh)",
        command: "gh pr review 119 --approve",
      },
    ]);
    expect(answers.next[0]?.text).toBe("#119 for prod-50 stays open: a person merges it, with 1 approval of team:mesh");
  });

  test("an approved pull request waits to be merged, one with a failed check for a person", () => {
    const approved = { checks: { plan: "success", approvals: "success" } } as const;
    expect(told({ progress: allMigrated, run: over, snapshot: pulls(approved) }).waiting[0]?.text).toContain(
      "waits for a person to merge pull request 119",
    );
    const red = { checks: { plan: "failure", approvals: "pending" } } as const;
    expect(told({ progress: allMigrated, run: over, snapshot: pulls(red) }).waiting[0]?.text).toContain("is red");
  });

  test("a stage that may be proposed opens next; a missing GitHub is named", () => {
    expect(told({ progress: allMigrated, run: over }).waiting[0]?.text).toBe(
      "the pull request for prod-50 opens next (meshroll)",
    );
    const { pulls: _, ...unread } = makeInstant({ progress: allMigrated, run: over });
    expect(see(unread).waiting).toMatchObject([{ code: "GitHubUnread", command: "meshroll doctor" }]);
  });

  test("a stop shows its actor, its reason, the command that ends it, and no next event", () => {
    const stops = stopOf({ id: "p", scope: `run/${instantRun}`, who: "ana", why: "5xx on listings" });
    const answers = told({ stops });
    expect(answers.waiting[0]).toMatchObject({
      text: expect.stringContaining("5xx on listings") as string,
      command: `meshroll resume run/${instantRun} --reason "…"`,
    });
    expect(answers.next[0]?.text).toBe("nothing until a person acts");
  });

  test("a closed window says when it opens, an open one when it closes if that comes first", () => {
    const evening = told({ snapshot: { now: noon + 5 * 3_600_000 } });
    expect(evening.next[0]?.text).toBe("at 2026-11-23T08:00:00.000Z 16 workloads may move again");
    const afternoon = told({ snapshot: { now: Date.parse("2026-11-19T15:50:00.000Z") } });
    expect(afternoon.next[1]?.text).toBe(
      "at 2026-11-19T16:00:00.000Z the window closes: workloads that have not moved by then wait",
    );
  });

  test("the stage after a bake cannot start before its window opens", () => {
    const bake = { beganAt: "", neededMs: 86_400_000, healthyMs: 3_600_000, savedAt: "2026-11-19T11:43:00.000Z" };
    const lines = told({ progress: allMigrated, run: { bake } }).next.map(({ text }) => text);
    expect(lines.slice(0, 3)).toEqual([
      "at 2026-11-20T10:43:00.000Z the bake ends",
      "at 2026-11-20T10:43:00.000Z the pull request for prod-50 opens: a person merges it, with 1 approval of team:mesh",
      'at 2026-11-23T08:00:00.000Z prod-50 can start; until then it is outside the window "0 9 * * 1-4" for 8h, Europe/Berlin',
    ]);
  });

  test("7.6 with no open run the fleet's answers are the waits and events of campaigns", () => {
    const { waiting, next } = statusOf(makeInstant({ progress: allMigrated, run: over, snapshot: pulls() }));
    expect(waiting).toMatchObject([{ scope: "campaign/istio-1-25", code: "ApprovalNeeded", owner: "team:mesh" }]);
    expect(next.map(sayComing)).toEqual([
      "istio-1-25: #119 for prod-50 stays open: a person merges it, with 1 approval of team:mesh",
    ]);
  });

  test("another run's waits are not shown", () => {
    const status = statusOf(makeInstant());
    const scopes = see(makeInstant()).waiting.map(({ scope }) => findRunNamed(scope));
    expect(status.waiting.length).toBeGreaterThan(0);
    expect(new Set(scopes)).toEqual(new Set([instantRun]));
  });
});

test("stop and undo name the campaign, its newest run, and their effect", () => {
  const { stop, undo } = see(makeInstant());
  expect(stop).toEqual({
    command: 'meshroll pause istio-1-25 --reason "…"',
    effect: writeText("no new batches and no new pull requests of istio-1-25; 6 in-flight rollouts continue"),
  });
  expect(undo.command).toBe(`meshroll rollback run/${instantRun} --reason "…"`);
  expect(undo.effect).toContain("up to 18 workloads, 20 at a time in each cluster");
});
