import { openFakeRepository } from "#fakes/git";
import { createModel } from "#fakes/kube";
import { openLedger } from "#libs/ledger";
import type { StopRecord } from "#libs/plan";
import { expect, test } from "vitest";

import { FleetFlow } from "../fleet-flow.ts";
import { file, settingsOf, written } from "../shop.ts";

/** Main said 100 % once, before meshroll kept a record; since the baseline it went from 0 to 30, to 60, back to 30, and to 50 %. */
async function makeHistory() {
  const flow = new FleetFlow();
  const model = createModel({ clock: flow.clock });
  for (const revision of ["old", "new"]) model.addIstiod(revision);
  for (const name of ["a", "b", "c", "d", "e", "f"])
    model.addDeployment({
      ns: `shop-${name}`,
      name: "web",
      replicas: 2,
      labels: { "istio.io/rev": "old" },
      readyMs: 2000,
    });
  flow.givenCluster("one", model);
  const ancient = flow.whenMerged(file(100), settingsOf("batchSize: 6"));
  flow.whenMerged(file(0));
  await flow.givenBaseline();
  await flow.startExecutor().startPlanner().pass(30_000);
  const commits: string[] = [];
  for (const percent of [30, 60, 30, 50]) {
    commits.push(flow.whenMerged(file(percent)));
    await flow.untilRunsEnd(commits.length);
    // What was rolled back leaves a hold; a person ends it.
    if (commits.length === 3) await flow.whenAsked({ verb: "resume", scope: "bucket/production" });
  }
  const [first = "", second = "", , last = ""] = commits;
  return { flow, ancient, first, second, last };
}

type History = Awaited<ReturnType<typeof makeHistory>>;

const targets: readonly { readonly name: string; readonly to: (of: History) => string }[] = [
  { name: "a commit from before the baseline", to: ({ ancient }) => ancient },
  { name: "a commit that came after the run", to: ({ second }) => second },
  { name: "a commit that main never had", to: () => "0".repeat(40) },
  { name: "what main rolled back from since", to: ({ second }) => second },
];

test.each(targets)("a rollback that is requested towards $name moves nothing, and is answered so", async (target) => {
  const history = await makeHistory();
  const { flow, first, last } = history;
  const run = target.name.startsWith("what") ? last : first;
  const before = written(flow).length;
  await flow.whenAsked({
    verb: "rollback",
    scope: `run/${run.slice(0, 12)}`,
    revertTo: target.to(history),
    now: true,
    id: "forged-1",
  });
  await flow.pass(120_000);
  expect(written(flow).length).toBe(before);
  expect((await flow.ledger())?.requests["forged-1"]?.answer).toMatch(/^not rolled back: main/);
  await flow.end();
});

// Main rolled back from the later commit meanwhile: such a rollback is over before it began, and its stop is ended.
const state = targets.filter(({ name }) => name !== "a commit that came after the run");

test.each(state)("a rollback in a forged ledger towards $name moves nothing, and status names it", async (target) => {
  const history = await makeHistory();
  const { flow, first, last } = history;
  const run = target.name.startsWith("what") ? last : first;
  const before = written(flow).length;
  const at = new Date(flow.clock.now()).toISOString();
  const scope = `run/${run.slice(0, 12)}` as const;
  const own = { scope, strength: "move", at, who: "eve", why: "forged", cause: "rollback" } as const;
  const stop: StopRecord = { ...own, id: "forged", revertTo: target.to(history), now: true };
  const repository = openFakeRepository(flow.remote);
  await repository.fetch();
  const ledger = await flow.ledger();
  if (ledger === undefined) throw new Error("there is a ledger");
  const next = { ...ledger, sequence: ledger.sequence + 1, stops: { ...ledger.stops, forged: stop } };
  await openLedger(repository).record({ sentence: "forged", actor: "eve", cause: "StopPlaced", next }, ledger);
  await flow.pass(120_000);
  expect(written(flow).length).toBe(before);
  expect(((await flow.status())?.waitingFor ?? []).map(({ code }) => code)).toContain("RollbackRefused");
  await flow.end();
});
