import type { Workload } from "#libs/fleet";
import { makeMigrated, failed, makeCluster, makeStop, makeWorkload, moved, noon, runId } from "#test/world/build";
import { makeCampaignSnapshot } from "#test/world/campaigns/campaign";
import { expect, test } from "vitest";

import { decide } from "../decide.ts";
import type { PlanRecord } from "../records/ledger-state.ts";
import type { ListDifference } from "../records/outcome/run-outcome.ts";

const line = (name: string) => ["shop", "production", "old", "new", "one", `shop/Deployment/${name}`].join("\t");
const planOf = (...names: readonly string[]): PlanRecord => ({
  head: "abc",
  campaign: "up",
  stage: "all",
  branch: "meshroll/up/all",
  at: new Date(noon).toISOString(),
  changes: [],
  digest: "sha256:1",
  list: names.map((name) => `${line(name)}\n`).join(""),
});

const migrated = (name: string) => makeMigrated(makeWorkload(`shop/${name}`), "new", runId);
const before = (name: string) => makeWorkload(`shop/${name}`, {}, "new");
const sick = (name: string): Workload => ({
  ...makeWorkload(`shop/${name}`),
  annotations: { "meshroll.dev/run": `${runId} new UnhealthyBefore` },
});

const overwritten = (name: string): Workload => ({
  ...moved(makeWorkload(`shop/${name}`), "new", runId),
  revisionManager: { name: "argocd", operation: "Update" },
  template: makeWorkload(`shop/${name}`).template,
});
const outside = makeWorkload("shop/out", {
  template: { labels: {}, annotations: {}, hostNetwork: false },
  pods: [{ count: 2, ready: 2 }],
});
const older = (name: string) => makeWorkload(`shop/${name}`, {}, "older");

/** The differences that the run's end names. */
function listEnd(
  plan: PlanRecord,
  workloads: readonly Workload[],
  list = plan.head,
): readonly ListDifference[] | undefined {
  // A person looked at the failure: the run may end.
  const resumed = { at: new Date(noon).toISOString(), who: "ana", why: "seen" };
  const failures = ["one:shop/Deployment/f"];
  const stop = makeStop({ id: "f", scope: `run/${runId}`, cause: "failures", failures, resume: resumed });
  const snapshot = makeCampaignSnapshot({
    run: { list },
    ledger: { plans: { [plan.head]: plan }, stops: { f: stop } },
    clusters: new Map([["one", makeCluster("one", workloads)]]),
  });
  const [end] = decide(snapshot);
  if (end?.kind !== "finishRun") throw new Error(`not over: ${JSON.stringify(end)}`);
  return end.change.runs?.[0]?.run.outcome?.differences;
}

/** The same as `why name`. */
function endRun(plan: PlanRecord, workloads: readonly Workload[]): readonly string[] | undefined {
  return listEnd(plan, workloads)?.map(({ why, workload }) => `${why} ${workload.split("/")[2]}`);
}

const cases: readonly {
  readonly name: string;
  readonly plan: PlanRecord;
  readonly workloads: readonly Workload[];
  readonly want: readonly string[];
}[] = [
  { name: "10.2 listed, moved: no difference", plan: planOf("a"), workloads: [migrated("a")], want: [] },
  {
    name: "10.2 listed, deleted meanwhile: gone",
    plan: planOf("a", "x"),
    workloads: [migrated("a")],
    want: ["gone x"],
  },
  {
    name: "10.2 listed, moved by its owner first: already there",
    plan: planOf("a", "o"),
    workloads: [migrated("a"), before("o")],
    want: ["already there o"],
  },
  {
    name: "10.2 listed, outside the mesh by now: already there",
    plan: planOf("a", "out"),
    workloads: [migrated("a"), outside],
    want: ["already there out"],
  },
  {
    name: "10.2 not listed, and never written: no difference",
    plan: planOf("a"),
    workloads: [migrated("a"), older("r")],
    want: [],
  },
  {
    name: "10.2 not listed, moved, and overwritten by its owner: late",
    plan: planOf("a"),
    workloads: [migrated("a"), overwritten("t")],
    want: ["late t"],
  },
  {
    name: "10.2 not listed, moved, failed and put back: late",
    plan: planOf("a"),
    workloads: [migrated("a"), failed(makeWorkload("shop/f"), "new", runId)],
    want: ["late f"],
  },
  {
    name: "10.2 not listed, unhealthy before and after its try: late",
    plan: planOf("a"),
    workloads: [migrated("a"), sick("s")],
    want: ["late s"],
  },
  {
    name: "10.2 an unreadable line of the list is ignored",
    plan: { ...planOf("a"), list: `${line("a")}\nshop\tproduction\told\tnew\tone\n\n` },
    workloads: [migrated("a")],
    want: [],
  },
  {
    name: "10.2 listed, failed: failed",
    plan: planOf("a", "f"),
    workloads: [migrated("a"), failed(makeWorkload("shop/f"), "new", runId)],
    want: ["failed f"],
  },
  {
    name: "10.2 listed, unhealthy before and after its attempt: unhealthy",
    plan: planOf("a", "s"),
    workloads: [migrated("a"), sick("s")],
    want: ["unhealthy s"],
  },
  {
    name: "10.2 listed, put back by its owner: overwritten",
    plan: planOf("a", "t"),
    workloads: [migrated("a"), overwritten("t")],
    want: ["overwritten t"],
  },
  {
    name: "10.2 listed, on a revision that the campaign does not replace: skipped",
    plan: planOf("a", "r"),
    workloads: [migrated("a"), older("r")],
    want: ["skipped r"],
  },
];
test.each(cases)("$name", ({ plan, workloads, want }) => {
  expect(endRun(plan, workloads)).toEqual(want);
});

test("10.2 a difference has a reason for people, if there is one", () => {
  const plan = planOf("a", "f", "x");
  const workloads = [migrated("a"), failed(makeWorkload("shop/f"), "new", runId), migrated("n")];
  expect(listEnd(plan, workloads)).toEqual([
    {
      cluster: "one",
      workload: "shop/Deployment/f",
      why: "failed",
      reason: expect.stringContaining("ReadinessTimeout"),
    },
    { cluster: "one", workload: "shop/Deployment/x", why: "gone" },
    { cluster: "one", workload: "shop/Deployment/n", why: "late" },
  ]);
});
