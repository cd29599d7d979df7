import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

import { openBus } from "#libs/bus";

import { recordCluster } from "../../test/auditor/record-cluster.ts";
import { writeConnection } from "./connection.ts";
import { followStatus, type Picture } from "./follow-run.ts";
import { approveAndMerge, proposeChange, proposedRollouts } from "./people.ts";
import { plantBadWorkload } from "./plant-bad-workload.ts";
import { type ServiceProcess, spawnService } from "./spawn-service.ts";
import type { DemoWorld } from "./start-world.ts";
import { auditDemo, printSummary, readLastRun } from "./summarise.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

export interface DemoOptions {
  /** Plays the reviewer too. */
  readonly yes: boolean;
  readonly signal: AbortSignal;
}

/** The CLI as a person calls it. Not waited for in a blocking call: this process is the GitHub that it talks to. */
async function recordBaseline(world: DemoWorld): Promise<void> {
  const cli = join(root, "cli", "main.ts");
  await promisify(execFile)(process.execPath, ["--disable-warning=ExperimentalWarning", cli, "init", "--by", "ana"], {
    env: { ...process.env, ...world.env, XDG_CACHE_HOME: join(world.folder, "cache") },
  });
}

function startServices({ env, folder }: DemoWorld): readonly ServiceProcess[] {
  return [
    spawnService("executor", ["--act"], { ...env, MESHROLL_CLONE_DIR: join(folder, "clone-of-executor") }, folder),
    spawnService("planner", [], { ...env, MESHROLL_CLONE_DIR: join(folder, "clone-of-planner") }, folder),
  ];
}

function introduce(world: DemoWorld, picture: Picture): void {
  const { managed, broken, unmanaged } = world.fleet;
  const count = managed.length + unmanaged.length;
  const already = `${broken.length} broken already, ${unmanaged.length} none of our business`;
  picture.say("meshroll demo: one cluster, one merged pull request (nothing leaves this computer)");
  picture.say(`  ✔ cluster one       ${count} workloads; ${already}`);
  picture.say("  ✔ GitHub stand-in   .demo/rollouts.git: Airbnb's file, 1 review required");
  picture.say("  ✔ baseline          meshroll init: nothing moves");
  picture.say("  ✔ planner, executor as in production; a minute of theirs takes a second");
}

async function propose(world: DemoWorld, picture: Picture, { yes }: DemoOptions): Promise<void> {
  const address = { url: world.github.url, gitUrl: world.github.gitUrl, folder: world.folder };
  const bad = plantBadWorkload(world, proposedRollouts());
  const pull = await proposeChange(address);
  picture.say("");
  picture.say(`PR #${pull.number}  ${pull.title}   (ana)`);
  picture.say('   ".*-staging":\n  -  1-24-5: 75\n  -  1-25-2: 25\n  +  1-24-5: 50\n  +  1-25-2: 50');
  picture.say(`  planted: ${bad} will never get ready on 1-25-2`);
  if (yes) {
    const sha = await approveAndMerge(address);
    picture.say(`  approved by ben, merged as ${sha.slice(0, 12)}`);
    return;
  }
  picture.say("");
  picture.say("your turn, in another terminal, in this folder:");
  picture.say(`  who would move     npx meshroll plan --from main --to ${pull.branch}`);
  picture.say("  approve and merge  npm run demo -- merge");
  picture.say("  where we are       npx meshroll status");
}

/** Nothing in the demo takes so long, real ms: whoever waits longer is told where to look. */
const patienceMs = 90_000;

/** Waits no longer than the demo's patience for what only our own processes bring. */
async function withinPatience(what: string, folder: string, work: Promise<void>): Promise<void> {
  const limit = new AbortController();
  const late = sleep(patienceMs, undefined, { signal: limit.signal }).then(() => {
    throw new Error(`${what} took more than ${patienceMs / 1000} s: look into ${folder}/planner.log and executor.log`);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    limit.abort();
    await late.catch(() => undefined);
  }
}

/** A service that ends by itself ended the demo: its log says why. */
async function failWhenOneEnds(services: readonly ServiceProcess[], { folder }: DemoWorld): Promise<never> {
  const code = await Promise.race(services.map(async (service) => service.ended));
  throw new Error(`a service ended with ${code}: its log is in ${folder}`);
}

/** Runs the scenario to its end; answers whether everything went as it must. */
export async function runDemo(world: DemoWorld, picture: Picture, options: DemoOptions): Promise<boolean> {
  const recorder = recordCluster("one", world.fleet.model);
  await recordBaseline(world);
  const services = startServices(world);
  const bus = await openBus({ url: world.env["MESHROLL_NATS_URL"] ?? "", name: "meshroll-demo" });
  try {
    writeConnection(world);
    introduce(world, picture);
    const status = bus.bucket("status");
    const died = failWhenOneEnds(services, world);
    died.catch(() => undefined);
    const isReady = followStatus(
      status,
      () => undefined,
      ({ clusters }) => clusters.some((each) => each.fresh),
      options.signal,
    );
    await withinPatience("the start", world.folder, Promise.race([isReady, died]));
    await propose(world, picture, options);
    let hasRun = false;
    const isDone = followStatus(
      status,
      (seen) => {
        hasRun ||= seen.runs.length > 0;
        if (seen.runs.length > 0) picture.show(seen);
      },
      ({ runs }) => hasRun && runs.length === 0,
      options.signal,
    );
    if (options.yes) await withinPatience("the run", world.folder, Promise.race([isDone, died]));
    else await Promise.race([isDone, died]);
    const run = await readLastRun(world);
    if (run === undefined) throw new Error("the ledger names no run");
    const cluster = recorder.take();
    const violations = auditDemo(world, cluster);
    picture.say(printSummary(run, cluster, violations));
    return violations === "" && run.state === "done";
  } finally {
    recorder.stop();
    await bus.close();
    await Promise.all(services.map(async (service) => service.stop()));
  }
}
