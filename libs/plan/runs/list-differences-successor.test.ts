import type { Workload } from "#libs/fleet";
import {
  makeMigrated,
  makeCluster,
  makeLedger,
  makeRun,
  makeSpec,
  makeWorkload,
  makeSnapshot,
  makeStop,
  noon,
  sha,
} from "#test/world/build";
import { expect, test } from "vitest";

import type { LedgerState, PlanRecord, RunRecord, StopRecord } from "../records/ledger-state.ts";
import { describeList } from "./list-differences.ts";

const plan: PlanRecord = {
  head: "abc",
  campaign: "up",
  stage: "all",
  branch: "meshroll/up/all",
  at: new Date(noon).toISOString(),
  changes: [],
  digest: "sha256:1",
  list: `${["shop", "production", "old", "new", "one", "shop/Deployment/a"].join("\t")}\n`,
};
const [first, second, zeroth] = ["111111111111", "222222222222", "000000000000"] as const;
const [base, head] = [sha("base"), sha("head")];
const forward = [{ pattern: "production", from: "old: 100", to: "new: 100", direction: "forward" as const }];
const back = [{ pattern: "production", from: "new: 100", to: "old: 100", direction: "rollback" as const }];
const run = makeRun(head, base, { id: first, order: 1, list: plan.head, changes: forward });
const later = (changes: RunRecord["changes"]): RunRecord => makeRun(base, head, { id: second, order: 2, changes });
const earlier = makeRun(base, sha("zero"), { id: zeroth, order: 0, changes: forward });

/** A `rollback --now` of a run, placed at this time. */
const undo = (id: string, at: string) =>
  makeStop({ id: "undo", scope: `run/${id}`, cause: "rollback", revertTo: base, now: true, at });
const since = "2026-11-19T12:00:01.000Z";

/** A run that ends without this workload: the later runs, and which of them took over all that was left. */
interface Later {
  readonly successor?: RunRecord;
  readonly other?: RunRecord;
  readonly stop?: StopRecord;
  /** Of `new`, by the run's own commit. */
  readonly percent?: number;
}

/** `why name: reason` of each difference when the workload no longer belongs to the run. */
function list(workload: Workload, { successor, other, stop, percent = 100 }: Later): readonly string[] {
  const runs: LedgerState["runs"] = Object.fromEntries(
    [run, earlier, successor, other].flatMap((each) => (each === undefined ? [] : [[each.id, each]])),
  );
  const snapshot = makeSnapshot({
    specs: new Map([base, head].map((commit, index) => [commit, makeSpec(commit, index * percent)])),
    clusters: new Map([["one", makeCluster("one", [workload])]]),
  });
  const stops = stop === undefined ? {} : { [stop.id]: stop };
  const ledger = makeLedger({ runs, stops, plans: { [plan.head]: plan } });
  const found = describeList(snapshot, ledger, run, { run, clusters: new Map() }, successor?.id) ?? [];
  return found.map(({ why, workload: name, reason = "" }) => `${why} ${name.split("/")[2]}: ${reason}`.trim());
}

/** The workload after this run has moved it. */
const by = (name: string, id: string, revision: string) => makeMigrated(makeWorkload(`shop/${name}`), revision, id);
const unwritten = (name: string) => makeWorkload(`shop/${name}`);
const cases: readonly (Later & {
  readonly name: string;
  readonly workload: Workload;
  readonly want: readonly string[];
})[] = [
  {
    name: "a listed workload that this run moved: no difference",
    workload: by("a", first, "new"),
    successor: later(back),
    want: [],
  },
  {
    name: "a listed workload that the later rollback wrote: rolled back",
    workload: by("a", second, "old"),
    successor: later(back),
    want: ["rolled back a: superseded by run 222222222222"],
  },
  {
    name: "a listed workload that was not written before the later rollback began: rolled back",
    workload: unwritten("a"),
    successor: later(back),
    want: ["rolled back a: superseded by run 222222222222"],
  },
  {
    name: "a listed workload that a later forward run moved: skipped",
    workload: by("a", second, "newer"),
    successor: later(forward),
    want: ["skipped a: superseded by run 222222222222"],
  },
  {
    name: "a listed workload that an earlier run moved: already there",
    workload: by("a", zeroth, "new"),
    want: ["already there a:"],
  },
  {
    name: "an unlisted workload that moved and was rolled back since: late",
    workload: by("b", second, "old"),
    successor: later(back),
    want: ["gone a:", "late b:"],
  },
  {
    name: "an unlisted workload that a later forward run moved: none, because it is unknown whether this run moved it",
    workload: by("b", second, "newer"),
    successor: later(forward),
    want: ["gone a:"],
  },
  {
    name: "an unlisted workload that this run moved, and a later run has taken over: late",
    workload: by("b", first, "new"),
    successor: later(forward),
    want: ["gone a:", "late b:"],
  },
  {
    name: "an unlisted workload of this run that its rollback --now put back: late",
    workload: by("b", first, "old"),
    stop: undo(first, since),
    want: ["gone a:", "late b:"],
  },
  {
    name: "an unlisted workload that the rollback --now of an earlier run put back: late",
    workload: by("b", zeroth, "old"),
    stop: undo(zeroth, since),
    want: ["gone a:", "late b:"],
  },
  {
    name: "a listed workload that the rollback --now of an earlier run put back: rolled back",
    workload: by("a", zeroth, "old"),
    stop: undo(zeroth, since),
    want: ["rolled back a: rolled back with run 000000000000"],
  },
  {
    name: "a listed workload that an earlier run had moved, under the rollback --now of that run: already there",
    workload: by("a", zeroth, "new"),
    stop: undo(zeroth, since),
    want: ["already there a:"],
  },
  {
    name: "an unlisted workload outside of this run's change, put back by its rollback --now: none",
    workload: by("b", first, "old"),
    stop: undo(first, since),
    percent: 0,
    want: ["gone a:"],
  },
];
test.each(cases)("10.2 of a run of which no workload is left: $name", ({ workload, want, ...rest }) => {
  expect(list(workload, rest)).toEqual(want);
});
