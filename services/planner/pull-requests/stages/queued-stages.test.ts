import { openStagePullBench, type StagePullBench } from "#test/flow/campaign/stage-pull-bench";
import { campaignOf } from "#test/flow/campaign/stage-campaign";
import { makeStop } from "#test/world/build";
import { file } from "#test/flow/shop";
import { expect, test } from "vitest";

const merging = "    - { name: half, set: { production: 50 }, autoMerge: { notice: 1m } }\n";

function openQueue(): StagePullBench {
  return openStagePullBench({ campaign: campaignOf("", merging), queue: true });
}

/** Rounds until one reports this wait, or main has the stage; returns all codes. */
async function roundsUntil(bench: StagePullBench, code: string): Promise<readonly string[]> {
  const codes: string[] = [];
  for (let step = 0; step < 12 && !codes.includes(code) && bench.readMain() === file(0); step += 1)
    codes.push(...(await bench.round()).map(({ reason }) => reason.code));
  return codes;
}

test("a stage that merges itself goes through the queue: status says so, its group gets the checks, and main has it", async () => {
  const bench = openQueue();
  const codes = await roundsUntil(bench, "StageQueued");
  expect(codes.at(-1)).toBe("StageQueued");
  await bench.round();
  expect(bench.readMain()).toBe(file(50));
  expect(bench.hub.edits.filter((edit) => edit.includes(" merge "))).toEqual(["merge-queue merge 1"]);
});

test("a hold turns the group of a queued stage red: the queue takes it out, and only a person puts it back", async () => {
  const bench = openQueue();
  await roundsUntil(bench, "StageQueued");
  const hold = makeStop({ id: "h", scope: "campaign/shop", strength: "propose", who: "cleo" });
  bench.ledger = { ...bench.ledger, stops: { h: hold } };
  await bench.round();
  expect(await bench.scm.queuedGroups("main")).toEqual([]);
  bench.ledger = { ...bench.ledger, stops: {} };
  expect((await roundsUntil(bench, "StageRefused")).at(-1)).toBe("StageRefused");
  const [wait] = (await bench.round()).filter(({ reason }) => reason.code === "StageRefused");
  expect(wait?.reason).toMatchObject({ demands: [{ code: "QueueRemoved", reason: "CI_FAILURE" }], style: "queue" });
  expect(bench.readMain()).toBe(file(0));
});
