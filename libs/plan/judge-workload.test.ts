import type { NamespaceInventory, Workload } from "#libs/fleet";
import { createOwnership, judgeCluster, type WorkloadStanding } from "#libs/plan";
import { arrived, failed, makeCluster, makeLedger, makeWorkload, moved, noon, runId, sha } from "#test/world/build";
import { openRunLedger, specsOf } from "#test/world/executor";
import { describe, expect, test } from "vitest";

const a = makeWorkload("shop/a");
const bare = { labels: {}, annotations: {}, hostNetwork: false };

interface Question {
  readonly workload: Workload;
  readonly namespaceLabels?: Record<string, string>;
  readonly tags?: Record<string, string>;
  readonly percentNew?: number;
  readonly waitedMs?: number;
  readonly isDrift?: boolean;
  readonly now?: number;
  readonly annotate?: Record<string, string>;
}

function requireHead(specs: ReturnType<typeof specsOf>) {
  const head = specs.get(sha("head"));
  if (head === undefined) throw new Error("no head");
  return head;
}

function judge(question: Question): WorkloadStanding {
  const { workload, namespaceLabels, tags = {}, percentNew, isDrift, annotate = {} } = question;
  const specs = specsOf(percentNew);
  const head = requireHead(specs);
  const cluster = makeCluster("one", [workload], { facts: { tags } }, namespaceLabels);
  const namespaces = new Map<string, NamespaceInventory>(
    [...cluster.namespaces].map(([name, each]) => [
      name,
      { ...each, namespace: { ...each.namespace, annotations: annotate } },
    ]),
  );
  const ledger = isDrift === true ? makeLedger() : openRunLedger();
  const now = question.now ?? noon;
  const key = `one:${workload.namespace}/${workload.kind}/${workload.name}`;
  const waitingSince = new Map(question.waitedMs === undefined ? [] : [[key, now - question.waitedMs]]);
  const ownerOf = createOwnership(head, ledger, specs);
  const [judged] = judgeCluster({ cluster: { ...cluster, namespaces }, head, ownerOf, now, waitingSince });
  if (judged === undefined) throw new Error("nobody was judged");
  return judged;
}

interface Case extends Question {
  readonly name: string;
  readonly want: string;
}

const mark = { "meshroll.dev/failed": "new ReadinessTimeout 2026-11-19T11:43:00Z" };
const takenBack = {
  ...moved(a, "new", runId),
  template: a.template,
  revisionManager: { name: "helm", operation: "Apply" as const },
};
const sick = makeWorkload("shop/a", { available: 0, pods: [{ revision: "old", count: 2, ready: 0 }] });

describe("3.1 each workload is in exactly one class", () => {
  const cases: readonly Case[] = [
    { name: "3.1 there", workload: arrived(a, "new", runId), want: "there" },
    { name: "3.1 there without any write of ours", workload: makeWorkload("shop/a", {}, "new"), want: "there" },
    { name: "3.1 due", workload: a, want: "due" },
    { name: "3.1 due at the end: unhealthy before", workload: sick, want: "due last" },
    { name: "3.1 moving", workload: moved(a, "new", runId), want: "moving" },
    {
      name: "3.1 moving until it arrived: a label alone is nothing",
      workload: { ...arrived(a, "new", runId), available: 1 },
      want: "moving",
    },
    { name: "3.1 waiting: paused by its owner", workload: { ...a, paused: true }, want: "blocked paused" },
    {
      name: "3.1 waiting: its owner rolls it out",
      workload: { ...a, updated: 1 },
      want: "blocked ownerRollout",
    },
    {
      name: "3.1 waiting: its budget allows nothing",
      workload: { ...a, disruptionsAllowed: 0 },
      want: "blocked disruptionBudget",
    },
    {
      name: "3.1 a budget that allows nothing because its pods are down already does not count",
      workload: { ...sick, disruptionsAllowed: 0 },
      want: "due last",
    },
    {
      name: "3.1 waiting goes aside after readinessTimeout",
      workload: { ...a, paused: true },
      waitedMs: 300_000,
      want: "aside: its owner paused its rollouts (spec.paused), for too long",
    },
    { name: "3.1 and not before", workload: { ...a, paused: true }, waitedMs: 299_999, want: "blocked paused" },
    {
      name: "3.1 aside: failed",
      workload: failed(a, "new", runId),
      want: "aside (shop/Deployment/a): ReadinessTimeout at 2026-11-19T12:00:00Z",
    },
    {
      name: "3.3 aside, but not as this run's failure: another run's mark",
      workload: failed(a, "new", "aaaaaaaaaaaa"),
      want: "aside: ReadinessTimeout at 2026-11-19T12:00:00Z",
    },
    { name: "3.3 a mark for another revision is no failure", workload: failed(a, "newer", runId), want: "due" },
    {
      name: "3.1 aside: excluded by its owner",
      workload: { ...a, annotations: { "meshroll.dev/opt-out": "black friday" } },
      want: "aside: the workload has meshroll.dev/opt-out: black friday",
    },
    {
      name: "3.1 aside: refused",
      workload: { ...a, onDelete: true },
      want: "aside: its updateStrategy is OnDelete: no write restarts it; set RollingUpdate",
    },
    {
      name: "5.5 aside: taken back, by name and with the path of the rule that mends it",
      workload: takenBack,
      want:
        "aside: TakenBack by helm: it changed /spec/template/metadata/labels/istio.io~1rev after meshroll wrote new; " +
        "let it ignore that path",
    },
    { name: "5.5 it is not taken back for another target", workload: takenBack, percentNew: 0, want: "there" },
    {
      name: "3.1 aside: unhealthy before and after its one try",
      workload: { ...sick, annotations: { "meshroll.dev/run": `${runId} new UnhealthyBefore` } },
      want: "aside: UnhealthyBefore: unhealthy before and after its one try",
    },
    {
      name: "3.4 0 replicas: due until its label resolves to the target",
      workload: makeWorkload("shop/a", { replicas: 0 }),
      want: "due",
    },
    {
      name: "3.4 0 replicas: what its label resolves to is what runs",
      workload: makeWorkload("shop/a", { replicas: 0 }, "new"),
      want: "there",
    },
    {
      name: "5.2 a namespace fails as one: all its workloads go aside",
      workload: makeWorkload("shop/a", { template: bare }),
      namespaceLabels: { "istio.io/rev": "old" },
      annotate: { ...mark, "meshroll.dev/run": `${runId} new` },
      want: "aside (shop/*): ReadinessTimeout at 2026-11-19T11:43:00Z (its namespace failed as one)",
    },
    {
      name: "5.2 `istio-injection=enabled` is this site, too",
      workload: makeWorkload("shop/a", { template: bare }),
      namespaceLabels: { "istio-injection": "enabled" },
      tags: { default: "old" },
      want: "due",
    },
    {
      name: "5.3 a tag's workload waits for its owner, however long",
      workload: makeWorkload("shop/a", {}, "stable"),
      tags: { stable: "old" },
      waitedMs: 3_000_000,
      want: "blocked tag",
    },
    {
      name: "5.4 a workload whose label CI writes is recognised and refused",
      workload: { ...a, annotations: { "meshroll.dev/mutated-at": "2026-11-19T12:00:00Z" } },
      want: "aside: its label is written in CI by `meshroll mutate`, and this version does not move such workloads yet",
    },
    {
      name: "outside the mesh it is nobody's",
      workload: makeWorkload("shop/a", { template: bare, pods: [{ count: 2, ready: 2 }] }),
      want: "unmanaged",
    },
  ];
  test.each(cases)("$name", ({ want, ...question }) => {
    expect(tell(judge(question))).toBe(want);
  });
});

function tell({ standing }: WorkloadStanding): string {
  switch (standing.kind) {
    case "due":
      return standing.unhealthyBefore ? "due last" : "due";
    case "blocked":
      return `blocked ${standing.by}`;
    case "aside":
      return `aside${standing.failed === undefined ? "" : ` (${standing.failed})`}: ${standing.reason}`;
    case "unmanaged":
    case "there":
    case "moving":
      return standing.kind;
  }
}

describe("what takes a place of the batch", () => {
  const undone = { ...failed(a, "new", runId), updated: 1, pods: [{ revision: "new", count: 1, ready: 0 }] };
  const at = 1_795_089_600_000; // 2026-11-19T12:00:00Z, when it was marked
  const cases: readonly { readonly name: string; readonly question: Question; readonly want: boolean }[] = [
    { name: "4.2 a move", question: { workload: moved(a, "new", runId) }, want: true },
    { name: "4.2 nothing at rest", question: { workload: a }, want: false },
    { name: "4.2 an undo that rolls stays in it", question: { workload: undone, now: at + 1000 }, want: true },
    {
      name: "4.2 an undo gets no longer than a move",
      question: { workload: undone, now: at + 300_000 },
      want: false,
    },
    { name: "4.2 its owner's rollout does not", question: { workload: { ...a, updated: 1 } }, want: false },
    {
      name: "5.5 what somebody else put back is their rollout",
      question: { workload: { ...takenBack, updated: 1 } },
      want: false,
    },
    {
      name: "4.2 a move that head does not demand any more still rolls",
      question: { workload: { ...moved(a, "new", runId), updated: 1 }, percentNew: 0 },
      want: true,
    },
  ];
  test.each(cases)("$name", ({ question, want }) => {
    expect(judge(question).rolling).toBe(want);
  });

  test("4.2 the time of an undo is judged anew at each look, also for a target that main no longer asks for", () => {
    const specs = specsOf(0);
    const head = requireHead(specs);
    const cluster = makeCluster("one", [undone]);
    const ownerOf = createOwnership(head, openRunLedger(), specs);
    const look = (now: number) => judgeCluster({ cluster, head, ownerOf, now, waitingSince: new Map() })[0]?.rolling;
    expect([look(at + 1000), look(at + 300_000)]).toEqual([true, false]);
  });
});

test("1.3 what belongs to no open run is drift: judged the same, owned by nobody", () => {
  const judged = judge({ workload: a, isDrift: true });
  expect([judged.run, judged.standing.kind]).toEqual([undefined, "due"]);
  expect(judge({ workload: a }).run?.id).toBe(runId);
});
