import type { FleetStatus } from "#libs/plan";

import { breakOneCluster } from "./break-one-cluster.ts";
import { brokenStage, campaignName } from "../world/files.ts";
import { proposeCampaign } from "../world/people.ts";
import { approveAndMerge, joinNames } from "../world/review/approve-and-merge.ts";
import { runCli } from "../world/run-cli.ts";
import { scmWords } from "../world/scm/demo-scm.ts";
import { deployAsOwners } from "./deploy-as-owners.ts";
import { putBackByOwner } from "./put-back-by-owner.ts";
import { type DemoContext, until } from "./demo-context.ts";
import { findCampaign, findFailureStop, findStageRun, isComplete, isWaitingForReview } from "../story/story.ts";
import { demoGroups } from "../vms/demo-groups.ts";
import { wipeWhileStopped } from "./wipe-while-stopped.ts";

const numbers = new Intl.NumberFormat("en-US");

function sumVms(): number {
  return demoGroups.reduce((sum, { vms }) => sum + vms, 0);
}

function introduce({ environment, display }: Pick<DemoContext, "environment" | "display">): void {
  const { clusters, scm } = environment;
  const sum = (count: (cluster: (typeof clusters)[number]) => number): number =>
    clusters.reduce((total, each) => total + count(each), 0);
  const managed = sum((each) => each.managed.length);
  const broken = sum((each) => each.broken.length);
  const pods = sum(({ model, managed: ours, unmanaged }) =>
    [...ours, ...unmanaged].reduce((total, ref) => total + model.podsOf(ref).length, 0),
  );
  display.say(
    [
      "meshroll demo: nothing leaves this computer; simulated clusters run 60 times faster",
      `  ✔ ${clusters.length} clusters, ${numbers.format(managed)} workloads, ${numbers.format(pods)} pods; ${broken} are broken already`,
      `  ✔ ${sumVms()} VMs in ${demoGroups.length} WorkloadGroups, one is off: npx meshroll get vms`,
      ...scm.introduction.map((line, at) => `  ${at === 0 ? "✔" : " "} ${line}`),
      "  ✔ planner, executor, notifier, api as in production; nothing moves yet",
    ].join("\n"),
  );
}

/** Approves and merges as ben and cleo, unless a person does that. */
async function review({ environment, display, options }: DemoContext): Promise<void> {
  if (!options.yes) return;
  const { address } = environment.scm;
  await options.onReview?.();
  const { number, sha, reviewers } = await approveAndMerge(address);
  const { checks } = scmWords[address.kind];
  display.say(`#${number}: both ${checks} are green, ${joinNames(reviewers)} approved: merged as ${sha.slice(0, 12)}`);
}

async function mergeCampaign(context: DemoContext): Promise<void> {
  const { environment, display, suggester } = context;
  const pull = await proposeCampaign(environment);
  display.say(`PR #${pull.number} by ana: campaign ${campaignName}, production from 0 to 100 % on 1-25-2`);
  suggester.markProposed();
  await review(context);
  await until(context, "the campaign", (status) => findCampaign(status) !== undefined);
}

/** Waits until meshroll proposes the stage, and merges it. */
async function mergeStage(context: DemoContext, name: string): Promise<void> {
  await until(
    context,
    `stage ${name}`,
    (status) => isWaitingForReview(status, name) || context.suggester.isOver(status),
  );
  await review(context);
}

async function runVerb(context: DemoContext, command: readonly string[], reason: string): Promise<void> {
  const { environment, display, options } = context;
  display.say(`$ npx meshroll ${command.join(" ")}`);
  display.say(await runCli(environment, [...command, "--reason", reason], options.signal));
}

/** Removes the fault, and retries what failed: nothing is retried before a person asks for it. */
async function fixAndRetry(context: DemoContext, run: string, fix: () => void): Promise<void> {
  fix();
  context.display.say("fixed: new proxies of 1-25-2 get ready again in prod-euw1-a");
  await runVerb(context, ["retry", `run/${run}`], "the image is there again");
}

/** Rolls the run back. The hold stays until a person ends it: until then nothing is proposed. */
async function rollBack(context: DemoContext, run: string): Promise<void> {
  await runVerb(context, ["rollback", `run/${run}`, "--yes"], "bad proxies in prod-euw1-a");
  const isHeld = ({ runs, stops }: FleetStatus) =>
    runs.length === 0 && stops.some(({ cause }) => cause === "rolledBack");
  await until(context, "the way back", isHeld);
  await runVerb(context, ["unhold", "bucket/production"], "the registry has the image again");
}

/** What an operator types after failures stopped the stage. */
async function recoverStage(context: DemoContext, fix: () => void): Promise<void> {
  // What was on the move may still fail, and a retry before that would be stopped again.
  const isAtRest = (status: FleetStatus): boolean =>
    findFailureStop(status) !== undefined && status.runs.every(({ migrating }) => migrating === 0);
  const { runs, clusters } = await until(context, "the stop", isAtRest);
  const run = runs.at(-1)?.id ?? "";
  context.display.say(`${brokenStage} is stopped in all ${clusters.length} clusters; what failed was put back`);
  const { wipe, rollsBack = wipe } = context.options;
  if (!rollsBack) return fixAndRetry(context, run, fix);
  // With --wipe: wiped while stopped, rolled back, proposed again, and what failed then is retried.
  if (wipe) await wipeWhileStopped(context);
  await rollBack(context, run);
  await mergeStage(context, brokenStage);
  const again = await until(context, "the stage again", (status) => findStageRun(status, brokenStage) !== undefined);
  return fixAndRetry(context, findStageRun(again, brokenStage)?.id ?? "", fix);
}

/** The whole scenario: a campaign, staged pull requests, a failure and its recovery, and on to 100 %. */
export async function play(context: DemoContext): Promise<void> {
  const { options, suggester } = context;
  const isReady = ({ clusters }: FleetStatus) =>
    clusters.length === context.environment.clusters.length && clusters.every(({ fresh }) => fresh);
  await until(context, "the start", isReady);
  introduce(context);
  await mergeCampaign(context);
  await putBackByOwner(context, await deployAsOwners(context));
  await mergeStage(context, brokenStage);
  const fix = await breakOneCluster(context);
  if (options.yes) {
    await recoverStage(context, fix);
    await mergeStage(context, "prod-100");
  }
  await until(context, "the end", (status) => isComplete(status) || suggester.isOver(status));
}
