import { explainSystemError } from "#libs/input";
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";

import type { InjectedFailure, SimulatedRun, SimulationQuestion } from "#libs/simulation";

import type { Define } from "../terminal/command.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { addFleetOptions } from "../read/fleet-source.ts";
import { addMainOption, useMain } from "../read/main/use-main.ts";
import type { RepositoryOptions } from "../read/repository.ts";
import { type FleetSnapshot, printSnapshot } from "../read/fleet-snapshot.ts";
import { addOutputOption } from "../options/output-option.ts";
import { type IdleFlags, refuseIdle } from "../session/idle-flags.ts";
import { printSimulation } from "../show/plans/print-simulation.ts";
import { checkZone, type TimeOptions } from "../text/print-time.ts";
import { Refusal } from "../terminal/refusal.ts";
import { readCpuMs, runSimulations } from "../show/plans/run-simulations.ts";
import { loadFleet, type SimulatedFleetOptions } from "../show/plans/simulate-fleet.ts";
import {
  addSimulateOptions,
  readFailures,
  readRuns,
  readStart,
  readTiming,
  type SimulateOptions,
} from "../options/simulate-options.ts";
import { loadSimulationFiles, type SimulationFileOptions, type SimulationFiles } from "../files/simulation-files.ts";
import { describeSimulation } from "../show/plans/simulation-json.ts";
import { readWidth, type Terminal, write } from "../terminal/terminal.ts";

interface Options
  extends SimulateOptions, SimulatedFleetOptions, SimulationFileOptions, RepositoryOptions, TimeOptions {
  readonly save?: string;
  readonly output: "table" | "json";
}

/** A failure that matches no workload is refused as a typo: the result would be too optimistic. */
function checkFailures(
  failures: readonly InjectedFailure[],
  { clusters }: FleetSnapshot,
  { campaign }: SimulationFiles,
): void {
  for (const { workload, stage } of failures) {
    const [namespace = "", kind, name] = workload.split("/");
    const isKnown = clusters.some(({ namespaces }) =>
      namespaces.get(namespace)?.workloads.some((each) => each.kind === kind && each.name === name),
    );
    if (!isKnown) throw new Refusal(exitCodes.usage, `--fail ${workload}: no cluster of the fleet has it`);
    if (stage === undefined || campaign.stages.some((each) => each.name === stage)) continue;
    const names = campaign.stages.map((each) => each.name).join(", ");
    throw new Refusal(exitCodes.usage, `--fail ${workload}@${stage}: no stage is named ${stage}`, `there are ${names}`);
  }
}

async function saveFleet(path: string, { clusters }: FleetSnapshot, { cwd, stderr }: Terminal): Promise<void> {
  const full = resolve(cwd, path);
  try {
    await writeFile(full, printSnapshot(clusters, Date.now()));
  } catch (error) {
    throw new Refusal(exitCodes.invalid, `${path} cannot be written: ${explainSystemError(error)}`);
  }
  await write(stderr, `saved ${clusters.length} clusters to ${path}\n`);
}

function chooseExit({ end }: SimulatedRun): number {
  if (end.kind === "complete") return exitCodes.done;
  return end.hasFailed ? exitCodes.rolloutFailed : exitCodes.stopped;
}

async function request(name: string, options: Options, terminal: Terminal): Promise<number> {
  const [start, runs, failures] = [readStart(options, Date.now()), readRuns(options), readFailures(options)];
  checkZone(options);
  readTiming(options, new Map());
  const files = await loadSimulationFiles(name, options, await useMain(options, terminal));
  const fleet = await loadFleet(options, terminal);
  checkFailures(failures, fleet, files);
  if (options.save !== undefined) await saveFleet(options.save, fleet, terminal);
  const timing = readTiming(options, fleet.readiness);
  const question: SimulationQuestion = {
    ...files,
    clusters: fleet.clusters,
    start,
    seed: options.seed,
    timing,
    failures,
  };
  const simulated = runSimulations(question, runs, readCpuMs);
  const text =
    options.output === "json"
      ? `${JSON.stringify(describeSimulation(simulated, files.campaign), undefined, 2)}\n`
      : printSimulation(simulated, files.campaign, { ...options, width: readWidth(terminal) });
  await write(terminal.stdout, text);
  return chooseExit(simulated.run);
}

const idle: readonly IdleFlags<Options>[] = [
  {
    flags: ["nats", "installation", "kubeconfig", "clusters"],
    when: ({ fleet }) => fleet !== "live",
    because: "would do nothing: the fleet comes from a file",
    fix: "say --fleet live",
  },
];

/** `meshroll simulate CAMPAIGN --fleet FILE`: when the campaign would end, and what would delay it. Changes nothing. */
export const define: Define = (command, { terminal, finish }) => {
  refuseIdle(addOutputOption(addMainOption(addFleetOptions(addSimulateOptions(command))), ["table", "json"]), idle)
    .argument("<campaign>", "its name (campaigns/<name>.yml next to the rollouts file), or the path of its file")
    .requiredOption("--fleet <file>", "a fleet that was saved, or `live`: what runs now")
    .option("--save <file>", "write the fleet to a file that --fleet reads")
    .option("--file <path>", "the rollouts file", "rollouts.yml")
    .option("--settings <path>", "the settings file (default: meshroll.yml next to the rollouts file, if it exists)")
    .option("--tz <zone>", "show times in this zone, for example Europe/Berlin (default: this machine's)")
    .action(async (name: string, options: Options) => finish(await request(name, options, terminal)));
};
