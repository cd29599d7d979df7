import { createModel } from "#fakes/kube";
import { expect, test } from "vitest";

import { FleetFlow } from "../fleet-flow.ts";
import { forgeLedger } from "../forging/forge-ledger.ts";
import { countOn, file, settingsOf, written } from "../shop.ts";

const minute = 60_000;
const protection = { requiredReviews: 0, requiredChecks: ["meshroll/plan", "meshroll/approvals"] };
const names = ["a", "b", "c", "d"];

/** Main had 100 % before its baseline, and 0 % since; then a run went to 50 %. By commit, oldest first. */
async function openShop(keepsClones: boolean) {
  const flow = new FleetFlow();
  flow.server.keepsClones = keepsClones;
  const model = createModel({ clock: flow.clock });
  for (const revision of ["old", "new"]) model.addIstiod(revision);
  const labels = { "istio.io/rev": "old" };
  for (const name of names)
    model.addDeployment({ ns: `shop-${name}`, name: "web", replicas: 2, labels, readyMs: 2000 });
  flow.givenCluster("one", model);
  const hub = flow.givenGithub(protection);
  const commits = [flow.whenMerged(file(100), settingsOf("batchSize: 4")), flow.whenMerged(file(0))];
  await flow.givenBaseline();
  await flow.startExecutor().startPlanner().pass(30_000);
  commits.push(flow.whenMerged(file(50)));
  await flow.untilRunsEnd(1);
  await flow.pass(10_000);
  return { flow, hub, commits };
}

async function findWait(flow: FleetFlow) {
  return (await flow.status())?.waitingFor.find(({ code }) => code === "BaselineChanged");
}

const forgeries = [
  { name: "an older one, of which main had more", at: 0, keepsClones: true },
  { name: "an older one, for processes that start without a memory", at: 0, keepsClones: false },
  { name: "a newer one, which hides what main had", at: 2, keepsClones: true },
];

test.each(forgeries)(
  "another baseline in the ledger than was recorded first moves nothing, makes no rollback and is named: $name",
  async ({ at, keepsClones }) => {
    const { flow, hub, commits } = await openShop(keepsClones);
    const [moved, recorded] = [written(flow).length, flow.remote.head("meshroll/ledger") ?? ""];
    const commit = commits[at] ?? "";
    await forgeLedger(flow, ({ baseline }) => ({ baseline: { ...baseline, commit } }));
    await flow.killPlanner();
    await flow.killExecutor();
    await flow.startExecutor().startPlanner().pass(minute);
    flow.remote.commitTo("mallory/up", { files: { "rollouts.yml": file(100) }, author: "mallory" });
    const mallory = hub.as("mallory");
    const request = { branch: "mallory/up", base: "main", title: "x", body: "" };
    const { number, headSha } = await mallory.openPullRequest(request);
    await flow.pass(2 * minute);
    expect((await mallory.merge(number, headSha)).kind).toBe("refused");
    expect([written(flow).length, await findWait(flow)]).toMatchObject([
      moved,
      { scope: "all", command: expect.stringContaining("-- baseline") as string },
    ]);

    // Put back as the command does, all goes on.
    const files = { baseline: flow.remote.commit(recorded)?.tree.get("baseline") ?? "" };
    flow.remote.commitTo("meshroll/ledger", {
      files: files as Record<string, string>,
      author: "ana",
      at: flow.clock.now(),
    });
    await flow.pass(minute);
    expect(await findWait(flow)).toBeUndefined();
    flow.whenMerged(file(100));
    await flow.until("all moved", () => countOn(flow, "new", names) === 4, 10 * minute);
    await flow.killPlanner();
    await flow.killExecutor();
  },
);
