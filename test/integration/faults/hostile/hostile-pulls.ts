import { deepStrictEqual, ok } from "node:assert/strict";

import { createThrottleGroups, openScm, type Scm } from "#libs/scm";

import { tokens } from "../../fleet/people.ts";
import type { RealFleet } from "../../fleet/real-fleet.ts";
import type { Fault, Stage } from "../passes/fault.ts";
import { file, names, readEnd } from "../passes/shop.ts";
import { attacks } from "./attacks.ts";
import { openHostileHands } from "./hostile-objects.ts";
import { watchPlanner } from "./watch-planner.ts";

/** One at a time, and some real seconds between two: the run is in progress while all of it is judged. */
const slowly =
  "defaults:\n  batch: { batchSize: 1, delayBetweenBatches: 10m, readinessTimeout: 1h }\n" +
  "  rollback: { batch: { delayBetweenBatches: 5s } }\n" +
  "  gates: [{ name: proxy-sync, when: during, proxySync: { within: 1h }, onNoData: pass }]\n";

/** From a person's verb until the planner has merged the pull request of the rollback, real ms. */
const rollbackMs = 60_000;

function openAs({ github }: RealFleet, token: string): Scm {
  const [owner, repo] = ["acme", "rollouts"];
  return openScm({ baseUrl: github.url, owner, repo, token, throttle: createThrottleGroups(1), retryBaseMs: 5 });
}

async function openPull(fleet: RealFleet, token: string, branch: string): Promise<void> {
  await openAs(fleet, token).openPullRequest({ branch, base: "main", title: branch, body: "" });
}

/** The same from ben's fork, of which the stand-in keeps branches under `forks/`. */
async function openFromFork({ github }: RealFleet, branch: string): Promise<void> {
  const answer = await fetch(`${github.url}/repos/acme/rollouts/pulls`, {
    method: "POST",
    headers: { authorization: `Bearer ${tokens.ben}`, "content-type": "application/json" },
    body: JSON.stringify({ head: `ben:${branch}`, base: "main", title: "from a fork" }),
  });
  ok(answer.status === 201, `the pull request of a fork was answered ${answer.status}`);
}

/** Of each head what stands in `meshroll/plan`: its state and its title, or "none". */
async function listPlans(fleet: RealFleet, heads: readonly string[]): Promise<readonly string[]> {
  const scm = openAs(fleet, tokens.meshroll);
  const checks = await Promise.all(heads.map(async (head) => scm.findChecks(head)));
  const plans = checks.map((each) => each.find(({ name }) => name === "meshroll/plan"));
  return plans.map((plan) => (plan === undefined ? "none" : `${plan.state}: ${plan.title}`));
}

/** What check each pull request must come to, by the name of its branch. */
type Wanted = ReadonlyMap<string, { readonly head: string; readonly want: RegExp }>;

/** A planner alone on a machine judges them in a quarter of it; each may cost its ten seconds, real ms. */
const judgedMs = 240_000;

/** Waits until each of them has its own verdict. */
async function untilJudged(stage: Stage, round: string, wanted: Wanted): Promise<void> {
  const { fleet } = stage;
  const ends = new Map([...wanted.keys()].map((name) => [name, stage.measure(`${name} ${round}`)]));
  let left = [...wanted];
  const look = async (): Promise<boolean> => {
    const plans = await listPlans(
      fleet,
      left.map(([, { head }]) => head),
    );
    const done = left.filter(([, { want }], index) => want.test(plans[index] ?? ""));
    for (const [name] of done) ends.get(name)?.();
    left = left.filter((each) => !done.includes(each));
    return left.length === 0;
  };
  try {
    await fleet.until("all are judged", look, judgedMs, 500);
  } catch (error) {
    const plans = await listPlans(
      fleet,
      left.map(([, { head }]) => head),
    ); // What stands there instead says why.
    const others = left.map(([name, { want }], index) => `${name} is ${plans[index]}, not ${want}`);
    throw new Error(others.join(", "), { cause: error });
  }
}

async function playHostile(stage: Stage): Promise<void> {
  const { fleet } = stage;
  await stage.prepare("well");
  await stage.startAll({
    MESHROLL_GITHUB_API_URL: fleet.github.url,
    MESHROLL_GITHUB_REPOSITORY: "acme/rollouts",
    MESHROLL_GITHUB_TOKEN: tokens.meshroll,
    MESHROLL_GITHUB_POLL_SECONDS: "1",
    MESHROLL_SANDBOX_THROTTLE: "10",
  });
  await fleet.merge({ "meshroll.yml": slowly });
  const endWatch = watchPlanner(fleet);
  const hands = openHostileHands(fleet.gitFolder, fleet.github.gitUrl, tokens.ben);
  const wanted = new Map<string, { readonly head: string; readonly want: RegExp }>();
  const bring = async (name: string, want: RegExp, entries: readonly string[]) =>
    void wanted.set(name, { head: await hands.push(name, entries), want });
  for (const { name, want, bring: list } of attacks) await bring(`eve/${name}`, want, list(hands));
  await bring("ana/more", /^success/, [hands.file("meshroll.yml", `${slowly}# more\n`)]);
  const fork = await hands.push("forks/ben/more", [hands.file("rollouts.yml", file(50))]);

  // A run is in progress, and all of them come.
  await fleet.merge({ "rollouts.yml": file(100) });
  await fleet.until("it moves", () => fleet.writes.length > 0);
  for (const name of wanted.keys()) await openPull(fleet, name.startsWith("ana/") ? tokens.ana : tokens.ben, name);
  await openFromFork(fleet, "more");

  // A person has the run rolled back at a moment of this pass: by a pull request that the planner merges itself.
  const [run] = await fleet.runs();
  const moved = 1 + Math.floor(stage.random() * 3);
  await fleet.until(`${moved} are written`, () => fleet.writes.length >= moved);
  const rolledBack = stage.measure("rollback on main");
  const began = performance.now();
  await fleet.request({ verb: "rollback", scope: `run/${run?.id ?? ""}` });
  await fleet.until("main has the rollback", async () => (await fleet.runs()).length === 2, rollbackMs);
  rolledBack();
  ok(performance.now() - began < rollbackMs, "the rollback was merged in time");
  const back = stage.measure("all back");
  await fleet.untilRunEnds(2);
  back();
  await untilJudged(stage, "first", wanted);
  await stage.untilNamed("ForkUnasked");
  deepStrictEqual(await listPlans(fleet, [fork]), ["none"], "a fork's pull request is not judged before a writer asks");

  // Main moves, and another one comes: it is judged next to those that cost their limits, and they are still red.
  const main = await fleet.merge({ "notes.md": "main moved\n" });
  await fleet.until("main is read", async () => (await fleet.status())?.main.head === main);
  await bring("ana/again", /^success/, [hands.file("meshroll.yml", `${slowly}# again\n`)]);
  await openPull(fleet, tokens.ana, "ana/again");
  await untilJudged(stage, "again", wanted);
  stage.tell("longest without a beat", await endWatch());
  const { revisions, writes, runs } = await readEnd(fleet);
  deepStrictEqual(revisions, Object.fromEntries(names.map((name) => [name, "old"])));
  ok(
    Object.values(writes).every((count) => count === 0 || count === 2),
    "each went there and back, or stayed",
  );
  deepStrictEqual(runs.length, 2, "what was merged made runs, and nothing else");
  stage.fixed();
}

/** Pull requests that are meant to end, to blind or to deceive the planner: over its whole process, GitHub's API and git. */
export const hostilePullFaults: readonly Fault[] = [
  {
    name: "hostile-pull-requests",
    shows:
      "pull requests that ask for too much come while a run moves: each gets its own verdict, the run is rolled back " +
      "in time, and the planner keeps its beat and its memory",
    play: playHostile,
  },
];
