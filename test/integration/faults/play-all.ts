import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

import { natsKind, redisKind } from "../../../scripts/brokers/programs/broker-kind.ts";
import { findPrograms } from "../../../scripts/brokers/programs/find-programs.ts";
import type { Fault, Pass } from "./passes/fault.ts";
import { judgeFigures } from "./passes/judge-figures.ts";
import { findLongestPause, judgeRecovery } from "./passes/judge-recovery.ts";
import type { Job } from "./serve-lane.ts";

interface PlayOptions {
  readonly times: number;
  /** How many passes run at once, each with its own Redis, NATS, git and API server. */
  readonly lanes: number;
  /** Pass number n of each fault has this seed plus n. */
  readonly seed: number;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function printSeconds(ms: number | undefined): string {
  return ms === undefined ? "-" : `${(ms / 1000).toFixed(1)} s`;
}

/** Prints the times that the fault measured: median and maximum. */
function printFigures(passes: readonly Pass[]): void {
  for (const what of Object.keys(passes[0]?.figures ?? {})) {
    const times = passes.flatMap(({ figures }) => figures[what] ?? []);
    say(`  ${what.padEnd(22)} median ${printSeconds(median(times))}, worst ${printSeconds(Math.max(...times))}`);
  }
}

function printFault(fault: Fault, passes: readonly Pass[]): void {
  const failed = passes.filter(({ problem }) => problem !== undefined);
  const times = passes.flatMap(({ recoveryMs }) => (recoveryMs === undefined ? [] : [recoveryMs]));
  const worst = times.length === 0 ? undefined : Math.max(...times);
  const verdict = failed.length === 0 ? "writes ok, auditor silent, " : "";
  const recovery = `median recovery ${printSeconds(median(times))}, worst ${printSeconds(worst)}`;
  say(`${fault.name.padEnd(24)} ${passes.length - failed.length}/${passes.length}  ${verdict}${recovery}`);
  printFigures(passes);
  for (const { seed, phase, problem = "" } of failed) {
    say(`  ✖ seed ${seed}, at ${phase}: ${problem.replaceAll("\n", "\n    ")}`);
    say(`    again: npm run test:faults -- --only ${fault.name} --times 1 --seed ${seed}`);
  }
}

/** Collects passes, and reports a fault when its last one has ended. */
function createTally(faults: readonly Fault[], times: number) {
  const passes: Pass[] = [];
  return {
    passes,
    add(pass: Pass): void {
      passes.push(pass);
      const same = passes.filter(({ fault }) => fault === pass.fault);
      const fault = faults.find(({ name }) => name === pass.fault);
      if (fault !== undefined && same.length === times) printFault(fault, same);
    },
  };
}

/** A job that a lane plays next, before all others, and who gets its result. */
interface FollowUp {
  readonly job: Job;
  readonly add: Add;
}

type Add = (pass: Pass) => FollowUp | undefined;

/** One process that plays passes until there are none left. If it dies, its present pass has failed. */
async function runLane(entry: string, jobs: Job[], add: Add): Promise<void> {
  const child: ChildProcess = fork(entry, ["--lane"], { execArgv: ["--disable-warning=ExperimentalWarning"] });
  let inHand: { readonly job: Job; readonly add: Add } | undefined;
  const next = (followUp?: FollowUp): void => {
    const job = followUp?.job ?? jobs.shift();
    inHand = job === undefined ? undefined : { job, add: followUp?.add ?? add };
    if (inHand === undefined) child.disconnect();
    else child.send(inHand.job);
  };
  child.on("message", (message: Pass | "ready") => {
    next(message === "ready" ? undefined : inHand?.add(message));
  });
  await once(child, "exit");
  if (inHand === undefined) return;
  const { name, seed } = inHand.job;
  inHand.add({
    fault: name,
    seed,
    phase: "unknown",
    tookMs: 0,
    figures: {},
    problem: `the process that played it ended with ${child.exitCode}`,
  });
  if (jobs.length > 0) await runLane(entry, jobs, add);
}

/** Plays these jobs, this many at once, and reports each; a job that `add` returns is played next in the same lane. */
async function playJobs(
  jobs: readonly Job[],
  { lanes, entry }: { readonly lanes: number; readonly entry: string },
  add: Add,
): Promise<void> {
  // If they have to be unpacked, this happens once for all lanes.
  await findPrograms([redisKind, natsKind], { log: say });
  const left = [...jobs];
  await Promise.all(Array.from({ length: Math.min(lanes, left.length) }, async () => runLane(entry, left, add)));
}

/** Plays every fault this many times and prints a line for each; true when all passed. */
export async function playAll(faults: readonly Fault[], options: PlayOptions, entry: string): Promise<boolean> {
  const { times, lanes, seed } = options;
  const began = performance.now();
  const jobs = faults.flatMap(({ name }) => Array.from({ length: times }, (_, pass) => ({ name, seed: seed + pass })));
  say(`${faults.length} faults, each ${times} times, seed ${seed}, ${lanes} at once`);
  const byName = new Map(faults.map((fault) => [fault.name, fault]));
  const { passes, ...tally } = createTally(faults, times);
  // At the same time, as the passes will run, so that both have the same load.
  const references: Pass[] = [];
  const undisturbed = Array.from({ length: lanes }, (_, lane) => ({ name: "nothing", seed: seed + lane }));
  await playJobs(undisturbed, { lanes, entry }, (pass) => void references.push(pass));
  say(`undisturbed: the longest pause is ${printSeconds(findLongestPause(references))}`);
  const judge = (pass: Pass, pauseMs: number | undefined): Pass => {
    const fault = byName.get(pass.fault);
    return judgeFigures(judgeRecovery(pass, fault?.recovery, pauseMs), fault?.limitsMs, pauseMs);
  };
  await playJobs(jobs, { lanes, entry }, (pass) => {
    const judged = judge(pass, findLongestPause(references));
    if (pass.problem !== undefined || judged.problem === undefined) {
      tally.add(judged);
      return undefined;
    }
    // It was only slow, and the machine's load may have changed since the undisturbed runs: one more decides, right after
    // it.
    const add = (nothing: Pass): undefined => {
      tally.add(judge(pass, findLongestPause([...references, nothing])));
      return undefined;
    };
    return { job: { name: "nothing", seed: pass.seed }, add };
  });
  const passed = passes.filter(({ problem }) => problem === undefined).length;
  // A pass that was not played counts as failed.
  const failed = faults.length * times - passed;
  say(`took ${Math.round((performance.now() - began) / 1000)} s`);
  say(`${passed} passed, ${failed} failed`);
  return failed === 0;
}
