import { mayConcernCluster } from "#libs/input";
import type { VerbRequest } from "#libs/plan";

import { chooseClusters, type ClusterChoice, type DirectOptions, nameLastResort } from "../options/cluster-choice.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import { type DirectStop, stopClusters } from "./stop-clusters.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { VerbOptions } from "../options/verb-options.ts";
import { writeJson, writeLines } from "./verb-report.ts";
import type { Sentence } from "../terminal/sentence.ts";

const words = { verb: "pause", after: [] };

function listLastResort(choices: readonly ClusterChoice[]): readonly Sentence[] {
  return nameLastResort(choices).map((command) => ["  ", { command }]);
}

/** The clusters that the stop concerns; without one the error names what still works. */
function chooseConcerned(
  { scope }: VerbRequest,
  options: DirectOptions,
  terminal: Terminal,
  cause: Refusal,
): readonly ClusterChoice[] {
  const named = chooseClusters(options, terminal);
  const choices = named.filter(({ name }) => mayConcernCluster(scope, name));
  if (choices.length > 0) return choices;
  const whose = named.length === 0 ? "no clusters are configured" : `${scope} is none of them`;
  throw new Refusal(
    cause.exitCode,
    `${cause.message}\n  nothing is stopped: ${whose} (--kubeconfig FILE --clusters NAME[=CONTEXT],…)`,
    "this works when all else is down, once for each cluster:",
    ...listLastResort([]),
  );
}

/** The last lines for any outcome; the exit code tells that the bus was missing. */
function makeEnd(cause: Refusal, answers: readonly DirectStop[], choices: readonly ClusterChoice[]): Refusal {
  const missed = new Set(answers.flatMap(({ cluster, why }) => (why === undefined ? [] : [cluster])));
  const reached = `stopped in ${answers.length - missed.size} of ${answers.length} clusters`;
  const told =
    missed.size === 0
      ? `${reached} that were named, not recorded in the ledger yet`
      : `${reached}; not reached: ${[...missed].join(", ")}`;
  const left = missed.size === 0 ? choices : choices.filter(({ name }) => missed.has(name));
  return new Refusal(
    exitCodes.unavailable,
    `${cause.message}\n  ${told}`,
    "the planner records it when it is back; this works when all else is down:",
    ...listLastResort(left),
  );
}

function describe({ cluster, afterMs, why }: DirectStop): string {
  return why === undefined
    ? `✔ stopped in ${cluster}   ${((afterMs ?? 0) / 1000).toFixed(1)} s`
    : `✖ ${cluster} was not reached: ${why}`;
}

async function writeReport(terminal: Terminal, request: VerbRequest, answers: readonly DirectStop[]): Promise<void> {
  const stopped = answers.flatMap(({ cluster, afterMs }) =>
    afterMs === undefined ? [] : [{ cluster, afterMs: Math.round(afterMs) }],
  );
  const silent = answers.flatMap(({ cluster, why }) => (why === undefined ? [] : [{ cluster, why }]));
  await writeJson(terminal, request, words, { stopped, silent, recorded: false, answer: null });
}

async function printDryRun(
  terminal: Terminal,
  request: VerbRequest,
  isHuman: boolean,
  names: readonly string[],
): Promise<void> {
  const line = `would stop ${request.scope} through the kubeconfig, in ${names.join(", ")}`;
  if (isHuman) await writeLines(terminal, [line]);
  else await writeJson(terminal, request, words, { dryRun: true, clusters: names });
}

/** `pause` without the bus: writes the stop into each cluster with the caller's own rights (rules 7.4). */
export async function pauseDirectly(
  request: VerbRequest,
  options: VerbOptions & DirectOptions,
  terminal: Terminal,
  cause: Refusal,
): Promise<never> {
  const choices = chooseConcerned(request, options, terminal, cause);
  const isHuman = options.output === "human";
  if (options.dryRun === true) {
    const names = choices.map(({ name }) => name);
    await printDryRun(terminal, request, isHuman, names);
    throw new Refusal(exitCodes.unavailable, cause.message, "nothing was written: this is a dry run");
  }
  const { id, scope, strength, at, who, why, until } = request;
  const stop = { id, scope, strength, at, who, why, ...(until === undefined ? {} : { until }) };
  const answers = await stopClusters(choices, stop, options.timeout, (answer) => {
    if (isHuman) void writeLines(terminal, [describe(answer)]);
  });
  if (!isHuman) await writeReport(terminal, request, answers);
  throw makeEnd(cause, answers, choices);
}
