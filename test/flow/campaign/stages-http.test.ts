import { createVirtualClock } from "#fakes/runtime";
import { openRepository } from "#libs/git";
import { applyChange, compileSpec, followPulls, type LedgerState, type Snapshot } from "#libs/plan";
import { makeCluster, makeLedger, makeWorkload, sha } from "#test/world/build";
import { wordsOf } from "#test/world/words";
import { afterEach, expect, test } from "vitest";

import { demandReviews } from "#sandbox/github";
import { startTestEnvironment, type TestEnvironment } from "../../../sandbox/github/test-world.ts";
import { createInProcessJudge } from "../parts/in-process-judge.ts";
import { createFollow } from "../../../services/planner/pull-requests/create-follow.ts";
import { followOnce } from "../../../services/planner/pull-requests/follow-once.ts";
import type { Wait } from "../../../services/planner/loop/make-wait.ts";
import { file } from "../shop.ts";
import { createSilentLogger } from "../parts/silent-logger.ts";
import { campaignFile, campaignOf } from "./stage-campaign.ts";

const protection = {
  requiredReviews: 0,
  requiredChecks: ["meshroll/plan", "meshroll/approvals"],
  ...demandReviews(["bot"]),
};
const branch = "meshroll/shop/half";
const names = ["a", "b", "c", "d", "e", "f"];
const one = makeCluster(
  "one",
  names.map((name) => makeWorkload(`${name}/web`)),
);

let opened: TestEnvironment | undefined;
afterEach(async () => opened?.close());

/** Rounds over GitHub's stand-in by HTTP, as user `bot`, with the ledger records that the rounds ask for. */
async function openHub(campaign: string) {
  const files = { "rollouts.yml": file(0), [campaignFile]: campaign };
  const clock = createVirtualClock();
  const github = await startTestEnvironment({ files, protection, teams: { mesh: ["bob"] }, clock: () => clock.now() });
  opened = github;
  const credentials = { token: "token-of-bot" };
  const repository = await openRepository({ url: github.github.gitUrl, folder: github.freshFolder(), credentials });
  const log = createSilentLogger();
  const [strangers, judge] = [repository, createInProcessJudge()];
  const link = { scm: github.as("bot"), repository, strangers, judge, base: "main", pollMs: 30_000 };
  const parts = createFollow(link, { clock, log, onMerged: () => undefined });
  let ledger: LedgerState | undefined;

  async function readSnapshot(): Promise<Snapshot> {
    const { main } = await repository.fetch();
    const text = await repository.read(main, campaignFile);
    const campaigns = text === undefined ? {} : { [campaignFile]: text };
    const compiled = compileSpec(main, await repository.read(main, "rollouts.yml"), undefined, campaigns);
    ledger = { ...(ledger ?? makeLedger({ main })), main, judged: main };
    const pulls = parts.stagePulls === undefined ? {} : { pulls: parts.stagePulls };
    return {
      now: clock.now(),
      main: { head: main, ageMs: 0, contained: true, vanished: [], points: [] },
      ledger,
      specs: new Map(compiled.ok ? [[main, compiled.spec]] : []),
      clusters: new Map([["one", one]]),
      requests: [],
      waitingSince: new Map(),
      ...pulls,
      queueUp: true,
    };
  }

  return {
    github,
    stops: () => ledger?.stops ?? {},
    /** Number of writes of `bot` to the API. */
    countWrites: () =>
      github.github.requests.filter(
        ({ login, method, route }) =>
          login === "bot" && method !== "GET" && route?.startsWith("POST /graphql") === false,
      ).length,
    async round(): Promise<readonly Wait[]> {
      await clock.advance(30_000);
      const waits = await followOnce(parts, await readSnapshot());
      const seen = await readSnapshot();
      const decision = seen.ledger === undefined ? undefined : followPulls(seen, seen.ledger);
      if (seen.ledger !== undefined && decision !== undefined) {
        const { change } = decision;
        ledger = { ...applyChange(seen.ledger, change), head: sha(`ledger ${change.sequence}`) };
      }
      return waits;
    },
  };
}

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
