import { makeLedger, makeRun, makeStop, runId, sha } from "#test/world/build";
import type { TransitionReason } from "#libs/wording";
import { expect, it } from "vitest";

import type { LedgerChange } from "./ledger-change.ts";
import { listSubjects } from "./list-subjects.ts";

const run = makeRun(sha("head"), sha("base"), { campaign: "up" });
const stop = makeStop({ id: "s1", scope: "bucket/shop-*", rollbackOf: runId });
const ledger = makeLedger({ runs: { [run.id]: run } });
const [who, why] = ["ana", "as run ffffffffffff of other"];

const cases: readonly {
  readonly name: string;
  readonly change?: Partial<LedgerChange>;
  readonly reason: TransitionReason;
  readonly want: readonly string[];
}[] = [
  {
    name: "a run with its campaign",
    change: { runs: [{ run, steps: [{ kind: "wavesOpened", clusters: ["one"] }] }] },
    reason: { code: "WaveOpened", run: run.id, clusters: ["one"] },
    want: [`run/${run.id}`, "campaign/up"],
  },
  {
    name: "a run that starts, which is not in the ledger yet",
    change: { runs: [{ run: { ...run, id: "eeeeeeeeeeee", campaign: "new" }, steps: [{ kind: "started" }] }] },
    reason: { code: "MainChanged", run: "eeeeeeeeeeee", subject: "raise", author: "ben", holds: [] },
    want: ["run/eeeeeeeeeeee", "campaign/new"],
  },
  {
    name: "a stop's scope, without its reason",
    reason: { code: "StopPlaced", stop: "s2", scope: "cluster/one", who, why },
    want: ["cluster/one"],
  },
  {
    name: "a stop of a run, with the run's campaign",
    reason: { code: "StopResumed", verb: "resume", stops: ["s2"], scopes: [`run/${run.id}`, "all"], who, why },
    want: [`run/${run.id}`, "all", "campaign/up"],
  },
  {
    name: "a hold that a rollback left, and the run that was rolled back",
    change: { stops: [{ stop, step: "placed" }] },
    reason: { code: "NothingChanged", commit: sha("head") },
    want: ["bucket/shop-*", `run/${runId}`, ...(run.id === runId ? ["campaign/up"] : [])],
  },
  {
    name: "a stage",
    reason: { code: "StageProposed", stage: "half", campaign: "up", pull: 7, workloads: 2, digest: "sha256:1" },
    want: ["campaign/up"],
  },
  {
    name: "the run of a refused rollback, which does not change",
    reason: { code: "RollbackRefused", refusal: { code: "IsRollback", run: run.id }, who },
    want: [`run/${run.id}`, "campaign/up"],
  },
  {
    name: "nothing, if records go to the archive",
    change: { runs: [{ run, steps: [{ kind: "archived" }] }], stops: [{ stop, step: "archived" }] },
    reason: { code: "Archived", runs: 1, stops: 1, lists: 0 },
    want: [],
  },
];

it.each(cases)("a transition is about $name", ({ change = {}, reason, want }) => {
  expect(listSubjects(ledger, { change: { sequence: 2, main: sha("head"), ...change }, reason })).toEqual(want);
});
