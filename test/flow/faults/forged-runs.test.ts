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

interface Forgery {
  readonly name: string;
  /** What the pull request sets; main says 30 %. */
  readonly percent: number;
  readonly change: (shop: Shop, ledger: LedgerState) => Partial<LedgerState>;
}

const forgeries: readonly Forgery[] = [
  {
    name: "a run of a commit that main never had",
    percent: 100,
    change({ evil, commits: [base = ""] }, ledger) {
      const [first] = listRuns(ledger);
      if (first === undefined) throw new Error("there are runs");
      const from = first.changes[0]?.from ?? "";
      const changes = [{ pattern: "production", from: whole, to: from, direction: "rollback" as const }];
      const run: RunRecord = { ...first, id: evil.slice(0, 12), commit: base, before: evil, order: 0, changes };
      return { runs: { ...ledger.runs, [run.id]: run } };
    },
  },
  {
    name: "a run of main whose record names another commit before it, and what that says",
    percent: 100,
    change({ evil, commits: [, first = ""] }, ledger) {
      const run = listRuns(ledger).find(({ commit }) => commit === first);
      const changes = [...(run?.changes ?? [])].map((each) => ({ ...each, from: whole }));
      return changeRun(ledger, first, { before: evil, changes });
    },
  },
  {
    name: "a run that was rolled back called one that went forward, and numbered as the oldest",
    percent: 60,
    change({ commits: [, , , back = ""] }, ledger) {
      return changeRun(ledger, back, { order: 0 });
    },
  },
];

async function readChecks({ flow, hub }: Shop, branch: string): Promise<Readonly<Record<string, string>>> {
  const checks = await hub.as("meshroll").findChecks(flow.remote.head(branch) ?? "");
  return Object.fromEntries(checks.map(({ name, state }) => [name, state]));
}

describe("a ledger that is forged", () => {
  test.each(forgeries)("2.1 makes no change a rollback that needs no approval: $name", async ({ percent, change }) => {
    const shop = await openShop();
    const { flow, hub } = shop;
    await scm(shop, (ledger) => change(shop, ledger));
    await flow.pass(30_000);
    flow.remote.commitTo("mallory/up", { files: { "rollouts.yml": file(percent) }, author: "mallory" });
    const mallory = hub.as("mallory");
    const { number, headSha } = await mallory.openPullRequest({
      branch: "mallory/up",
      base: "main",
      title: "x",
      body: "",
    });
    await flow.pass(120_000);
    expect(await readChecks(shop, "mallory/up")).toMatchObject({ "meshroll/approvals": "pending" });
    expect(await mallory.merge(number, headSha)).toMatchObject({ kind: "refused" });
  });

  test("2.2 does not hide what main had: a change back to it is held by nothing still", async () => {
    const shop = await openShop();
    const { flow, hub } = shop;
    await scm(shop, () => ({ runs: {} }));
    await flow.pass(30_000);
    flow.remote.commitTo("ana/back", { files: { "rollouts.yml": file(0) }, author: "ana" });
    await hub.as("ana").openPullRequest({ branch: "ana/back", base: "main", title: "x", body: "" });
    await flow.pass(120_000);
    expect(await readChecks(shop, "ana/back")).toEqual({ "meshroll/plan": "success", "meshroll/approvals": "pending" });
  });

  test("2.3 does not make a run a rollback, which no pause would hold", async () => {
    const shop = await openShop();
    const { flow } = shop;
    await flow.whenAsked({ verb: "stop", scope: "bucket/production" });
    await flow.pass(10_000);
    const commit = flow.whenMerged(file(90));
    await flow.pass(60_000);
    const before = written(flow).length;
    await scm(shop, (ledger) => {
      const run = listRuns(ledger).find((each) => each.commit === commit);
      const changes = (run?.changes ?? []).map((each) => ({ ...each, direction: "rollback" as const }));
      return changeRun(ledger, commit, { changes });
    });
    // A process that starts reads the ledger again.
    await flow.killPlanner();
    await flow.killExecutor();
    await flow.startExecutor().startPlanner().pass(120_000);
    expect(written(flow).length).toBe(before);
    expect(((await flow.status())?.waitingFor ?? []).map(({ code }) => code)).toContain("LedgerForeign");
  });

  const modes = [{ now: true as const }, {}];
  test.each(modes)(
    "2.4 takes a run back to no commit that its record names before it, and main never had: %j",
    async (mode) => {
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
    },
  );

  test("1.7 compares a pull request with no commit that it calls judged and main never had, while main does not parse", async () => {
    const shop = await openShop();
    const { flow, hub, evil } = shop;
    flow.whenMerged("production: [\n");
    await flow.pass(30_000);
    await scm(shop, () => ({ judged: evil }));
    await flow.pass(30_000);
    flow.remote.commitTo("mallory/up", { files: { "rollouts.yml": file(100) }, author: "mallory" });
    await hub.as("mallory").openPullRequest({ branch: "mallory/up", base: "main", title: "x", body: "" });
    await flow.pass(120_000);
    expect(await readChecks(shop, "mallory/up")).toMatchObject({ "meshroll/approvals": "pending" });
  });
});
