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

describe("remediation of writes that main no longer wants", () => {
  const cases: readonly Case[] = [
    {
      name: "4.4 not reverted while control is not fresh",
      workloads: [makeMigrated(a, "new", runId)],
      percentNew: 0,
      ledger: doneLedger,
      control: "ahead",
      want: [],
    },
    {
      name: "4.4 not reverted under a stop on all",
      workloads: [makeMigrated(a, "new", runId)],
      percentNew: 0,
      ledger: doneLedger,
      stops: [stop],
      want: [],
    },
    {
      name: "4.4 not reverted under a stop made with kubectl",
      workloads: [makeMigrated(a, "new", runId)],
      percentNew: 0,
      ledger: doneLedger,
      stops: [{ ...stop, id: "kubectl", scope: "cluster/one", from: "cluster" }],
      want: [],
    },
    {
      name: "4.4 reverted under a stop on its run",
      workloads: [makeMigrated(a, "new", runId)],
      percentNew: 0,
      ledger: doneLedger,
      stops: [{ ...stop, scope: `run/${runId}` }],
      want: ["revert workload shop/Deployment/a"],
    },
    {
      name: "4.4 not reverted while this executor lacks the write's commit",
      workloads: [makeMigrated(a, "new", "cccccccccccc")],
      percentNew: 0,
      ledger: doneLedger,
      want: [],
    },
    {
      name: "4.4 a namespace's late label is reverted once, before its workloads",
      cluster: relabelled({}, [restarted("shop/a"), restarted("shop/b")]),
      percentNew: 0,
      ledger: doneLedger,
      want: ["revert namespace shop"],
    },
    {
      name: "4.4 reverted batchSize at a time",
      workloads: [makeMigrated(a, "new", runId), makeMigrated(makeWorkload("shop/b"), "new", runId)],
      percentNew: 0,
      ledger: doneLedger,
      want: ["revert workload shop/Deployment/a"],
    },
    {
      name: "4.4 not reverted while batchSize undone workloads still roll",
      workloads: [makeMigrated(a, "new", runId), undoing],
      percentNew: 0,
      ledger: doneLedger,
      want: [],
    },
    { name: "4.4 not reverted while main does not parse", ...late, head: undefined, want: [] },
    {
      name: "4.4 not reverted before the ledger has judged main, because its run may not be recorded yet",
      ...late,
      ledger: { ...doneLedger, judged: sha("base") },
      want: [],
    },
    { name: "4.4 not reverted while the files of an open run are not read", ...late, hasUnreadRun: true, want: [] },
    { name: "4.4 not reverted without a ledger", ...late, ledger: undefined, want: [] },
    {
      name: "4.4 not reverted if its owner paused the workload",
      ...late,
      workloads: [{ ...tooLate, paused: true }],
      want: [],
    },
    {
      name: "4.4 not reverted if its disruption budget forbids a restart",
      ...late,
      workloads: [{ ...tooLate, disruptionsAllowed: 0 }],
      want: [],
    },
    {
      name: "4.4 reverted before the first new pod, although it looks like its owner's rollout",
      ...late,
      workloads: [{ ...moved(a, "new", runId), rolledOut: true, pods: [{ revision: "new", count: 2, ready: 1 }] }],
      want: ["revert workload shop/Deployment/a"],
    },
    {
      name: "4.4 reverted if there was no label before the write",
      ...late,
      workloads: [withPrevious({ "istio.io/rev": null })],
      want: ["revert workload shop/Deployment/a"],
    },
    {
      name: "4.4 not reverted if an open run will move it anyway",
      workloads: [makeMigrated(makeWorkload("shop/a", {}, "new"), "old", runId)],
      want: [],
    },
    {
      name: "2.4 what an ended rollback put back is moved forward again",
      ...late,
      workloads: [withPrevious({ "istio.io/rev": "old" }, { restored: true })],
      want: ["revert workload shop/Deployment/a"],
    },
    {
      name: "2.4 what an ended rollback put back is not moved forward under a stop on its namespace",
      ...late,
      workloads: [withPrevious({ "istio.io/rev": "old" }, { restored: true })],
      stops: [{ ...stop, scope: "namespace/shop" }],
      want: [],
    },
    {
      name: "2.4 what an ended rollback put back is moved forward under stops on others",
      ...late,
      workloads: [withPrevious({ "istio.io/rev": "old" }, { restored: true })],
      stops: [
        { ...stop, scope: "namespace/other" },
        { ...stop, scope: "run/aaaaaaaaaaaa" },
      ],
      want: ["revert workload shop/Deployment/a"],
    },
    {
      name: "4.4 a namespace's late label is reverted if there was no label before",
      cluster: relabelled({ "meshroll.dev/previous": JSON.stringify({ labels: { "istio.io/rev": null } }) }, [
        restarted("shop/a"),
      ]),
      percentNew: 0,
      ledger: doneLedger,
      want: ["revert namespace shop"],
    },
    {
      name: "4.4 not reverted if main wants it, although its run is done and it never became ready",
      cluster: relabelled({}, [restarted("shop/a")]),
      ledger: doneLedger,
      want: [],
    },
    {
      name: "4.6 a workload with opt-out is not undone for its namespace's failure of another revision",
      cluster: relabelled({ "meshroll.dev/failed": "newer ReadinessTimeout 2026-11-19T12:00:00Z" }, [
        optOut(restarted("shop/a")),
      ]),
      want: [],
    },
    {
      name: "4.5 a rollback has the attempts of rollback.batch",
      workloads: [stuck],
      later: limit,
      ...rollingBack({ maxAttempts: 2 }),
      want: ["retry workload shop/Deployment/a"],
    },
    {
      name: "2.3 a rollback does not try another run's move again",
      workloads: [{ ...stuck, annotations: { ...stuck.annotations, "meshroll.dev/run": "aaaaaaaaaaaa new" } }],
      later: limit,
      ...rollingBack({ maxAttempts: 2 }),
      want: ["fail workload shop/Deployment/a"],
    },
    {
      name: "2.3 a rollback has the readinessTimeout of rollback.batch",
      workloads: [stuck],
      later: limit,
      ...rollingBack({ readinessTimeout: limit + 1 }),
      want: [],
    },
    {
      name: "4.3 no further attempt while main does not parse",
      workloads: [stuck],
      later: limit,
      settings: { batch: { ...batch, maxAttempts: 2 } },
      head: undefined,
      // The settings are the last ones that the executor read.
      remembered: { batch: { ...batch, maxAttempts: 2 } },
      want: ["fail workload shop/Deployment/a"],
    },
    {
      name: "4.3 no further attempt under a stop on its own run",
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
