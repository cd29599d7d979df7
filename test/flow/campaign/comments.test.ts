import { expect, test } from "vitest";

import { countOn, file } from "../shop.ts";
import { openStages, type StageFlow } from "./stage-bench.ts";
import { campaignOf } from "./stage-campaign.ts";

const half = "meshroll/shop/half";

/** Comments as a person with write access on a branch's pull request; returns the final text of our one reply. */
async function request({ flow, github, find }: StageFlow, body: string, author = "ben"): Promise<string> {
  const { number } = await find(half);
  const id = github.say(number, { author, body });
  const read = async (): Promise<string> => {
    const replies = (await github.as("ana").comments(number)).filter((each) => each.body.includes("meshroll:answers"));
    expect(replies.length).toBeLessThanOrEqual(1);
    return replies[0]?.body ?? "";
  };
  await flow.until(`an answer to ${body}`, async () => (await read()).includes(`<!-- meshroll:answer ${id} -->`));
  return read();
}

test("7.5 a hold by a comment stops the stage until a comment ends it, also after a kill and a wipe", async () => {
  const bench = await openStages();
  const { flow, untilOpen, github, find } = bench;
  await untilOpen(half);
  const held = await request(bench, "/meshroll hold freeze of the shop");
  await flow.pass(62_000);
  const { headSha, number } = await find(half);
  const red = (await github.as("meshroll").findChecks(headSha)).find(({ name }) => name === "meshroll/plan")?.state;
  await flow.killPlanner();
  await flow.startPlanner().pass(120_000);
  const stops = Object.values((await flow.ledger())?.stops ?? {});
  const resumed = await request(bench, "/meshroll unhold");
  await flow.pass(62_000);
  const green = (await github.as("meshroll").findChecks(headSha)).find(({ name }) => name === "meshroll/plan")?.state;

  expect(held).toContain("✔ **ben** asked `/meshroll hold freeze of the shop`");
  expect(stops).toMatchObject([{ scope: "campaign/shop", strength: "propose", who: "ben", why: "freeze of the shop" }]);
  expect(resumed).toContain("unheld comment-");
  expect([red, green]).toEqual(["failure", "success"]);
  expect((await github.as("ana").comments(number)).filter(({ author }) => author === "meshroll")).toHaveLength(1);
  await flow.end();
});

test("comments pause, resume and roll back a run", async () => {
  const slow = campaignOf("  defaults: { batch: { batchSize: 1, delayBetweenBatches: 2m } }\n");
  const bench = await openStages(slow);
  const { flow, github, untilOpen, find } = bench;
  const { number } = await untilOpen(half);
  await flow.pass(31_000);
  github.review(number, { author: "ben", state: "approved" });
  await flow.pass(31_000);
  await github.as("ana").merge(number, (await find(half)).headSha);
  await flow.until("the first workload moved", async () => countOn(flow, "new") > 0);
  const paused = await request(bench, "/meshroll pause 5xx in checkout");
  await flow.pass(120_000);
  const before = countOn(flow, "new");
  await flow.pass(300_000);
  const still = countOn(flow, "new");
  await request(bench, "/meshroll resume looked at it");
  await flow.untilRunsEnd(1);
  const after = countOn(flow, "new");
  await request(bench, "/meshroll rollback INC-9921");
  await flow.until("all are rolled back", async () => countOn(flow, "new") === 0);

  expect(paused).toContain("`stop comment-");
  expect(still).toBe(before);
  expect(after).toBeGreaterThan(before);
  expect(flow.remote.commit(flow.remote.head("main") ?? "")?.tree.get("rollouts.yml")).toBe(file(0));
  await flow.end();
});

test("rerender puts a branch with a person's commit back to the proposal without losing the commit", async () => {
  const bench = await openStages();
  const { flow, untilOpen, find, waits } = bench;
  await untilOpen(half);
  await flow.pass(31_000);
  const theirs = flow.remote.commitTo(half, {
    files: { "rollouts.yml": file(45) },
    author: "cleo",
    at: flow.clock.now(),
  });
  await flow.pass(62_000);
  const taken = await waits();
  const answer = await request(bench, "/meshroll rerender");
  await flow.pass(62_000);
  const { headSha } = await find(half);

  expect(taken).toContain("StageTaken");
  expect(answer).toContain("says again what meshroll proposes");
  expect(flow.remote.commit(headSha)?.tree.get("rollouts.yml")).toBe(file(50));
  expect(flow.remote.commit(headSha)?.parents[0]).toBe(theirs);
  await flow.end();
});
