import type { RunRecord } from "#libs/plan";
import { writeText } from "#libs/wording";
import { expect, test } from "vitest";

import { forgeRun } from "../forging/forge-ledger.ts";
import { countOn, file } from "../shop.ts";
import { openStages, type StageFlow } from "../campaign/stage-bench.ts";
import { campaignOf } from "../campaign/stage-campaign.ts";

const minute = 60_000;
const [half, all] = ["meshroll/shop/half", "meshroll/shop/all"];
const stages =
  "    - { name: half, set: { production: 50 }, autoMerge: { notice: 1m } }\n" +
  "    - { name: all, set: { production: 100 }, autoMerge: { notice: 1m } }\n";

function readMain({ flow }: StageFlow): unknown {
  return flow.remote.commit(flow.remote.head("main") ?? "")?.tree.get("rollouts.yml");
}

/** The run of the first stage, which merged itself. */
async function untilRunning({ flow, untilOpen }: StageFlow): Promise<string> {
  await untilOpen(half);
  await flow.until("the first stage merges itself", async () => (await flow.runs()).length > 0, 10 * minute);
  return (await flow.runs())[0]?.id ?? "";
}

async function findWait({ flow }: StageFlow, code: string) {
  return (await flow.status())?.waitingFor.find((each) => each.code === code);
}

/** A run that ended now, as the planner would write it. */
function end(bench: StageFlow, outcome: Partial<RunRecord["outcome"]> = {}) {
  return (run: RunRecord): Partial<RunRecord> => ({
    state: "done",
    endedAt: new Date(bench.flow.clock.now()).toISOString(),
    clusters: { one: { unhealthyBefore: [], openedAt: run.startedAt } },
    outcome: { migrated: 3, skipped: [], seen: ["one"], ...outcome },
  });
}

interface Forgery {
  readonly name: string;
  readonly change: (bench: StageFlow, run: RunRecord) => Partial<RunRecord>;
}

const forgeries: readonly Forgery[] = [
  { name: "done", change: (bench, run) => end(bench)(run) },
  { name: "empty", change: (bench, run) => ({ ...end(bench, { migrated: 0 })(run), state: "empty" }) },
  {
    name: "done, with every workload given up",
    change(bench, run) {
      const names = ["a", "b", "c", "d", "e", "f"];
      const skipped = names.map((name) => ({
        cluster: "one",
        workload: `shop-${name}/Deployment/web`,
        code: "Excluded",
        message: writeText("Excluded"),
      }));
      return end(bench, { migrated: 0, skipped })(run);
    },
  },
  { name: "done long ago", change: (bench, run) => ({ ...end(bench)(run), endedAt: "2020-01-01T00:00:00.000Z" }) },
  {
    name: "done, in a cluster that it says was never seen",
    change: (bench, run) => ({ ...end(bench, { seen: [] })(run), clusters: {}, expected: [] }),
  },
];

/** A campaign whose first stage has merged itself and moves nothing, for its cluster is stopped; the id of its run. */
async function openStill(): Promise<readonly [StageFlow, string]> {
  const bench = await openStages(campaignOf("", stages));
  await bench.flow.whenAsked({ verb: "stop", scope: "cluster/one" });
  return [bench, await untilRunning(bench)];
}

test.each(forgeries)(
  "a run that the ledger calls $name, and that moved nothing, lets no next stage merge itself, and is named",
  async ({ change }) => {
    const [bench, id] = await openStill();
    const { flow } = bench;
    await forgeRun(flow, id, (run) => change(bench, run));
    await flow.pass(20 * minute);
    expect([countOn(flow, "new"), readMain(bench)]).toEqual([0, file(50)]);
    expect(await findWait(bench, "StageUnproven")).toMatchObject({
      scope: "campaign/shop",
      message: expect.stringContaining(id) as string,
      command: `meshroll retry run/${id} --reason "…"`,
    });
    expect(await bench.listPulls()).toEqual(["half merged"]);
    // A process that starts reads the ledger again.
    await flow.killPlanner();
    await flow.startPlanner().pass(5 * minute);
    expect([readMain(bench), (await findWait(bench, "StageUnproven"))?.code]).toEqual([file(50), "StageUnproven"]);
    await flow.killPlanner();
    await flow.killExecutor();
  },
);

test("a retry opens a run again that the ledger called done, and the campaign goes on once it moved", async () => {
  const [bench, id] = await openStill();
  const { flow } = bench;
  await forgeRun(flow, id, end(bench));
  await flow.pass(2 * minute);
  await flow.whenAsked({ verb: "resume", scope: "cluster/one" });
  await flow.pass(10_000);
  await flow.whenAsked({ verb: "retry", scope: `run/${id}` });
  await bench.untilOpen(all);
  expect(countOn(flow, "new")).toBeGreaterThan(0);
  expect((await flow.runs()).find((run) => run.id === id)).toMatchObject({ state: "done" });
  await flow.end();
});

const bake = "  defaults: { bake: 30m }\n";

test("a run that the ledger calls done as soon as it moved lets the next stage go on when its bake can be over", async () => {
  const bench = await openStages(campaignOf(bake, stages));
  const { flow } = bench;
  const id = await untilRunning(bench);
  await flow.until("half is moved", () => countOn(flow, "new") > 0, 10 * minute);
  await flow.pass(2 * minute);
  const moved = flow.clock.now();
  const baked = { beganAt: new Date(moved).toISOString(), neededMs: 30 * minute, healthyMs: 30 * minute };
  await forgeRun(flow, id, (run) => ({ ...end(bench)(run), bake: { ...baked, savedAt: baked.beganAt } }));
  await flow.pass(20 * minute);
  const wait = await findWait(bench, "StageUnproven");
  expect([readMain(bench), wait?.message]).toEqual([file(50), expect.stringContaining("bake")]);
  expect(Date.parse(wait?.until ?? "")).toBeLessThanOrEqual(moved + 30 * minute);
  await bench.untilOpen(all);
  expect(flow.clock.now() - moved).toBeGreaterThan(25 * minute);
  await flow.killPlanner();
  await flow.killExecutor();
});

test("a bake that the ledger calls over, longer than the last write is ago, does not end its run", async () => {
  const bench = await openStages(campaignOf(bake, stages));
  const { flow } = bench;
  const id = await untilRunning(bench);
  await flow.until("half is moved", () => countOn(flow, "new") > 0, 10 * minute);
  await flow.pass(2 * minute);
  const moved = flow.clock.now();
  const beganAt = new Date(moved - 60 * minute).toISOString();
  await forgeRun(flow, id, () => ({
    bake: { beganAt, savedAt: beganAt, neededMs: 30 * minute, healthyMs: 30 * minute },
  }));
  await flow.pass(20 * minute);
  const [run] = await flow.runs();
  expect([run?.state, (await findWait(bench, "BakeUnproven"))?.scope]).toEqual(["open", `run/${id}`]);
  await flow.untilRunsEnd(1);
  expect(flow.clock.now() - moved).toBeGreaterThan(25 * minute);
  await flow.killPlanner();
  await flow.killExecutor();
});
