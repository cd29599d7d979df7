import type { Workload } from "#libs/fleet";
import {
  arrived,
  makeCluster,
  makeLedger,
  makeRun,
  makeSpec,
  makeWorkload,
  makeWorld,
  noon,
  sha,
} from "#test/world/build";
import { expect, test } from "vitest";

import type { LedgerState, PlanRecord, RunRecord } from "./ledger-state.ts";
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
const back = [{ pattern: "production", from: "new: 100", to: "old: 100", direction: "return" as const }];
const run = makeRun(head, base, { id: first, order: 1, list: plan.head, changes: forward });
const later = (changes: RunRecord["changes"]): RunRecord => makeRun(base, head, { id: second, order: 2, changes });
const earlier = makeRun(base, sha("zero"), { id: zeroth, order: 0, changes: forward });

/** `why name: reason` of each difference when nobody is left of the run. */
function list(workload: Workload, heir: RunRecord | undefined): readonly string[] {
  const runs: LedgerState["runs"] = Object.fromEntries(
    [run, earlier, ...(heir === undefined ? [] : [heir])].map((each) => [each.id, each]),
  );
  const world = makeWorld({
    specs: new Map([base, head].map((commit, index) => [commit, makeSpec(commit, index * 100)])),
    clusters: new Map([["one", makeCluster("one", [workload])]]),
  });
  const ledger = makeLedger({ runs, plans: { [plan.head]: plan } });
  const found = describeList(world, ledger, run, { run, clusters: new Map() }, heir?.id) ?? [];
  return found.map(({ why, workload: name, reason = "" }) => `${why} ${name.split("/")[2]}: ${reason}`.trim());
}

/** As a run left it. */
const by = (name: string, id: string, revision: string) => arrived(makeWorkload(`shop/${name}`), revision, id);
const unwritten = (name: string) => makeWorkload(`shop/${name}`);
const cases: readonly {
  readonly name: string;
  readonly workload: Workload;
  readonly heir?: RunRecord;
  readonly want: readonly string[];
}[] = [
  { name: "what it moved itself is no difference", workload: by("a", first, "new"), heir: later(back), want: [] },
  {
    name: "what a return wrote to was taken back",
    workload: by("a", second, "old"),
    heir: later(back),
    want: ["taken back a: run 222222222222 has it now"],
  },
  {
    name: "so was what it had no turn for before the return came",
    workload: unwritten("a"),
    heir: later(back),
    want: ["taken back a: run 222222222222 has it now"],
  },
  {
    name: "what a later run moved on is aside",
    workload: by("a", second, "newer"),
    heir: later(forward),
    want: ["aside a: run 222222222222 has it now"],
  },
  { name: "what nobody took over was there already", workload: by("a", zeroth, "new"), want: ["already there a:"] },
  {
    name: "who moved unlisted and went back since is late",
    workload: by("b", second, "old"),
    heir: later(back),
    want: ["gone a:", "late b:"],
  },
  { name: "who never moved is not", workload: unwritten("b"), heir: later(back), want: ["gone a:"] },
  {
    name: "nor whom a later run moved on: nobody knows whether this one did",
    workload: by("b", second, "newer"),
    heir: later(forward),
    want: ["gone a:"],
  },
];
test.each(cases)("10.2 of a run of which nobody is left: $name", ({ workload, heir, want }) => {
  expect(list(workload, heir)).toEqual(want);
});
