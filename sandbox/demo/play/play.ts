import type { FleetStatus } from "#libs/plan";

import { breakOneCluster } from "./break-one-cluster.ts";
import { brokenStage, campaignName } from "../world/files.ts";
import { proposeCampaign } from "../world/people.ts";
import { approveAndMerge } from "../world/review/approve-and-merge.ts";
import { runCli } from "../world/run-cli.ts";
import { type Stage, until } from "./stage.ts";
import { findCampaign, findFailureStop, findStageRun, isComplete, isWaitingForReview } from "../story/story.ts";
import { wipeWhileStopped } from "./wipe-while-stopped.ts";

const numbers = new Intl.NumberFormat("en-US");

function introduce({ environment, display }: Pick<Stage, "environment" | "display">): void {
  const { clusters } = environment;
  const sum = (count: (cluster: (typeof clusters)[number]) => number): number =>
    clusters.reduce((total, each) => total + count(each), 0);
  const managed = sum((each) => each.managed.length);
  const broken = sum((each) => each.broken.length);
  const pods = sum(({ model, managed: ours, unmanaged }) =>
    [...ours, ...unmanaged].reduce((total, ref) => total + model.podsOf(ref).length, 0),
  );
  display.say(
    [
      "meshroll demo: nothing leaves this computer; their minute takes a second",
      `  ✔ ${clusters.length} clusters, ${numbers.format(managed)} workloads, ${numbers.format(pods)} pods; ${broken} are broken already`,
      "  ✔ GitHub stand-in: Airbnb's file; a merge needs two green checks",
      "  ✔ planner, executor, notifier, api as in production; nothing moves yet",
    ].join("\n"),
  );
}

/** Approves and merges as ben, unless a person does that. */
async function review({ environment, display, options }: Stage): Promise<void> {
  if (!options.yes) return;
  const { number, sha } = await approveAndMerge({ url: environment.github.url });
  display.say(`#${number}: both checks are green, ben approved: merged as ${sha.slice(0, 12)}`);
}

async function mergeCampaign(stage: Stage): Promise<void> {
  const { environment, display, suggester } = stage;
  const pull = await proposeCampaign({
    url: environment.github.url,
    gitUrl: environment.github.gitUrl,
    folder: environment.folder,
  });
  display.say(`PR #${pull.number} by ana: campaign ${campaignName}, production from 0 to 100 % on 1-25-2`);
  suggester.markProposed();
  await review(stage);
  await until(stage, "the campaign", (status) => findCampaign(status) !== undefined);
}

/** Waits until meshroll proposes the stage, and merges it. */
async function mergeStage(stage: Stage, name: string): Promise<void> {
  await until(stage, `stage ${name}`, (status) => isWaitingForReview(status, name) || stage.suggester.isOver(status));
  await review(stage);
}

async function runVerb(stage: Stage, command: readonly string[], reason: string): Promise<void> {
  const { environment, display, options } = stage;
  display.say(`$ npx meshroll ${command.join(" ")}`);
  display.say(await runCli(environment, [...command, "--reason", reason], options.signal));
}

/** Removes the fault, and retries what failed: nothing is retried before a person asks for it. */
async function fixAndRetry(stage: Stage, run: string, fix: () => void): Promise<void> {
  fix();
  stage.display.say("fixed: new proxies of 1-25-2 get ready again in prod-euw1-a");
  await runVerb(stage, ["retry", `run/${run}`], "the image is there again");
}

/** Rolls the run back. The hold stays until a person ends it: until then nothing is proposed. */
async function rollBack(stage: Stage, run: string): Promise<void> {
  await runVerb(stage, ["rollback", `run/${run}`, "--yes"], "bad proxies in prod-euw1-a");
  const isHeld = ({ runs, stops }: FleetStatus) =>
    runs.length === 0 && stops.some(({ cause }) => cause === "rolledBack");
  await until(stage, "the way back", isHeld);
  await runVerb(stage, ["unhold", "bucket/production"], "the registry has the image again");
}

/** What an operator types after failures stopped the stage. */
async function recoverStage(stage: Stage, fix: () => void): Promise<void> {
  const { runs, clusters } = await until(stage, "the stop", (status) => findFailureStop(status) !== undefined);
  const run = runs.at(-1)?.id ?? "";
  stage.display.say(`${brokenStage} is stopped in all ${clusters.length} clusters; what failed was put back`);
  const { wipe, rollsBack = wipe } = stage.options;
  if (!rollsBack) return fixAndRetry(stage, run, fix);
  // With --wipe: wiped while stopped, rolled back, proposed again, and what failed then is retried.
  if (wipe) await wipeWhileStopped(stage);
  await rollBack(stage, run);
  await mergeStage(stage, brokenStage);
  const again = await until(stage, "the stage again", (status) => findStageRun(status, brokenStage) !== undefined);
  return fixAndRetry(stage, findStageRun(again, brokenStage)?.id ?? "", fix);
}

/** The whole scenario: a campaign, staged pull requests, a failure and its recovery, and on to 100 %. */
export async function play(stage: Stage): Promise<void> {
  const { options, suggester } = stage;
  const isReady = ({ clusters }: FleetStatus) =>
    clusters.length === stage.environment.clusters.length && clusters.every(({ fresh }) => fresh);
  await until(stage, "the start", isReady);
  introduce(stage);
  await mergeCampaign(stage);
  await mergeStage(stage, brokenStage);
  const fix = await breakOneCluster(stage);
  if (options.yes) {
    await recoverStage(stage, fix);
    await mergeStage(stage, "prod-100");
  }
  await until(stage, "the end", (status) => isComplete(status) || suggester.isOver(status));
}
