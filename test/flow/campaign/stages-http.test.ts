import { wordsOf } from "#test/world/words";
import { expect, test } from "vitest";

import { file } from "../shop.ts";
import { openHub } from "./http-hub.ts";
import { campaignOf } from "./stage-campaign.ts";

const branch = "meshroll/shop/half";

test("10.3 over HTTP a stage is opened, labelled, judged by its team's rule and merged by a person, in five writes", async () => {
  const rule = "  defaults: { approvals: { required: 1, from: ['team:mesh'] } }\n";
  const hub = await openHub(campaignOf(rule));
  await hub.round();
  const waits = await hub.round();
  const [pull] = await hub.github.as("ada").findPullRequests(branch);
  await hub.github.approve("ada", 1);
  await hub.round();
  const refused = await hub.github.as("ada").merge(1, pull?.headSha ?? "");
  await hub.github.approve("bob", 1);
  await hub.round();
  const merged = await hub.github.as("ada").merge(1, pull?.headSha ?? "");

  expect(pull).toMatchObject({ state: "open", author: "bot", labels: ["meshroll"] });
  expect(waits.map(({ reason }) => [reason.code, wordsOf(reason)?.owner])).toEqual([["ApprovalNeeded", "team:mesh"]]);
  expect([refused.kind, merged.kind]).toEqual(["refused", "merged"]);
  expect(hub.countWrites()).toBe(5);
});

test("10.3 over HTTP a closed pull request names the person who closed it", async () => {
  const hub = await openHub(campaignOf());
  await hub.round();
  await hub.github.as("ada").closePullRequest(1);
  await hub.round();
  expect(hub.stops()).toMatchObject({ "closed-1": { who: "ada", cause: "closed", strength: "propose" } });
});

test("10.3 over HTTP a pull request that main overtook is closed with a comment, without a hold", async () => {
  const hub = await openHub(campaignOf());
  await hub.round();
  hub.github.remote.commitToMain({ files: { "rollouts.yml": file(50) } });
  await hub.round();
  await hub.round();
  const [pull] = await hub.github.as("ada").findPullRequests(branch);
  const comments = await hub.github.as("ada").comments(1);
  expect(pull).toMatchObject({ state: "closed", closedBy: "bot" });
  expect(comments.map(({ author, body }) => [author, body.split("\n")[1]])).toEqual([
    ["bot", "Closed by meshroll: main has reached stage half without it. Nothing is held by this."],
  ]);
  expect(hub.stops()).toEqual({});
});

test("10.2 over HTTP an autoMerge stage merges without an approval, and a lost answer leaves no duplicate labels", async () => {
  const stages = "    - { name: half, set: { production: 50 }, autoMerge: { notice: 1m } }\n";
  const hub = await openHub(campaignOf("", stages));
  hub.github.github.addFault({ on: { method: "POST", path: /\/(?:pulls|labels)$/ }, effect: { kind: "loseAnswer" } });
  for (let round = 0; round < 8; round += 1) await hub.round().catch(() => undefined);
  const pulls = await hub.github.as("ada").findPullRequests(branch);
  expect(pulls).toMatchObject([{ state: "merged", mergedBy: "bot", labels: ["meshroll"] }]);
  expect(await hub.github.as("ada").reviews(1)).toEqual([]);
});
