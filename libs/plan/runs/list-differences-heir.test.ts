import type { Workload } from "#libs/fleet";
import {
  makeMigrated,
  makeCluster,
  makeLedger,
  makeRun,
  makeSpec,
  makeWorkload,
  makeSnapshot,
  noon,
  sha,
} from "#test/world/build";
import { expect, test } from "vitest";

import type { LedgerState, PlanRecord, RunRecord } from "../records/ledger-state.ts";
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

/** `why name: reason` of each difference when nobody is left of the run. */
function list(workload: Workload, successor: RunRecord | undefined): readonly string[] {
  const runs: LedgerState["runs"] = Object.fromEntries(
    [run, earlier, ...(successor === undefined ? [] : [successor])].map((each) => [each.id, each]),
  );
  const snapshot = makeSnapshot({
    specs: new Map([base, head].map((commit, index) => [commit, makeSpec(commit, index * 100)])),
    clusters: new Map([["one", makeCluster("one", [workload])]]),
  });
  const ledger = makeLedger({ runs, plans: { [plan.head]: plan } });
  const found = describeList(snapshot, ledger, run, { run, clusters: new Map() }, successor?.id) ?? [];
  return found.map(({ why, workload: name, reason = "" }) => `${why} ${name.split("/")[2]}: ${reason}`.trim());
}

/** As a run left it. */
const by = (name: string, id: string, revision: string) => makeMigrated(makeWorkload(`shop/${name}`), revision, id);
const unwritten = (name: string) => makeWorkload(`shop/${name}`);
const cases: readonly {
  readonly name: string;
  readonly workload: Workload;
  readonly successor?: RunRecord;
  readonly want: readonly string[];
}[] = [
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
  { name: "what nobody took over was there already", workload: by("a", zeroth, "new"), want: ["already there a:"] },
  {
    name: "who moved unlisted and went back since is late",
    workload: by("b", second, "old"),
    successor: later(back),
    want: ["gone a:", "late b:"],
  },
  { name: "who never moved is not", workload: unwritten("b"), successor: later(back), want: ["gone a:"] },
  {
    name: "nor whom a later run moved on: nobody knows whether this one did",
    workload: by("b", second, "newer"),
    successor: later(forward),
    want: ["gone a:"],
  },
];
test.each(cases)("10.2 of a run of which nobody is left: $name", ({ workload, successor, want }) => {
  expect(list(workload, successor)).toEqual(want);
});
