import { createModel, type KubeModel } from "#fakes/kube";
import type { RunRecord } from "#libs/plan";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { listChanges, countOn, file, openShop, settingsOf, written } from "../shop.ts";
import { openStages } from "../campaign/stage-bench.ts";
import { campaignOf } from "../campaign/stage-campaign.ts";

// Campaign walk 121 with 18 steps: what was put back as late, and moved again, was called a second restart.
test("2.4 a rollback --now of what main is bringing back already changes nothing, and what goes forward again is moved once", async () => {
  const flow = await openShop({ settings: settingsOf("batchSize: 2") });
  const id = flow.whenMerged(file(100)).slice(0, 12);
  await flow.untilRunsEnd(1);
  flow.whenMerged(file(0));
  await flow.until("one batch is back", () => countOn(flow, "old") === 2);
  // Executors hear of it before a planner has said that main says so already.
  await flow.killPlanner();
  await flow.whenAsked({ verb: "rollback", scope: `run/${id}`, now: true });
  await flow.pass(5000);
  flow.startPlanner();
  const [, back] = await flow.untilRunsEnd(2);
  await flow.pass(60_000);
  const during = [countOn(flow, "old"), written(flow).length];
  await flow.whenAsked({ verb: "resume", scope: "bucket/production" });
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(3);

  expect([during, back?.outcome?.migrated]).toEqual([[6, 12], 6]);
  expect([countOn(flow, "new"), written(flow).length]).toEqual([6, 18]);
  // Every way back is the rollback's own: nothing of it was taken for a late write.
  const marks = listChanges(flow.model("one")).map(({ body }) =>
    JSON.stringify(body).includes(`${back?.id ?? ""} old`),
  );
  expect(marks.filter(Boolean).length).toBe(6);
  await flow.end();
});

/** A cluster that was unknown when the run was proposed. */
function joinLate(flow: FleetFlow): KubeModel {
  const model = createModel({ clock: flow.clock, seed: "late" });
  for (const revision of ["old", "new"]) model.addIstiod(revision);
  const labels = { "istio.io/rev": "old" };
  for (const name of "abcdef")
    model.addDeployment({ ns: `shop-${name}`, name: "web", replicas: 2, labels, readyMs: 5000 });
  flow.givenCluster("late", model).startExecutor("act", 0, ["late"]);
  return model;
}

const reasonsOf = (run: RunRecord | undefined): ReadonlySet<string> =>
  new Set(run?.outcome?.differences?.flatMap(({ reason }) => reason ?? []));

const wordsOf = (run: RunRecord | undefined, cluster: string): readonly string[] =>
  (run?.outcome?.differences ?? []).filter((each) => each.cluster === cluster).map(({ why }) => why);

// Campaign walk 7019 with 18 steps: what a rollback undid was called "already there", and who moved unlisted was not named.
test("10.2 of a run that a rollback took over each listed workload is named as rolled back, and who moved unlisted as late", async () => {
  const { flow, github, untilOpen } = await openStages(campaignOf(), { settings: settingsOf("batchSize: 1") });
  const { number } = await untilOpen("meshroll/shop/half");
  await flow.pass(31_000);
  github.review(number, { author: "ben", state: "approved" });
  await flow.pass(31_000);
  const { headSha } = await untilOpen("meshroll/shop/half");
  const merged = await github.as("ana").merge(number, headSha);
  const id = merged.kind === "merged" ? merged.sha.slice(0, 12) : merged.why;

  const model = joinLate(flow);
  await flow.until("one moved in the cluster that was not listed", () =>
    model.writes.some(({ path, fieldManager }) => fieldManager === "meshroll" && path.includes("deployments")),
  );
  await flow.whenAsked({ verb: "rollback", scope: `run/${id}`, now: true });
  const runs = await flow.untilRunsEnd(2);
  const run = runs.find((each) => each.id === id);
  const back = runs.find((each) => each.id !== id);

  expect([run?.state, run?.outcome?.takenOverBy]).toEqual(["done", back?.id]);
  expect(new Set(wordsOf(run, "one"))).toEqual(new Set(["rolled back"]));
  expect(reasonsOf(run)).toEqual(new Set([`run ${back?.id} has it now`]));
  expect(wordsOf(run, "late")).toEqual(["late"]);
  await flow.end();
});
