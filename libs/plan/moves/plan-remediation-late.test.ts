import type { Settings } from "#libs/campaign";
import { makeMigrated, makeWorkload, moved, runId, sha } from "#test/world/build";
import {
  a,
  batch,
  doneLedger,
  late,
  limit,
  reconcile,
  relabelled,
  restarted,
  rollingBack,
  stop,
  stuck,
  tell,
  tooLate,
  undoing,
  withPrevious,
  startMemory,
} from "#test/world/remediation";
import { type ExecutorViewChange } from "#test/world/executor";
import { describe, expect, test } from "vitest";

/** Its owner keeps it from being moved. */
function optOut(workload: typeof a): typeof a {
  return { ...workload, annotations: { ...workload.annotations, "meshroll.dev/opt-out": "no" } };
}

interface Case extends ExecutorViewChange {
  readonly name: string;
  /** The last `meshroll.yml` that the executor read. */
  readonly remembered?: Partial<Settings>;
  /** Ms between the first reconcile and the one that is judged. */
  readonly later?: number;
  readonly want: readonly string[];
}

describe("writes that main no longer wants", () => {
  const cases: readonly Case[] = [
    {
      name: "4.4 not with control that is not fresh",
      workloads: [makeMigrated(a, "new", runId)],
      percentNew: 0,
      ledger: doneLedger,
      control: "ahead",
      want: [],
    },
    {
      name: "4.4 not under an `all` stop",
      workloads: [makeMigrated(a, "new", runId)],
      percentNew: 0,
      ledger: doneLedger,
      stops: [stop],
      want: [],
    },
    {
      name: "4.4 not under kubectl's stop",
      workloads: [makeMigrated(a, "new", runId)],
      percentNew: 0,
      ledger: doneLedger,
      stops: [{ ...stop, id: "kubectl", scope: "cluster/one", from: "cluster" }],
      want: [],
    },
    {
      name: "4.4 but under a stop on a run",
      workloads: [makeMigrated(a, "new", runId)],
      percentNew: 0,
      ledger: doneLedger,
      stops: [{ ...stop, scope: `run/${runId}` }],
      want: ["revert workload shop/Deployment/a"],
    },
    {
      name: "4.4 not a write whose commit this executor lacks: it fetches first",
      workloads: [makeMigrated(a, "new", "cccccccccccc")],
      percentNew: 0,
      ledger: doneLedger,
      want: [],
    },
    {
      name: "4.4 a namespace's late label is reverted first, once, and nothing else with it",
      cluster: relabelled({}, [restarted("shop/a"), restarted("shop/b")]),
      percentNew: 0,
      ledger: doneLedger,
      want: ["revert namespace shop"],
    },
    {
      name: "4.4 late writes are reverted batchSize at a time",
      workloads: [makeMigrated(a, "new", runId), makeMigrated(makeWorkload("shop/b"), "new", runId)],
      percentNew: 0,
      ledger: doneLedger,
      want: ["revert workload shop/Deployment/a"],
    },
    {
      name: "4.4 and wait while as many undone ones still roll",
      workloads: [makeMigrated(a, "new", runId), undoing],
      percentNew: 0,
      ledger: doneLedger,
      want: [],
    },
    { name: "4.4 not while main does not parse", ...late, head: undefined, want: [] },
    {
      name: "4.4 not before the ledger judged this very main: the run that moves it is only not recorded yet",
      ...late,
      ledger: { ...doneLedger, judged: sha("base") },
      want: [],
    },
    { name: "4.4 not while the files of an open run are not read", ...late, hasUnreadRun: true, want: [] },
    { name: "4.4 not where no ledger is known", ...late, ledger: undefined, want: [] },
    { name: "4.4 not what its owner paused", ...late, workloads: [{ ...tooLate, paused: true }], want: [] },
    {
      name: "4.4 not what its budget keeps from moving",
      ...late,
      workloads: [{ ...tooLate, disruptionsAllowed: 0 }],
      want: [],
    },
    {
      name: "4.4 but what has no new pod yet, though it looks like its owner's rollout",
      ...late,
      workloads: [{ ...moved(a, "new", runId), rolledOut: true, pods: [{ revision: "new", count: 2, ready: 1 }] }],
      want: ["revert workload shop/Deployment/a"],
    },
    {
      name: "4.4 a write before which there was no label is late",
      ...late,
      workloads: [withPrevious({ "istio.io/rev": null })],
      want: ["revert workload shop/Deployment/a"],
    },
    {
      name: "4.4 not what an open run will move anyhow",
      workloads: [makeMigrated(makeWorkload("shop/a", {}, "new"), "old", runId)],
      want: [],
    },
    {
      name: "2.4 what a rollback put back, and a person ended, goes forward again",
      ...late,
      workloads: [withPrevious({ "istio.io/rev": "old" }, { restored: true })],
      want: ["revert workload shop/Deployment/a"],
    },
    {
      name: "2.4 under the stops that hold what goes forward",
      ...late,
      workloads: [withPrevious({ "istio.io/rev": "old" }, { restored: true })],
      stops: [{ ...stop, scope: "namespace/shop" }],
      want: [],
    },
    {
      name: "2.4 others' stops are none of them",
      ...late,
      workloads: [withPrevious({ "istio.io/rev": "old" }, { restored: true })],
      stops: [
        { ...stop, scope: "namespace/other" },
        { ...stop, scope: "run/aaaaaaaaaaaa" },
      ],
      want: ["revert workload shop/Deployment/a"],
    },
    {
      name: "4.4 a namespace's label before which there was none is late",
      cluster: relabelled({ "meshroll.dev/previous": JSON.stringify({ labels: { "istio.io/rev": null } }) }, [
        restarted("shop/a"),
      ]),
      percentNew: 0,
      ledger: doneLedger,
      want: ["revert namespace shop"],
    },
    {
      name: "4.4 not what main wants, though its run is done and it never arrived",
      cluster: relabelled({}, [restarted("shop/a")]),
      ledger: doneLedger,
      want: [],
    },
    {
      name: "4.6 nor is what its owner keeps skipped undone for another revision's mark",
      cluster: relabelled({ "meshroll.dev/failed": "newer ReadinessTimeout 2026-11-19T12:00:00Z" }, [
        optOut(restarted("shop/a")),
      ]),
      want: [],
    },
    {
      name: "4.5 what a rollback brings back has the tries of rollback.batch",
      workloads: [stuck],
      later: limit,
      ...rollingBack({ maxAttempts: 2 }),
      want: ["retry workload shop/Deployment/a"],
    },
    {
      name: "2.3 another run's undo is not tried again by it",
      workloads: [{ ...stuck, annotations: { ...stuck.annotations, "meshroll.dev/run": "aaaaaaaaaaaa new" } }],
      later: limit,
      ...rollingBack({ maxAttempts: 2 }),
      want: ["fail workload shop/Deployment/a"],
    },
    {
      name: "2.3 it has the time of rollback.batch",
      workloads: [stuck],
      later: limit,
      ...rollingBack({ readinessTimeout: limit + 1 }),
      want: [],
    },
    {
      name: "4.3 nor is there one more try while main does not parse",
      workloads: [stuck],
      later: limit,
      settings: { batch: { ...batch, maxAttempts: 2 } },
      head: undefined,
      // The settings are the last ones that the executor read.
      remembered: { batch: { ...batch, maxAttempts: 2 } },
      want: ["fail workload shop/Deployment/a"],
    },
    {
      name: "4.3 one more try heeds a stop on its own run",
      workloads: [stuck],
      later: limit,
      settings: { batch: { ...batch, maxAttempts: 2 } },
      stops: [{ ...stop, scope: `run/${runId}` }],
      want: ["fail workload shop/Deployment/a"],
    },
  ];
  test.each(cases)("$name", ({ later = 0, want, remembered, ...change }) => {
    const memory = startMemory();
    reconcile(change, memory, 0);
    expect(reconcile(change, memory, later, remembered).map(tell)).toEqual(want);
  });
});
