import type { FaultEffect } from "#sandbox/github";
import { expect, test } from "vitest";

import { openHub } from "./http-hub.ts";
import { campaignOf } from "./stage-campaign.ts";

const branch = "meshroll/shop/half";
const merging = "    - { name: half, set: { production: 50 }, autoMerge: { notice: 1m } }\n";

type Hub = Awaited<ReturnType<typeof openHub>>;

/** A round as the planner does it: what fails in passing is tried again in the next one. */
async function play(hub: Hub, rounds: number): Promise<readonly string[]> {
  const failed: string[] = [];
  for (let round = 0; round < rounds; round += 1)
    await hub.round().catch((error: unknown) => void failed.push(error instanceof Error ? error.name : String(error)));
  return failed;
}

/** The last of them may not have reached the reads when the rounds end. */
async function readEnd(hub: Hub) {
  const ada = hub.github.as("ada");
  const [pulls, comments] = [await ada.findPullRequests(branch), await ada.comments(1)];
  const sha = pulls[0]?.headSha ?? "";
  const runs = await hub.github.ask("ada", "GET", `/repos/acme/mesh/commits/${sha}/check-runs?filter=all`);
  return { pulls, comments: comments.length, runs: Number(runs.body.total_count) };
}

const lags: readonly { readonly name: string; readonly byMs: number }[] = [
  { name: "by seconds", byMs: 5_000 },
  { name: "by more than a round", byMs: 45_000 },
];
test.each(lags)("10.3 a stage is opened, judged and merged once where every read is old $name", async ({ byMs }) => {
  const hub = await openHub(campaignOf("", merging));
  const end = hub.github.github.addFault({ on: {}, effect: { kind: "old", byMs }, times: Infinity });
  const failed = await play(hub, 12);
  end();
  const { pulls, comments, runs } = await readEnd(hub);
  expect(pulls).toMatchObject([{ number: 1, state: "merged", mergedBy: "bot", labels: ["meshroll"] }]);
  expect({ comments, runs, stops: hub.stops() }).toEqual({ comments: 0, runs: 2, stops: {} });
  expect(failed.filter((name) => name !== "ScmUnavailable")).toEqual([]);
  expect(hub.countWrites()).toBeLessThanOrEqual(12);
});

const failures: readonly { readonly name: string; readonly effect: FaultEffect }[] = [
  { name: "a bad gateway", effect: { kind: "failAfter", status: 502 } },
  { name: "no answer", effect: { kind: "loseAnswer" } },
];
test.each(failures)("10.3 each write that is carried out and gets $name is found as done", async ({ effect }) => {
  const hub = await openHub(campaignOf("", merging));
  for (const method of ["POST", "PATCH", "PUT"])
    hub.github.github.addFault({ on: { method, path: /^\/repos/ }, effect, times: 3 });
  const failed = await play(hub, 12);
  const { pulls, comments, runs } = await readEnd(hub);
  expect(pulls).toMatchObject([{ number: 1, state: "merged", mergedBy: "bot", labels: ["meshroll"] }]);
  expect({ comments, runs, stops: hub.stops() }).toEqual({ comments: 0, runs: 2, stops: {} });
  expect(failed.filter((name) => name !== "ScmUnavailable")).toEqual([]);
});
