import { deepStrictEqual } from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";

import { compileSpec } from "#libs/plan";

import { type Fault, inTheMiddle, type Stage } from "../passes/fault.ts";
import { drawBetween } from "../passes/random.ts";
import { file, names, readEnd, readRevisions } from "../passes/shop.ts";
import { staysStill, untilLookedAround, untilSettled } from "../passes/stays-still.ts";

async function git({ fleet }: Stage, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("git", ["--git-dir", fleet.gitFolder, ...args]);
  return stdout.trim();
}

/** Main is made to stand on another commit, as by `git push --force`: the merge that it had is gone. */
async function rewriteMain(stage: Stage): Promise<void> {
  const { fleet } = stage;
  const head = await git(stage, "rev-parse", "refs/heads/main");
  const person = ["-c", "user.name=ana", "-c", "user.email=ana@example.com"];
  const sha = await git(stage, ...person, "commit-tree", `${head}~1^{tree}`, "-p", `${head}~1`, "-m", "rewritten");
  await git(stage, "update-ref", "refs/heads/main", sha);
  await fleet.github.notice();
}

/** Whom a percentage puts on `new`. */
function onNew(percent: number): readonly string[] {
  const compiled = compileSpec("head", file(percent), undefined);
  if (!compiled.ok) throw new Error("the file does not parse");
  return names.filter((name) => compiled.spec.resolver.resolve(`shop-${name}`).revision === "new");
}

async function playForcedPush(stage: Stage): Promise<void> {
  const { fleet } = stage;
  await stage.open("well");
  await fleet.merge({ "rollouts.yml": file(100) });
  await stage.reach();
  await rewriteMain(stage);
  const isStopped = async () => Object.values((await fleet.ledger()).stops).some(({ cause }) => cause === "forcedPush");
  await fleet.until("the stop is recorded", isStopped);
  await stage.untilNamed("MainRewritten");
  await untilSettled(stage);
  await staysStill(stage, async () => untilLookedAround(stage));
  await fleet.request({ verb: "resume", scope: "all" });
  stage.fixed();
  await fleet.untilRunEnds(1);
  await fleet.until("main says old, so all are back", () =>
    Object.values(readRevisions(fleet)).every((each) => each === "old"),
  );
  const { runs, writes } = await readEnd(fleet);
  deepStrictEqual(runs, ["gone"]);
  const uneven = Object.values(writes).filter((count) => count !== 0 && count !== 2);
  deepStrictEqual(uneven, [], "each workload went there and back, or stayed");
}

async function playBackToBack(stage: Stage): Promise<void> {
  const { fleet } = stage;
  await stage.open("well", 5);
  const before = onNew(5);
  await fleet.merge({ "rollouts.yml": file(25) });
  await sleep(drawBetween(stage.random, 0, 3) * 300);
  await fleet.merge({ "rollouts.yml": file(50) });
  stage.fixed();
  await fleet.untilRunEnds(2);
  // Who was asked to be on `new` by the first file is drift, and no run's.
  const asked = onNew(50).filter((name) => !before.includes(name));
  const { revisions, writes } = await readEnd(fleet);
  deepStrictEqual(
    [revisions, writes],
    [
      Object.fromEntries(names.map((name) => [name, asked.includes(name) ? "new" : "old"])),
      Object.fromEntries(names.map((name) => [name, asked.includes(name) ? 1 : 0])),
    ],
  );
}

/** Faults of git, GitHub, and of what people push. */
export const gitFaults: readonly Fault[] = [
  {
    name: "git-down",
    // It is asked less and less often until it answers.
    recovery: 8,
    shows: "the git server answers 503 until status names it: the last main serves, and the run ends as undisturbed",
    play: inTheMiddle("well", async ({ fleet, untilNamed }) => {
      const effect = { kind: "status", status: 503 } as const;
      const fix = fleet.github.addFault({ on: {}, effect, times: Number.POSITIVE_INFINITY });
      // Main is believed for ten minutes; what is named is the next decision, which cannot be recorded, or a batch handed out by one
      // that the executor cannot fetch any more.
      await untilNamed("LedgerDown", "ControlAhead");
      fix();
    }),
  },
  {
    name: "comment-only",
    shows: "a commit that changes only a comment, in the middle of a batch, changes nothing",
    play: inTheMiddle("well", async ({ fleet }) => {
      await fleet.merge({ "rollouts.yml": `# looked at by ana\n${file(100)}` });
    }),
  },
  {
    name: "main-unparsable",
    shows: "a main that cannot be read stops everything; the next one that can lets the same run go on",
    play: inTheMiddle("well", async (stage) => {
      const { fleet } = stage;
      await fleet.merge({ "rollouts.yml": "production: [\n" });
      await stage.untilNamed("MainUnparsable");
      await untilSettled(stage);
      await staysStill(stage, async () => untilLookedAround(stage));
      await fleet.merge({ "rollouts.yml": file(100) });
    }),
  },
  {
    name: "campaign-unparsable",
    shows:
      "a campaign's file that cannot be read holds no run of others: status names it, and the run ends as undisturbed",
    play: inTheMiddle("well", async ({ fleet, untilNamed }) => {
      await fleet.merge({ "campaigns/other.yml": "kind: [\n" });
      await untilNamed("CampaignUnparsable");
    }),
  },
  {
    name: "forced-push",
    shows: "a forced push that drops the merge stops everything; resumed, what was moved for it is rolled back",
    play: playForcedPush,
  },
  {
    name: "back-to-back",
    shows: "5 to 25 and 25 to 50 merged one right after the other: no workload is lost, none is written twice",
    play: playBackToBack,
  },
];
