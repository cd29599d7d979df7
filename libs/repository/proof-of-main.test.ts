import { createFakeRemote, openFakeRepository } from "#fakes/git";
import { createVirtualClock } from "#fakes/runtime";
import { testInstallation } from "#libs/input";
import { type Ledger, openLedger } from "#libs/ledger";
import { createRepositorySnapshots } from "#libs/repository";
import { type LedgerState, makeBaseline, type RunRecord } from "#libs/plan";
import { makeRun } from "#test/world/build";
import { describe, expect, test } from "vitest";

const file = (percent: number) => `production:\n  old: ${100 - percent}\n  new: ${percent}\n`;
const said = (percent: number) => {
  if (percent === 0) return '[["old",100]]';
  return percent === 100 ? '[["new",100]]' : `[["new",${percent}],["old",${100 - percent}]]`;
};
const move = (from: number, to: number, direction: "forward" | "rollback" = "forward") => [
  { pattern: "production", from: said(from), to: said(to), direction },
];

interface Step {
  readonly files: Readonly<Record<string, string | null>>;
}

/** Main from 0 % on by these steps, and a ledger of runs that `record` makes of the commits; the first is the baseline. */
async function open(
  steps: readonly Step[],
  record: (shas: readonly string[], elsewhere: string) => Partial<LedgerState>,
) {
  const remote = createFakeRemote();
  const clock = createVirtualClock();
  const first = remote.commitToMain({ files: { "rollouts.yml": file(0) } });
  const shas = [first, ...steps.map((step) => remote.commitToMain(step))];
  const elsewhere = remote.commitTo("mallory/evil", { files: { "rollouts.yml": file(100) } });
  const repository = openFakeRepository(remote);
  const { next, ...entry } = makeBaseline(first, clock.now(), "ana", testInstallation);
  const main = shas.at(-1) ?? "";
  const state: LedgerState = { ...next, main, judged: main, ...record(shas, elsewhere) };
  await openLedger(repository).record({ ...entry, next: state }, undefined);
  return { remote, clock, repository, shas };
}

const at = (percent: number): Step => ({ files: { "rollouts.yml": file(percent) } });
const broken = "kind: Nothing\n";

function index(...runs: readonly RunRecord[]): Pick<LedgerState, "runs"> {
  return { runs: Object.fromEntries(runs.map((run) => [run.id, run])) };
}

const done = (commit = "", before = "", change: Partial<RunRecord> = {}) =>
  makeRun(commit, before, { state: "done", ...change });

interface Case {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly record: (shas: readonly string[], elsewhere: string) => Partial<LedgerState>;
  /** Order, from, to and direction of each run; or that it is gone. */
  readonly want: readonly string[];
  readonly wantForeign: (shas: readonly string[]) => readonly string[];
}

const cases: readonly Case[] = [
  {
    name: "a ledger that says what main says stays as it is",
    steps: [at(30), at(0)],
    record: ([a, b, c]) =>
      index(done(b, a, { order: 4, changes: move(0, 30) }), done(c, b, { order: 9, changes: move(30, 0, "rollback") })),
    want: ["4 forward 30", "9 rollback 0"],
    wantForeign: () => [],
  },
  {
    name: "what a run changes is main's word, and runs are in main's order",
    steps: [at(30), at(0)],
    record: ([a, b, c]) =>
      index(done(b, a, { order: 2, changes: move(100, 30) }), done(c, b, { order: 1, changes: move(30, 0) })),
    want: ["1 forward 30", "2 rollback 0"],
    wantForeign: ([, b = "", c = ""]) => [b, c].map((sha) => `runs/${sha.slice(0, 12)}.json`),
  },
  {
    name: "a run of a commit that main does not have is gone",
    steps: [at(30)],
    record: ([a, b], elsewhere) =>
      index(done(b, a, { order: 2, changes: move(0, 30) }), done(elsewhere, a, { order: 1, changes: move(0, 100) })),
    want: ["gone", "2 forward 30"],
    wantForeign: () => [],
  },
  {
    name: "a commit whose settings had an error was never judged: the next one without is the run",
    steps: [
      { files: { "rollouts.yml": file(60), "meshroll.yml": broken } },
      { files: { "meshroll.yml": null } },
      at(0),
    ],
    record: ([a, , c, d]) =>
      index(done(c, a, { order: 1, changes: move(0, 60) }), done(d, c, { order: 2, changes: move(60, 0, "rollback") })),
    want: ["1 forward 60", "2 rollback 0"],
    wantForeign: () => [],
  },
  {
    name: "what main had only with such an error it never had",
    steps: [
      { files: { "rollouts.yml": file(60), "meshroll.yml": broken } },
      { files: { "rollouts.yml": file(30), "meshroll.yml": null } },
      at(60),
    ],
    record: ([a, , c, d]) =>
      index(
        done(c, a, { order: 1, changes: move(0, 30) }),
        done(d, c, { order: 2, changes: move(30, 60, "rollback") }),
      ),
    want: ["1 forward 30", "2 forward 60"],
    wantForeign: ([, , , d = ""]) => [`runs/${d.slice(0, 12)}.json`],
  },
  {
    name: "a commit whose campaign had an error is a change like any other",
    steps: [{ files: { "rollouts.yml": file(60), "campaigns/a.yml": "kind: [" } }, at(0)],
    record: ([a, b, c]) =>
      index(done(b, a, { order: 1, changes: move(0, 60) }), done(c, b, { order: 2, changes: move(60, 0, "rollback") })),
    want: ["1 forward 60", "2 rollback 0"],
    wantForeign: () => [],
  },
  {
    name: "with a baseline that main does not have no run is left, and it is named",
    steps: [at(30)],
    record: ([a, b], elsewhere) => ({
      ...index(done(b, a, { changes: move(0, 30) })),
      baseline: { commit: elsewhere, at: "2026-01-01T00:00:00.000Z", by: "eve", installation: testInstallation },
    }),
    want: ["gone"],
    wantForeign: () => ["baseline"],
  },
];

const show = ({ runs = {} }: Partial<LedgerState> = {}) =>
  Object.values(runs)
    .toSorted((a, b) => a.order - b.order)
    .map(({ state, order, changes: [change] }) =>
      state === "gone" ? "gone" : `${order} ${change?.direction} ${/"new",(\d+)/u.exec(change?.to ?? "")?.[1] ?? 0}`,
    );

describe("2.1 main's own history says what main had", () => {
  test.each(cases)("2.1 $name", async ({ steps, record, want, wantForeign }) => {
    const { repository, clock, shas } = await open(steps, record);
    const { ledger, main } = await createRepositorySnapshots(repository, openLedger(repository), clock).refresh();
    expect([show(ledger), [...(main.foreign ?? [])].toSorted()]).toEqual([want, wantForeign(shas).toSorted()]);
  });

  test("2.1 what main changed after the newest record is told too, until it is on record", async () => {
    const { repository, clock } = await open([at(30), at(60), at(0)], ([a, b]) => ({
      ...index(done(b, a, { order: 7, changes: move(0, 30) })),
      judged: b ?? "",
    }));
    const repositorySnapshots = createRepositorySnapshots(repository, openLedger(repository), clock);
    const { ledger } = await repositorySnapshots.refresh();
    expect(ledger?.ahead).toEqual([
      { order: 8, changes: move(30, 60) },
      { order: 9, changes: move(60, 0, "rollback") },
    ]);
  });

  test("2.1 a false record is named until it is rewritten", async () => {
    const { repository, clock } = await open([at(30), at(0)], ([a, b, c]) =>
      index(
        done(b, a, { order: 1, changes: move(100, 30) }),
        done(c, b, { order: 2, changes: move(30, 0, "rollback") }),
      ),
    );
    const ledger = openLedger(repository);
    const repositorySnapshots = createRepositorySnapshots(repository, ledger, clock);
    const record = async (change: (state: LedgerState) => Partial<LedgerState>): Promise<number | undefined> => {
      const state = repositorySnapshots.view()?.ledger;
      if (state === undefined) throw new Error("there is a ledger");
      const next = { ...state, sequence: state.sequence + 1, ...change(state) };
      const made = await ledger.record({ sentence: "x", actor: "ana", cause: "x", next }, state);
      if (made.kind !== "recorded") throw new Error(made.why);
      await repositorySnapshots.adopt(made.state);
      await repositorySnapshots.refresh();
      return repositorySnapshots.view()?.main.foreign?.length;
    };
    await repositorySnapshots.refresh();
    const first = repositorySnapshots.view()?.main.foreign?.length;
    const other = await record(() => ({}));
    const own = await record(({ runs }) => {
      return { runs: Object.fromEntries(Object.entries(runs).map(([id, run]) => [id, { ...run, subject: "again" }])) };
    });
    expect([first, other, own]).toEqual([1, 1, 0]);
  });

  test("2.1 it is read on as main grows, from where it was", async () => {
    const { remote, repository, clock, shas } = await open([at(30)], ([a, b]) =>
      index(done(b, a, { changes: move(0, 30) })),
    );
    const froms: string[] = [];
    const counted = {
      ...repository,
      readChanges: async (...call: Parameters<typeof repository.readChanges>) => {
        // The other history that is read is the ledger's, from its first commit on.
        if (call[0] !== undefined) froms.push(call[0]);
        return repository.readChanges(...call);
      },
    };
    const repositorySnapshots = createRepositorySnapshots(counted, openLedger(repository), clock);
    await repositorySnapshots.refresh();
    await repositorySnapshots.refresh();
    const later = remote.commitToMain(at(40));
    await repositorySnapshots.refresh();
    expect([froms.at(0), froms.at(-1), new Set(froms).size]).toEqual([shas[0], shas[1], 2]);
    expect(repositorySnapshots.view()?.main.points.map(({ commit }) => commit.sha)).toEqual([later]);
  });

  test("2.1 a record that is read from the archive for a verb is main's word too", async () => {
    const { repository, clock, shas } = await open([at(30)], ([a, b]) => index(done(b, a, { changes: move(0, 30) })));
    const id = shas[1]?.slice(0, 12) ?? "";
    const ledger = openLedger(repository);
    const lying: Ledger = {
      ...ledger,
      load: async (commit) => {
        const state = await ledger.load(commit);
        const runs = Object.values(state.runs).map((run): [string, RunRecord] => [
          run.id,
          { ...run, archived: "facts" },
        ]);
        return { ...state, runs: Object.fromEntries(runs) };
      },
      recall: async (state) => {
        const run = state.runs[id];
        if (run === undefined) return state;
        return { ...state, runs: { [id]: { ...run, changes: move(100, 30), archived: "whole" } } };
      },
    };
    const repositorySnapshots = createRepositorySnapshots(repository, lying, clock);
    await repositorySnapshots.refresh();
    await repositorySnapshots.want([], [id]);
    expect(repositorySnapshots.view()?.ledger?.runs[id]?.changes).toEqual(move(0, 30));
  });
});
