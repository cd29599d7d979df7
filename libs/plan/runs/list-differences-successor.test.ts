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
  { name: "what it moved itself is no difference", workload: by("a", first, "new"), successor: later(back), want: [] },
  {
    name: "what a rollback wrote to was rolled back",
    workload: by("a", second, "old"),
    successor: later(back),
    want: ["rolled back a: run 222222222222 has it now"],
  },
  {
    name: "so was what it had no turn for before the rollback came",
    workload: unwritten("a"),
    successor: later(back),
    want: ["rolled back a: run 222222222222 has it now"],
  },
  {
    name: "what a later run moved on is skipped",
    workload: by("a", second, "newer"),
    successor: later(forward),
    want: ["skipped a: run 222222222222 has it now"],
  },
  { name: "what no run took over was there already", workload: by("a", zeroth, "new"), want: ["already there a:"] },
  {
    name: "a workload that moved unlisted and was rolled back since is late",
    workload: by("b", second, "old"),
    successor: later(back),
    want: ["gone a:", "late b:"],
  },
  {
    name: "nor whom a later run moved on: it is unknown whether this one did",
    workload: by("b", second, "newer"),
    successor: later(forward),
    want: ["gone a:"],
  },
  {
    name: "who moved unlisted, and whom a later run took over before it moved it on, is late",
    workload: by("b", first, "new"),
    successor: later(forward),
    want: ["gone a:", "late b:"],
  },
  {
    name: "a workload that moved unlisted and was rolled back with its run's rollback at once is late, though others of the run stay",
    workload: by("b", first, "old"),
    stop: undo(first, since),
    want: ["gone a:", "late b:"],
  },
  {
    name: "so is one rolled back with a rollback at once of an earlier run, which rolled this one back, too",
    workload: by("b", zeroth, "old"),
    stop: undo(zeroth, since),
    want: ["gone a:", "late b:"],
  },
  {
    name: "what was listed and was rolled back with a rollback at once of an earlier run was rolled back",
    workload: by("a", zeroth, "old"),
    stop: undo(zeroth, since),
    want: ["rolled back a: the rollback of run 000000000000 took it back"],
  },
  {
    name: "what an earlier run brought to the same was there already, whatever was rolled back since",
    workload: by("a", zeroth, "new"),
    stop: undo(zeroth, since),
    want: ["already there a:"],
  },
  {
    name: "one that was rolled back with its rollback at once, and whose answer it had not changed, was moved by a later run",
    workload: by("b", first, "old"),
    stop: undo(first, since),
    percent: 0,
    want: ["gone a:"],
  },
];
test.each(cases)("10.2 of a run of which no workload is left: $name", ({ workload, want, ...rest }) => {
  expect(list(workload, rest)).toEqual(want);
});
