import { PassThrough } from "node:stream";

import { listForwardBuckets, listUndoable, type FleetStatus } from "#libs/plan";
import { makeLedger, makeRun, makeStop, sha } from "#test/world/build";
import { describe, expect, it } from "vitest";

import { markForward, printForward, refuseForwardNow } from "./forward-rollback.ts";
import { type CampaignExtent, findCampaignRollback } from "./campaign-rollback.ts";
import { confirm, requirePerson } from "../../terminal/confirm.ts";
import { printRollback } from "./print-rollback.ts";
import { findRollback } from "./rollback-subject.ts";
import type { Terminal } from "../../terminal/terminal.ts";

const change = (direction: "forward" | "rollback") => ({ pattern: "production", from: "a", to: "b", direction });
const [first, second, third, gone] = ["r1", "r2", "r3", "r4"].map((name) => sha(name));

function makeOne(
  commit: string | undefined,
  order: number,
  direction: "forward" | "rollback",
  state: "done" | "gone" = "done",
) {
  const run = makeRun(commit ?? "", sha("base"), { order, state, changes: [change(direction)] });
  return [run.id, run] as const;
}

const ledger = makeLedger({
  runs: Object.fromEntries([
    makeOne(first, 1, "forward"),
    makeOne(second, 2, "forward"),
    makeOne(third, 3, "rollback"),
    makeOne(gone, 4, "forward", "gone"),
  ]),
});
const idOf = (commit: string | undefined): string => (commit ?? "").slice(0, 12);
const status = {
  undo: { run: idOf(second), command: `meshroll rollback run/${idOf(second)} --reason "…"` },
} as FleetStatus;

describe("which run a rollback means", () => {
  it("2.2 without a name the newest run that moved a bucket forward", () => {
    expect(findRollback(undefined, ledger, status, listForwardBuckets).run).toBe(idOf(second));
  });

  it("without a ledger the run in the planner's undo command", () => {
    expect(findRollback(undefined, undefined, status, listForwardBuckets)).toEqual({ run: idOf(second) });
    expect(() => findRollback(undefined, undefined, undefined, listForwardBuckets)).toThrow(
      /the newest run is unknown/,
    );
  });

  const refused: readonly { readonly name: string; readonly run: string; readonly want: RegExp }[] = [
    { name: "an unknown run", run: "0123456789ab", want: /there is no run 0123456789ab/ },
    { name: "a run that vanished from main", run: idOf(gone), want: /is gone/ },
    { name: "a rollback", run: idOf(third), want: /is a rollback: there is nothing forward/ },
  ];
  it.each(refused)("refuses $name", ({ run, want }) => {
    expect(() => findRollback(run, ledger, status, listForwardBuckets)).toThrow(want);
  });

  it("refuses an empty ledger: there is nothing to undo", () => {
    expect(() => findRollback(undefined, makeLedger(), undefined, listForwardBuckets)).toThrow(/nothing to undo/);
  });
});

describe("which runs the rollback of a campaign means", () => {
  const [one, two, other] = ["c1", "c2", "c3"].map((name) => sha(name));
  const inCampaign = (commit: string | undefined, order: number, stage: string, pattern: string) => {
    const run = makeRun(commit ?? "", sha(`before-${order}`), {
      order,
      state: "done",
      campaign: "istio-1-25",
      stage,
      changes: [{ ...change("forward"), pattern }],
    });
    return [run.id, run] as const;
  };
  const campaigns = makeLedger({
    runs: Object.fromEntries([
      inCampaign(one, 1, "staging", "staging"),
      inCampaign(other, 2, "prod-5", "production"),
      inCampaign(two, 3, "prod-25", "production"),
    ]),
  });
  const find = (extent: CampaignExtent, of: typeof campaigns | undefined = campaigns, name = "istio-1-25") =>
    findCampaignRollback(name, extent, of, undefined, listForwardBuckets);

  it("its newest, or the newest of a stage", () => {
    expect(find({ whole: false }).map(({ run }) => run)).toEqual([idOf(two)]);
    expect(find({ whole: false, stage: "staging" }).map(({ run }) => run)).toEqual([idOf(one)]);
  });

  it("with --campaign the newest run of each bucket, back to before the first", () => {
    expect(find({ whole: true }).map(({ run, revertTo }) => ({ run, revertTo }))).toEqual([
      { run: idOf(two), revertTo: sha("before-1") },
      { run: idOf(one), revertTo: undefined },
    ]);
  });

  it("refuses a stage that never moved a workload, and lists those that did", () => {
    const message = "stage prod-50 of istio-1-25 moved no workload forward";
    const help = ["stages that did: staging, prod-5, prod-25"];
    expect(() => find({ whole: false, stage: "prod-50" })).toThrow(expect.objectContaining({ message, help }));
  });

  it("refuses without a ledger and without a status", () => {
    expect(() => findCampaignRollback("x", { whole: false }, undefined, undefined, listForwardBuckets)).toThrow(
      /no ledger/,
    );
  });

  it("refuses an unknown campaign with the nearest name, and one without runs", () => {
    const status = { campaigns: [{ name: "istio-1-26" }] } as unknown as FleetStatus;
    const ask = (name: string) => () =>
      findCampaignRollback(name, { whole: false }, campaigns, status, listForwardBuckets);
    const help = ["did you mean istio-1-25?", "known: istio-1-25, istio-1-26"];
    expect(ask("istio-1-52")).toThrow(expect.objectContaining({ message: "there is no campaign istio-1-52", help }));
    expect(ask("istio-1-26")).toThrow(/^campaign istio-1-26 moved no workload forward/u);
  });

  it("without a ledger its newest is the one in the planner's undo command", () => {
    const sketch = {
      campaigns: [{ name: "istio-1-25", undo: { run: idOf(two), command: `meshroll rollback run/${idOf(two)}` } }],
    };
    const status = sketch as unknown as FleetStatus;
    const found = findCampaignRollback("istio-1-25", { whole: false }, undefined, status, listForwardBuckets);
    expect(found).toEqual([{ run: idOf(two) }]);
  });
});

describe("the preview of a rollback", () => {
  it("says how it is rolled back, and what cannot be shown", () => {
    const run = idOf(second);
    const lines = printRollback({ run }, { kind: "unknown", why: "the ledger is not at hand" }, false);
    expect(lines.join("\n")).toContain("! what rolls back cannot be shown: the ledger is not at hand");
    expect(lines.join("\n")).toContain(`pull request on meshroll/rollback/${run}`);
    const said = printRollback({ run }, { kind: "said" }, false).join("\n");
    expect(said).toContain("main is rolled back already: workloads that differ roll back, no pull request is needed");
    expect(said).not.toContain("meshroll/rollback/");
  });

  describe("2.4 a rollback of a rollback", () => {
    const print = (share: number): string =>
      JSON.stringify(
        [
          ["new", share],
          ["old", 100 - share],
        ].filter(([, w]) => w !== 0),
      );
    const step = (commit: string | undefined, order: number, from: number, to: number) =>
      makeRun(commit ?? "", sha("base"), {
        order,
        buckets: ["production"],
        changes: [{ pattern: "production", from: print(from), to: print(to), direction: "forward" }],
      });
    const [raised, lowered] = [step(first, 1, 0, 80), step(second, 2, 80, 20)];
    const stops = [
      makeStop({ id: "a", scope: "all", who: "ana", why: "INC-1" }),
      makeStop({ id: "b", scope: "bucket/production", who: "ben", why: "5xx", strength: "propose" }),
      makeStop({ id: "c", scope: "bucket/other" }),
      makeStop({ id: "d", scope: "all", resume: { at: "2026-11-19T12:00:00Z", who: "ana", why: "over" } }),
    ];
    const had = makeLedger({
      runs: { [raised.id]: raised, [lowered.id]: lowered },
      stops: Object.fromEntries(stops.map((stop) => [stop.id, stop])),
    });
    const subject = markForward({ run: lowered.id, record: lowered }, had, listUndoable);

    it("says that it goes forward, and what holds it", () => {
      const lines = printRollback(subject, { kind: "unknown", why: "no fleet" }, false).join("\n");
      expect(lines).toContain("this run is a rollback: undoing it goes forward");
      expect(lines).toContain(
        "pause on all by ana: INC-1\n    hold on bucket/production by ben: 5xx\n  by a pull request",
      );
      expect(lines).toContain("that people approve and merge");
      expect(lines).not.toContain("windows and freezes do not count");
    });

    it("`--now` is refused, and names the command without it", () => {
      const message = expect.stringMatching(/is not rolled back at once\n {2}! this run is a rollback/u) as string;
      const command = { command: `meshroll rollback run/${lowered.id} --reason "…"` };
      const help = [[command, "  without --now proposes it as a pull request"]];
      expect(() => refuseForwardNow(subject)).toThrow(expect.objectContaining({ message, help }));
      expect(() => refuseForwardNow({ run: raised.id })).not.toThrow();
    });

    it("of a forward run does not go forward; without stops none is listed", () => {
      const other = { run: raised.id, record: raised };
      expect(markForward(other, had, listUndoable)).toEqual(other);
      expect(printForward({ stops: [] })).toContain("  no stop holds it now");
    });
  });
});

/** Asks a person who types this, or closes the input. */
async function agree(typed: string, isTTY = true): Promise<string> {
  const stdin = Object.assign(new PassThrough(), { isTTY });
  const stderr = new PassThrough();
  stdin.end(typed);
  const terminal: Terminal = { stdin, stdout: new PassThrough(), stderr, cwd: "/", env: {} };
  const asking = async (): Promise<void> => {
    requirePerson(terminal);
    await confirm("8abdbc074a6d", terminal);
  };
  return asking().then(
    () => "agreed",
    (error: unknown) => (error instanceof Error ? error.message : ""),
  );
}

describe("the question before a rollback", () => {
  const cases: readonly {
    readonly name: string;
    readonly typed: string;
    readonly isTTY?: boolean;
    readonly want: RegExp;
  }[] = [
    { name: "the run's id continues", typed: "8abdbc074a6d\n", want: /^agreed$/ },
    { name: "yes is not enough", typed: "yes\n", want: /^nothing was done/ },
    { name: "an empty line means no", typed: "\n", want: /^nothing was done/ },
    { name: "end of input means no", typed: "", want: /^nothing was done/ },
    { name: "refuses without a terminal", typed: "8abdbc074a6d\n", isTTY: false, want: /stdin is not a terminal/ },
  ];
  it.each(cases)("$name", async ({ typed, isTTY = true, want }) => expect(await agree(typed, isTTY)).toMatch(want));
});
