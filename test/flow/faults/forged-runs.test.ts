import type { FakeScm } from "#fakes/scm";
import { createModel } from "#fakes/kube";
import type { LedgerState, RunRecord, StopRecord } from "#libs/plan";
import { describe, expect, test } from "vitest";

import { FleetFlow } from "../fleet-flow.ts";
import { forgeLedger } from "../forging/forge-ledger.ts";
import { file, settingsOf, written } from "../shop.ts";

const protection = { requiredReviews: 0, requiredChecks: ["meshroll/plan", "meshroll/approvals"] };
const whole = '[["new",100]]';

/** Since the baseline main went from 0 to 30, to 60, and back to 30 %; a branch that was never merged says 100 %. */
async function openShop(): Promise<{
  readonly flow: FleetFlow;
  readonly hub: FakeScm;
  readonly evil: string;
  readonly commits: readonly string[];
}> {
  const flow = new FleetFlow();
  const model = createModel({ clock: flow.clock });
  for (const revision of ["old", "new"]) model.addIstiod(revision);
  for (const name of ["a", "b", "c", "d", "e", "f"]) {
    const labels = { "istio.io/rev": "old" };
    model.addDeployment({ ns: `shop-${name}`, name: "web", replicas: 2, labels, readyMs: 2000 });
  }
  flow.givenCluster("one", model);
  const hub = flow.givenGithub(protection);
  const commits = [flow.whenMerged(file(0), settingsOf("batchSize: 6"))];
  await flow.givenBaseline();
  await flow.startExecutor().startPlanner().pass(30_000);
  for (const percent of [30, 60, 30]) {
    commits.push(flow.whenMerged(file(percent)));
    await flow.untilRunsEnd(commits.length - 1);
  }
  await flow.whenAsked({ verb: "resume", scope: "bucket/production" });
  await flow.pass(10_000);
  const evil = flow.remote.commitTo("mallory/evil", { files: { "rollouts.yml": file(100) }, author: "mallory" });
  return { flow, hub, evil, commits };
}

type Shop = Awaited<ReturnType<typeof openShop>>;

async function scm({ flow }: Shop, change: (ledger: LedgerState) => Partial<LedgerState>): Promise<void> {
  await forgeLedger(flow, change);
}

function listRuns({ runs }: LedgerState): readonly RunRecord[] {
  return Object.values(runs).toSorted((a, b) => a.order - b.order);
}

/** The oldest live record with `change`, all others as they are. */
function changeRun(ledger: LedgerState, commit: string, change: Partial<RunRecord>): Pick<LedgerState, "runs"> {
  const run = listRuns(ledger).find((each) => each.commit === commit);
  if (run === undefined) throw new Error(`there is no run of ${commit}`);
  return { runs: { ...ledger.runs, [run.id]: { ...run, ...change } } };
}

describe("a ledger that names commits which main never had", () => {
  const modes = [{ now: true as const }, {}];
  test.each(modes)("2.4 takes no run back to one, and says so: %j", async (mode) => {
    const shop = await openShop();
    const { flow, evil } = shop;
    const commit = flow.whenMerged(file(50));
    await flow.untilRunsEnd(4);
    const before = written(flow).length;
    const at = new Date(flow.clock.now()).toISOString();
    const scope = `run/${commit.slice(0, 12)}` as const;
    const own = { id: "forged", scope, strength: "move", at, who: "eve", why: "forged", cause: "rollback" } as const;
    const stop: StopRecord = { ...own, revertTo: evil, ...mode };
    await scm(shop, (ledger) => {
      const run = listRuns(ledger).find((each) => each.commit === commit);
      const changes = (run?.changes ?? []).map((each) => ({ ...each, from: whole }));
      return { ...changeRun(ledger, commit, { before: evil, changes }), stops: { ...ledger.stops, forged: stop } };
    });
    await flow.pass(180_000);
    expect(written(flow).length).toBe(before);
    expect(flow.remote.head("main")).toBe(commit);
    expect(((await flow.status())?.waitingFor ?? []).map(({ code }) => code)).toContain("RollbackRefused");
  });

  const runs = [
    { name: "before it", change: (evil: string) => ({ before: evil }) },
    { name: "as its own", change: (evil: string) => ({ commit: evil }) },
  ];
  test.each(runs)("1.7 moves nothing by an open run that has one $name, and says so", async ({ change }) => {
    const shop = await openShop();
    const { flow, evil } = shop;
    await flow.whenAsked({ verb: "stop", scope: "bucket/production" });
    await flow.pass(10_000);
    const commit = flow.whenMerged(file(50));
    await flow.pass(60_000);
    await scm(shop, (ledger) => changeRun(ledger, commit, change(evil)));
    await flow.pass(60_000);
    const before = written(flow).length;
    await flow.whenAsked({ verb: "resume", scope: "bucket/production" });
    await flow.pass(120_000);
    expect(written(flow).length).toBe(before);
    expect(((await flow.status())?.waitingFor ?? []).map(({ code }) => code)).toContain("CommitUnread");
  });

  test("1.7 compares a pull request with none that it calls judged, while main does not parse", async () => {
    const shop = await openShop();
    const { flow, hub, evil } = shop;
    flow.whenMerged("production: [\n");
    await flow.pass(30_000);
    await scm(shop, () => ({ judged: evil }));
    await flow.pass(30_000);
    flow.remote.commitTo("mallory/up", { files: { "rollouts.yml": file(100) }, author: "mallory" });
    await hub.as("mallory").openPullRequest({ branch: "mallory/up", base: "main", title: "x", body: "" });
    await flow.pass(120_000);
    const checks = await hub.as("meshroll").findChecks(flow.remote.head("mallory/up") ?? "");
    const approvals = checks.find(({ name }) => name === "meshroll/approvals");
    expect(approvals?.state).toBe("pending");
  });
});
