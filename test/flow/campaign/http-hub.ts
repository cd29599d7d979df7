import { createVirtualClock } from "#fakes/runtime";
import { openRepository } from "#libs/git";
import { applyChange, compileSpec, followPulls, type LedgerState, type Snapshot } from "#libs/plan";
import { makeCluster, makeLedger, makeWorkload, sha } from "#test/world/build";
import { onTestFinished } from "vitest";

import { demandReviews } from "#sandbox/github";
import { startTestEnvironment } from "../../../sandbox/github/test-world.ts";
import { createInProcessJudge } from "../parts/in-process-judge.ts";
import { createFollow } from "../../../services/planner/pull-requests/create-follow.ts";
import { followOnce } from "../../../services/planner/pull-requests/follow-once.ts";
import type { Wait } from "../../../services/planner/loop/make-wait.ts";
import { file } from "../shop.ts";
import { createSilentLogger } from "../parts/silent-logger.ts";
import { campaignFile } from "./stage-campaign.ts";

const protection = {
  requiredReviews: 0,
  requiredChecks: ["meshroll/plan", "meshroll/approvals"],
  ...demandReviews(["bot"]),
};
const names = ["a", "b", "c", "d", "e", "f"];
const one = makeCluster(
  "one",
  names.map((name) => makeWorkload(`${name}/web`)),
);

/** Rounds over GitHub's stand-in by HTTP, as user `bot`, with the ledger records that the rounds ask for. Ends with the test. */
export async function openHub(campaign: string) {
  const files = { "rollouts.yml": file(0), [campaignFile]: campaign };
  const clock = createVirtualClock();
  const github = await startTestEnvironment({ files, protection, teams: { mesh: ["bob"] }, clock: () => clock.now() });
  onTestFinished(async () => github.close());
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
