import type { FleetStatus } from "#libs/plan";

import { breakOneCluster } from "./break-one-cluster.ts";
import { brokenStage, campaignName } from "./files.ts";
import { approveAndMerge, proposeCampaign } from "./people.ts";
import { runCli } from "./run-cli.ts";
import { type Stage, until } from "./stage.ts";
import { findCampaign, findFailureStop, findStageRun, isComplete, isWaitingForReview } from "./story.ts";
import { wipeWhileStopped } from "./wipe-while-stopped.ts";

const numbers = new Intl.NumberFormat("en-US");

function introduce({ world, display }: Pick<Stage, "world" | "display">): void {
  const { clusters } = world;
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

/** Ben's part, where somebody plays him. */
async function review({ world, display, options }: Stage): Promise<void> {
  if (!options.yes) return;
  const { number, sha } = await approveAndMerge({ url: world.github.url });
  display.say(`#${number}: both checks are green, ben approved: merged as ${sha.slice(0, 12)}`);
}

async function bringCampaign(stage: Stage): Promise<void> {
  const { world, display, teller } = stage;
  const pull = await proposeCampaign({ url: world.github.url, gitUrl: world.github.gitUrl, folder: world.folder });
  display.say(`PR #${pull.number} by ana: campaign ${campaignName}, production from 0 to 100 % on 1-25-2`);
  teller.propose();
  await review(stage);
  await until(stage, "the campaign", (status) => findCampaign(status) !== undefined);
}

/** A stage as far as its merge: proposed by meshroll when the one before is proven, agreed to by a person. */
async function mergeStage(stage: Stage, name: string): Promise<void> {
  await until(stage, `stage ${name}`, (status) => isWaitingForReview(status, name) || stage.teller.isOver(status));
  await review(stage);
}

async function type(stage: Stage, command: readonly string[], reason: string): Promise<void> {
  const { world, display, options } = stage;
  display.say(`$ npx meshroll ${command.join(" ")}`);
  display.say(await runCli(world, [...command, "--reason", reason], options.signal));
}

/** The fault is taken away, and what failed is tried once more: only when somebody says so. */
async function mendAndRetry(stage: Stage, run: string, mend: () => void): Promise<void> {
  mend();
  stage.display.say("mended: new proxies of 1-25-2 get ready again in prod-euw1-a");
  await type(stage, ["retry", `run/${run}`], "the image is there again");
}

/** Back to where it was. A hold stays: until somebody says so, nothing is proposed. */
async function goBack(stage: Stage, run: string): Promise<void> {
  await type(stage, ["rollback", `run/${run}`, "--yes"], "bad proxies in prod-euw1-a");
  const isHeld = ({ runs, stops }: FleetStatus) => runs.length === 0 && stops.some(({ cause }) => cause === "return");
  await until(stage, "the way back", isHeld);
  await type(stage, ["unhold", "bucket/production"], "the registry has the image again");
}

/** What the person in front of it types, once the stage is stopped by its failures. */
async function bringOn(stage: Stage, mend: () => void): Promise<void> {
  const { runs, clusters } = await until(stage, "the stop", (status) => findFailureStop(status) !== undefined);
  const run = runs.at(-1)?.id ?? "";
  stage.display.say(`${brokenStage} is stopped in all ${clusters.length} clusters; what failed was put back`);
  const { wipe, goesBack = wipe } = stage.options;
  if (!goesBack) return mendAndRetry(stage, run, mend);
  // The long way: wiped while it is stopped, all of it taken back, proposed anew, and what failed then tried again.
  if (wipe) await wipeWhileStopped(stage);
  await goBack(stage, run);
  await mergeStage(stage, brokenStage);
  const again = await until(stage, "the stage again", (status) => findStageRun(status, brokenStage) !== undefined);
  return mendAndRetry(stage, findStageRun(again, brokenStage)?.id ?? "", mend);
}

/** The whole story: a campaign, staged pull requests, a failure and the way back, and on to everybody. */
export async function play(stage: Stage): Promise<void> {
  const { options, teller } = stage;
  const isReady = ({ clusters }: FleetStatus) =>
    clusters.length === stage.world.clusters.length && clusters.every(({ fresh }) => fresh);
  await until(stage, "the start", isReady);
  introduce(stage);
  await bringCampaign(stage);
  await mergeStage(stage, brokenStage);
  const mend = await breakOneCluster(stage);
  if (options.yes) {
    await bringOn(stage, mend);
    await mergeStage(stage, "prod-100");
  }
  await until(stage, "the end", (status) => isComplete(status) || teller.isOver(status));
}
