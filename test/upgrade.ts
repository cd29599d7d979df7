import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { openBus } from "#libs/bus";
import { newestFormat } from "#libs/input";

import type { Display } from "../sandbox/demo/display/display.ts";
import { runCli } from "../sandbox/demo/world/run-cli.ts";
import { playOn } from "../sandbox/demo/run-demo.ts";
import { startServices } from "../sandbox/demo/world/start-services.ts";
import { type DemoEnvironment, startEnvironment } from "../sandbox/demo/world/start-world.ts";
import { isGood, readEnding } from "../sandbox/demo/ending/summarise.ts";
import { demoInstallation } from "../sandbox/demo/world/users.ts";
import { recordCluster } from "./auditor/evidence/clusters/record-cluster.ts";
import { makePreviousBuild } from "./builds/previous-build.ts";
import { moments } from "./upgrade/moments.ts";
import { recordSigns } from "./upgrade/record-signs.ts";
import { type Restart, rollUpgrade } from "./upgrade/roll.ts";

// The demo's campaign begins with processes of the version before; in batches, bakes and a rollback they become ones of this build, and go
// back, and come again. Prints what docs/how-to/upgrade.md says.
const folder = mkdtempSync(join(tmpdir(), "meshroll-upgrade-"));
const log = (line: string): void => void process.stderr.write(`  ${line}\n`);
const quiet = (): void => undefined;
const display: Display = {
  showStatus: quiet,
  showEvent: quiet,
  say: log,
  suggest: quiet,
  leave: quiet,
  summarise: quiet,
};

function readVersion(environment: DemoEnvironment): number {
  const args = ["-C", join(environment.folder, "acme", "rollouts.git"), "show", "refs/heads/meshroll/ledger:heads"];
  return (JSON.parse(execFileSync("git", args, { encoding: "utf8" })) as { readonly version: number }).version;
}

/** A minute after the last older process was heard of. */
async function untilRaised(environment: DemoEnvironment): Promise<void> {
  const end = performance.now() + 150_000;
  while (readVersion(environment) !== newestFormat) {
    if (performance.now() > end) throw new Error(`the ledger is still of version ${readVersion(environment)}`);
    await sleep(500);
  }
}

/** No run of the ledger is open: each has the record of its end in the live part of the branch. */
async function untilOver(environment: DemoEnvironment): Promise<void> {
  const repository = join(environment.folder, "acme", "rollouts.git");
  const args = ["-C", repository, "grep", "-h", '"state":', "refs/heads/meshroll/ledger", "--", "runs"];
  const end = performance.now() + 150_000;
  for (;;) {
    const states = execFileSync("git", args, { encoding: "utf8" }).trim().split("\n");
    if (states.length >= 5 && states.every((each) => !each.includes('"open"'))) return;
    if (performance.now() > end) throw new Error(`runs are open: ${states.join(" ")}`);
    await sleep(1000);
  }
}

function print(restarts: readonly Restart[]): void {
  const say = (ms: number | undefined): string => (ms === undefined ? "" : `${(ms / 1000).toFixed(1)} s`);
  for (const { moment, service, to, atMs, backMs, pauseMs } of restarts)
    console.log(`| ${moment} | ${service} | ${to} | ${say(atMs)} | ${say(backMs)} | ${say(pauseMs)} |`);
}

const build = makePreviousBuild(join(folder, "build"));
const environment = await startEnvironment({
  folder: join(folder, "snapshot"),
  factor: 60,
  namespaces: 1000,
  log,
  build,
});
const recorders = environment.clusters.map(({ name, model }) => recordCluster(name, model));
const signs = recordSigns(environment);
await runCli(environment, ["init", "--by", "ana", "--installation", demoInstallation], new AbortController().signal);
const services = startServices(environment);
const bus = await openBus({
  url: environment.brokers.natsUrl,
  installation: demoInstallation,
  name: "upgrade",
  patient: true,
});
let isBroken = false;
const onPlanted = (): void => void (isBroken = true);
const options = { yes: true, wipe: false, goesBack: true, signal: new AbortController().signal, onPlanted };
try {
  const upgrade = rollUpgrade({ bus, services, signs: signs.signs, soFar: () => ({ isBroken }), log }, moments);
  // People have the newer command line from the beginning: it writes what the older planner reads.
  const story = playOn(bus, services, { ...environment, build: undefined }, display, options);
  const [restarts] = await Promise.all([upgrade, story]);
  await untilRaised(environment);
  await untilOver(environment);
  await services.stop();
  const ending = await readEnding(
    environment,
    recorders.map((recorder) => recorder.take()),
    performance.now(),
  );
  print(restarts);
  const { runs, writes: count, violations } = ending;
  console.log(`took ${Math.round(performance.now() / 1000)} s`);
  console.log(
    `${runs.length} runs, ${count} writes, ${violations.length} violations, version ${readVersion(environment)}`,
  );
  for (const line of ending.violations) console.log(line);
  process.exitCode = isGood(ending) ? 0 : 1;
} finally {
  await services.stop();
  signs.stop();
  for (const recorder of recorders) recorder.stop();
  await environment.stop();
}
if (process.exitCode === 0) rmSync(folder, { recursive: true, force: true });
