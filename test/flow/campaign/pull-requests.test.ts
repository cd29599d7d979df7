import { createVirtualClock } from "#fakes/runtime";
import { openRepository } from "#libs/git";
import { compileSpec, type StopRecord, type Snapshot } from "#libs/plan";
import { makeCluster, makeLedger, makeRun, makeStop, makeWorkload } from "#test/world/build";
import { wordsOf } from "#test/world/words";
import { afterEach, describe, expect, test } from "vitest";

import type { FaultEffect } from "../../../sandbox/github/state/faults.ts";
import { startTestEnvironment, type TestEnvironment } from "../../../sandbox/github/test-world.ts";
import { createInProcessJudge } from "../parts/in-process-judge.ts";
import { createFollow } from "../../../services/planner/pull-requests/create-follow.ts";
import { followOnce } from "../../../services/planner/pull-requests/follow-once.ts";
import type { Wait } from "../../../services/planner/loop/make-wait.ts";
import { fileAt } from "./pull-request-bench.ts";
import { createSilentLogger } from "../parts/silent-logger.ts";

const here = "/repos/acme/mesh";
const required = ["meshroll/plan", "meshroll/approvals"];
const cluster = makeCluster(
  "one",
  ["a", "b", "c", "d", "e", "f", "a-stg", "b-stg"].map((name) => makeWorkload(`${name}/web`)),
);

/** The planner's part that follows pull requests, as user `bot`, against GitHub's stand-in over HTTP. */
interface Hub {
  readonly github: TestEnvironment;
  readonly run: string;
  /** The commit before the run. */
  readonly before: string;
  readonly stops: Map<string, StopRecord>;
  round(): Promise<readonly Wait[]>;
  /** Starts another process, which remembers nothing. */
  restart(): void;
  propose(branch: string, text: string): Promise<number>;
  /** Ada tries to merge; the status and the text of the response. */
  merge(number: number): Promise<readonly [number, string]>;
  readMain(): Promise<string | undefined>;
}

let opened: TestEnvironment | undefined;
afterEach(async () => opened?.close());

async function openHub(personalToken = false): Promise<Hub> {
  const users = ["bot", "ada", "bob"].map((login) => ({
    login,
    token: `token-of-${login}`,
    ...(login === "bot" && personalToken ? { mayWriteChecks: false } : {}),
  }));
  const protection = { requiredReviews: 0, requiredChecks: required };
  const github = await startTestEnvironment({ files: { "rollouts.yml": fileAt(0) }, protection, users });
  opened = github;
  const before = github.remote.head("main") ?? "";
  const after = github.remote.commitToMain({ files: { "rollouts.yml": fileAt(50) } });
  const [from, to] = ['[["old",100]]', '[["new",50],["old",50]]'];
  const run = makeRun(after, before, { changes: [{ pattern: "production", from, to, direction: "forward" }] });
  const stops = new Map<string, StopRecord>();
  const credentials = { token: "token-of-bot" };
  const repository = await openRepository({ url: github.github.gitUrl, folder: github.freshFolder(), credentials });
  const clock = createVirtualClock();
  const begin = () => {
    const scm = github.as("bot");
    const [strangers, judge] = [repository, createInProcessJudge()];
    const link = { scm, repository, strangers, judge, base: "main", pollMs: 30_000 };
    return createFollow(link, { clock, log: createSilentLogger(), onMerged: () => undefined });
  };
  let parts = begin();

  async function readSnapshot(): Promise<Snapshot> {
    const { main } = await repository.fetch();
    const compiled = compileSpec(main, await repository.read(main, "rollouts.yml"), undefined);
    return {
      now: clock.now(),
      main: { head: main, ageMs: 0, contained: true, vanished: [], points: [] },
      ledger: makeLedger({ main, judged: after, runs: { [run.id]: run }, stops: Object.fromEntries(stops) }),
      specs: new Map(compiled.ok ? [[main, compiled.spec]] : []),
      clusters: new Map([["one", cluster]]),
      requests: [],
      waitingSince: new Map(),
      queueUp: true,
    };
  }

  return {
    github,
    run: run.id,
    before,
    stops,
    round: async () => followOnce(parts, await readSnapshot()),
    restart: () => void (parts = begin()),
    async propose(branch, text) {
      github.remote.commitTo(branch, { files: { "rollouts.yml": text }, author: "ada" });
      const draft = { head: branch, base: "main", title: branch };
      const made = await github.ask("ada", "POST", `${here}/pulls`, draft);
      return Number(made.body?.number ?? (await github.as("ada").findPullRequests(branch))[0]?.number);
    },
    async merge(number) {
      const { status, body } = await github.ask("ada", "PUT", `${here}/pulls/${number}/merge`, {});
      return [status, body.message];
    },
    async readMain() {
      return repository.read((await repository.fetch()).main, "rollouts.yml");
    },
  };
}

function askRollback(hub: Hub): void {
  const revertTo = hub.before;
  hub.stops.set(
    "rollback",
    makeStop({ id: "rollback", scope: `run/${hub.run}`, cause: "rollback", revertTo, who: "bob", why: "INC-9921" }),
  );
}

describe("a main that requires both checks", () => {
  test("10.1 refuses a pull request that does not parse, is held, or lacks an approval", async () => {
    const hub = await openHub();
    const number = await hub.propose("ada/more", "production: 7\n");
    const untold = await hub.merge(number);
    await hub.round();
    const unparsable = await hub.merge(number);
    await hub.propose("ada/more", fileAt(100));
    await hub.round();
    const unapproved = await hub.merge(number);
    await hub.github.approve("bob", number);
    hub.stops.set("h", makeStop({ id: "h", scope: "all", strength: "propose" }));
    await hub.round();
    const held = await hub.merge(number);
    hub.stops.delete("h");
    await hub.round();
    const merged = await hub.merge(number);
    expect([untold, unparsable, unapproved, held, merged]).toEqual([
      [405, "2 of 2 required status checks are expected."],
      [405, "2 of 2 required status checks are expected."],
      [405, 'Required status check "meshroll/approvals" is expected.'],
      [405, 'Required status check "meshroll/plan" is expected.'],
      [200, "Pull Request successfully merged"],
    ]);
    expect(await hub.readMain()).toBe(fileAt(100));
  });

  const tokens = [
    { token: "an app's token", want: /and is replaced/u },
    { token: "a personal token", want: /and that of ada\[bot\] stands: a personal token cannot replace a check run/u },
  ];
  test.each(tokens)(
    "10.1 reports a check run that another account posted, and what meshroll can do with $token",
    async ({ token, want }) => {
      const hub = await openHub(token === "a personal token");
      const number = await hub.propose("ada/more", fileAt(100));
      const [pull] = await hub.github.as("ada").findPullRequests("ada/more");
      const forged = { name: "meshroll/approvals", head_sha: pull?.headSha, conclusion: "success" };
      await hub.github.ask("ada", "POST", `${here}/check-runs`, forged);
      const waits = [...(await hub.round()), ...(await hub.round())].filter(({ scope }) => scope === `pull/${number}`);
      expect(waits.map(({ reason }) => reason.code)).toContain("CheckForeign");
      for (const { reason } of waits) expect(wordsOf(reason)?.message).toMatch(want);
    },
  );

  for (const token of ["an app's token", "a personal token"]) {
    test(`2.2 accepts a rollback with 0 approvals, merged by the planner with ${token}`, async () => {
      const hub = await openHub(token === "a personal token");
      askRollback(hub);
      await hub.round();
      const [pull] = await hub.github.as("ada").findPullRequests(`meshroll/rollback/${hub.run}`);
      expect(pull).toMatchObject({ state: "merged", mergedBy: "bot", author: "bot" });
      expect(await hub.github.as("ada").reviews(pull?.number ?? 0)).toEqual([]);
      expect([await hub.readMain(), await hub.round()]).toEqual([fileAt(0), []]);
    });
  }

  test("10.3 gets one pull request and one of each check, whatever happens to GitHub's answers", async () => {
    const hub = await openHub();
    askRollback(hub);
    const effects: readonly FaultEffect[] = [
      { kind: "loseAnswer" },
      { kind: "truncate" },
      { kind: "status", status: 502 },
      { kind: "reset" },
    ];
    for (const effect of [...effects, ...effects])
      hub.github.github.addFault({ on: { method: "POST", path: /^\/repos/ }, effect });
    hub.github.github.addFault({ on: { method: "PUT" }, effect: { kind: "loseAnswer" } });
    for (let round = 0; round < 12; round += 1) {
      await hub.round().catch(() => undefined);
      hub.restart();
    }
    const pulls = await hub.github.as("ada").findPullRequests(`meshroll/rollback/${hub.run}`);
    const checks = await hub.github.ask("ada", "GET", `${here}/commits/${pulls[0]?.headSha}/check-runs?filter=all`);
    expect([pulls.map(({ state }) => state), checks.body.total_count]).toEqual([["merged"], 2]);
    expect(await hub.readMain()).toBe(fileAt(0));
  });
});
