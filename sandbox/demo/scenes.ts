import type { FleetStatus } from "#libs/plan";

import { approveAndMerge, proposeChange, proposedRollouts } from "./people.ts";
import { plantBadProxies, type PlantedFault } from "./plant-bad-proxies.ts";
import { runCli } from "./run-cli.ts";
import { type Stage, until } from "./stage.ts";
import { findFailureStop } from "./story.ts";
import { wipeBrokers } from "./wipe-brokers.ts";

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

async function propose({ world, display, options, teller }: Stage): Promise<void> {
  const pull = await proposeChange({ url: world.github.url, gitUrl: world.github.gitUrl, folder: world.folder });
  display.say(`PR #${pull.number} by ana: ".*-staging" from 25 to 50 % on 1-25-2`);
  teller.propose();
  if (!options.yes) return;
  const sha = await approveAndMerge({ url: world.github.url });
  display.say(`both checks are green, ben approved: merged as ${sha.slice(0, 12)}`);
}

/** What arrived so far, as a share of the newest run. */
function measureProgress({ runs }: FleetStatus): number {
  const run = runs.at(-1);
  return run === undefined || run.workloads === 0 ? 0 : run.arrived / run.workloads;
}

async function wipe({ world, display }: Stage, when: string): Promise<void> {
  await wipeBrokers(world);
  display.say(`wiped ${when}: Redis is empty (FLUSHALL), NATS has lost its store`);
}

/** Waits until so much of the run has arrived; people may have ended it before: then nothing is left to see. */
async function untilArrived(stage: Stage, share: number): Promise<FleetStatus> {
  const { teller } = stage;
  return until(stage, "the first batches", (status) => measureProgress(status) >= share || teller.isOver(status));
}

/** The first batches go well; then the proxies of one cluster go bad, and what moves there does not come up. */
async function breakOneCluster(stage: Stage): Promise<void> {
  const { world, display, options } = stage;
  if (options.wipe) {
    await untilArrived(stage, 0.05);
    await wipe(stage, "with batches in hand");
  }
  await untilArrived(stage, 0.15);
  const fault: PlantedFault = plantBadProxies(world.clusters, proposedRollouts());
  display.say(`planted: new proxies of ${fault.revision} in ${fault.cluster} never get ready from now on`);
  options.onPlanted(fault.mend);
}

/** So long nothing is done after a wipe, real ms: the planner has said again what is stopped well before that. */
const silenceMs = 12_000;

/** Both brokers wiped while a run is stopped: everything that could start something is there again, and nothing starts. */
async function wipeWhileStopped(stage: Stage): Promise<void> {
  await until(stage, "what is in flight", ({ doing }) => doing.length === 0);
  const before = stage.listWrites().length;
  await wipe(stage, "while the run is stopped");
  await stage.world.clock.sleepReal(silenceMs, stage.options.signal);
  const written = stage.listWrites().slice(before);
  if (written.length > 0) throw new Error(`written after a wipe of a stopped run: ${written.slice(0, 5).join(", ")}`);
  stage.display.say(`${silenceMs / 1000} s later: still stopped, nothing was written`);
}

/** What the person in front of it types, once the run is stopped by its failures. */
async function goBack(stage: Stage): Promise<void> {
  const { world, display, options } = stage;
  const { runs, clusters } = await until(stage, "the stop", (status) => findFailureStop(status) !== undefined);
  const run = runs.at(-1)?.id ?? "";
  display.say(`the run is stopped in all ${clusters.length} clusters; what failed was put back`);
  if (options.wipe) await wipeWhileStopped(stage);
  display.say(`$ npx meshroll rollback run/${run}`);
  const reason = "bad proxies in prod-euw1-a";
  display.say(await runCli(world, ["rollback", `run/${run}`, "--reason", reason, "--yes"], options.signal));
}

/** The whole story: a pull request, batches, a failure, and the way back; people end it when nobody plays them. */
export async function play(stage: Stage): Promise<void> {
  const { options } = stage;
  const isReady = ({ clusters }: FleetStatus) =>
    clusters.length === stage.world.clusters.length && clusters.every(({ fresh }) => fresh);
  await until(stage, "the start", isReady);
  introduce(stage);
  await propose(stage);
  await breakOneCluster(stage);
  if (options.yes) await goBack(stage);
  await until(stage, "the end", (status) => stage.teller.isOver(status));
}
