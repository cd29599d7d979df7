import { decide, type StopRecord, type Snapshot } from "#libs/plan";
import { makeLedger, makeRun, makeSpec, makeStop, makeSnapshot, runId, sha } from "#test/world/build";
import { sentenceOf, wordsOf } from "#test/world/words";
import { expect, test } from "vitest";

const changes = [{ pattern: "production", from: "old: 100", to: "new: 100", direction: "forward" as const }];
const run = makeRun(sha("head"), sha("base"), { changes, state: "done" });
const rollback = makeStop({ id: "r", scope: `run/${runId}`, cause: "rollback", revertTo: sha("base") });

function listWaits(stop: StopRecord, change: Partial<Snapshot> = {}, state: typeof run.state = "done") {
  const ledger = makeLedger({
    main: sha("head"),
    judged: sha("head"),
    baseline: { ...makeLedger().baseline, commit: sha("base") },
    runs: { [runId]: { ...run, state } },
    stops: { r: stop },
  });
  const decisions = decide(makeSnapshot({ ledger, ...change }));
  return decisions.flatMap((each) =>
    each.kind === "wait" && each.scope === stop.scope
      ? [`${each.reason.code}: ${sentenceOf(wordsOf(each.reason))}`]
      : [],
  );
}

const history = "meshroll history lists the runs";
const stands = `run ${runId} is stopped, and not rolled back`;
const head = { [sha("head")]: makeSpec(sha("head"), 100) };
const onlyHead = { specs: new Map(Object.entries(head)) };
const finding = {
  code: "MR2001",
  severity: "error" as const,
  file: "meshroll.yml",
  line: 2,
  column: 3,
  message: "no such key",
};
const vanished = { main: { ...makeSnapshot().main, vanished: [sha("base")] } };
const unreadable = {
  main: { ...makeSnapshot().main, unreadable: new Map([[sha("base"), [finding]]]) },
};

const cases: readonly {
  readonly name: string;
  readonly stop: StopRecord;
  readonly change?: Partial<Snapshot>;
  readonly state?: typeof run.state;
  readonly want: readonly string[];
}[] = [
  { name: "that can be carried out", stop: rollback, want: [] },
  {
    name: "of a run whose commit vanished from main after the request",
    stop: rollback,
    state: "gone",
    want: [`RollbackRefused: ${stands}: run ${runId} is gone: its commit vanished from main`],
  },
  {
    name: "of a run that the ledger does not have",
    stop: { ...rollback, scope: "run/aaaaaaaaaaaa" },
    want: [
      `RollbackRefused: run/aaaaaaaaaaaa is stopped, and not rolled back: there is no run/aaaaaaaaaaaa: ${history}`,
    ],
  },
  {
    name: "of a bucket instead of a run",
    stop: { ...rollback, scope: "bucket/production" },
    want: [
      `RollbackRefused: bucket/production is stopped, and not rolled back: there is no bucket/production: ${history}`,
    ],
  },
  {
    name: "to a commit that main never had",
    stop: { ...rollback, revertTo: sha("other") },
    want: [
      `RollbackRefused: ${stands}: main was never at ${sha("other").slice(0, 12)} between the baseline and run ${runId}: ` +
        "meshroll history lists the commits",
    ],
  },
  {
    name: "to the commit before the run, which vanished from main",
    stop: rollback,
    change: { ...onlyHead, ...vanished },
    want: [
      `RollbackRefused: ${stands}: main was never at ${sha("base").slice(0, 12)} between the baseline and run ${runId}: ` +
        "meshroll history lists the commits",
    ],
  },
  {
    name: "to a commit whose files this process has not read",
    stop: rollback,
    change: onlyHead,
    want: [
      `CommitUnread: the rollback of run/${runId} waits for the files of commit ${sha("base").slice(0, 12)}: ` +
        "they were not read from git yet, or main does not have it",
    ],
  },
  {
    name: "to a commit whose files this version cannot parse",
    stop: { ...rollback, now: true },
    change: { ...onlyHead, ...unreadable },
    want: [
      `CommitUnread: the rollback of run/${runId} waits for the files of commit ${sha("base").slice(0, 12)}: ` +
        "they do not parse with this version of meshroll (meshroll.yml:2:3 no such key)",
    ],
  },
];

test.each(cases)("README 5: what waits of a rollback $name", ({ stop, change, state, want }) => {
  expect(listWaits(stop, change, state)).toEqual(want);
});
