import { parseDuration } from "#libs/campaign";
import { defaultTiming, type InjectedFailure, type Timing } from "#libs/simulation";
import { type Command } from "commander";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";

/** Options of a simulation. */
export interface SimulateOptions {
  readonly start?: string;
  readonly fail?: readonly string[];
  readonly seed: string;
  readonly runs: string;
  readonly approval: string;
  readonly ready: string;
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Declares them. */
export function addSimulateOptions(command: Command): Command {
  return command
    .option("--start <time>", "when it begins, with its zone: 2026-11-09T09:00+01:00 (default: now)")
    .option("--fail <ns/Kind/name[@stage]>", "a workload whose new pods never get ready; may be repeated", collect)
    .option("--seed <text>", "seed of the random durations: the same seed gives the same answer", "1")
    .option("--runs <count>", "how often it is simulated, for P50 and P95", "20")
    .option("--approval <duration>", "from a pull request's opening until a person merges it", "0s")
    .option("--ready <duration>", "median time in which a workload restarts", "45s");
}

/** More runs do not make a P95 more precise. */
const mostRuns = 1000;

function refuse(option: string, value: string, what: string, help: string): never {
  throw new Refusal(exitCodes.usage, `${option} ${value}: ${what}`, help);
}

/** Epoch ms. A zone is required, because the result must not depend on the machine. */
export function readStart({ start }: SimulateOptions, now: number): number {
  if (start === undefined) return now;
  const isZoned = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/u.test(start);
  const time = isZoned ? Date.parse(start) : Number.NaN;
  return Number.isNaN(time)
    ? refuse("--start", start, "not a time with a zone", "say --start 2026-11-09T09:00Z")
    : time;
}

/** Workloads that fail, checked for their form; whether they exist is checked against the fleet. */
export function readFailures({ fail = [] }: SimulateOptions): readonly InjectedFailure[] {
  return fail.map((text) => {
    const [, workload, stage] =
      /^([^/@\s]+\/(?:Deployment|StatefulSet|DaemonSet|Rollout)\/[^/@\s]+)(?:@(\S+))?$/u.exec(text) ?? [];
    if (workload === undefined)
      refuse("--fail", text, "not a workload", "say --fail tax-search/Deployment/search@prod-25");
    return stage === undefined ? { workload } : { workload, stage };
  });
}

export function readRuns({ runs }: SimulateOptions): number {
  const count = /^\d{1,4}$/u.test(runs) ? Number(runs) : 0;
  return count < 1 || count > mostRuns
    ? refuse("--runs", runs, `not a count from 1 to ${mostRuns}`, "say --runs 20")
    : count;
}

function readDuration(option: string, text: string): number {
  return parseDuration(text) ?? refuse(option, text, "not a duration", "say it as 45s, 4h or 1d12h");
}

/** How long steps take, with times recorded from the fleet. */
export function readTiming({ approval, ready }: SimulateOptions, recorded: ReadonlyMap<string, number>): Timing {
  const readyMedian = Math.max(1000, readDuration("--ready", ready));
  return { ...defaultTiming, recorded, readyMedian, approval: readDuration("--approval", approval) };
}
