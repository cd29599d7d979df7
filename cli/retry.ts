import { lookUp } from "#libs/input";
import type { Bus } from "#libs/bus";
import type { Ask, FleetStatus, LedgerState, StopScope } from "#libs/plan";

import { makeAskId, readPlannerTime, readWho } from "./caller.ts";
import type { Define } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import { readLedger } from "./known-stops.ts";
import { parseRunScope } from "./parse-scope.ts";
import { placeAsk } from "./place-ask.ts";
import { readPublished } from "./read-published.ts";
import { Refusal } from "./refusal.ts";
import { addRepositoryOption, type RepositoryOptions } from "./repository.ts";
import { type AsideWorkload, resolveWorkloads } from "./resolve-workloads.ts";
import type { Terminal } from "./terminal.ts";
import { addVerbOptions, type VerbOptions } from "./verb-options.ts";
import { makeListener, reportOutcome, type VerbWords, writeJson, writeLines } from "./verb-report.ts";
import { requireBus, withBus } from "./with-bus.ts";

type Options = VerbOptions & RepositoryOptions;

/** Who is aside: of an open run by the planner's status, of one that ended by its record. */
function listAside(
  run: string,
  status: FleetStatus | undefined,
  ledger: LedgerState | undefined,
): readonly AsideWorkload[] {
  return status?.runs.find(({ id }) => id === run)?.aside ?? lookUp(ledger?.runs, run)?.outcome?.aside ?? [];
}

/** Refused here already when nobody ever heard of the run: the planner's answer would be one more commit of the ledger. */
async function chooseWorkloads(
  run: string,
  typed: readonly string[],
  status: FleetStatus | undefined,
  options: Options,
  terminal: Terminal,
): Promise<readonly string[] | undefined> {
  const open = status?.runs.map(({ id }) => id) ?? [];
  const ledger = open.includes(run) ? undefined : await readLedger(options, terminal, [run]);
  if (ledger !== undefined && lookUp(ledger.runs, run) === undefined) {
    const known = open.length === 0 ? "no run is open" : `open: ${open.map((id) => `run/${id}`).join(", ")}`;
    throw new Refusal(exitCodes.failed, `there is no run ${run}`, `${known};  meshroll history  lists all of them`);
  }
  return typed.length === 0 ? undefined : resolveWorkloads(typed, listAside(run, status, ledger));
}

async function rehearse(terminal: Terminal, ask: Ask, words: VerbWords, options: Options): Promise<void> {
  if (options.output === "json") {
    await writeJson(terminal, ask, words, { dryRun: true });
    return;
  }
  const whom = ask.workloads === undefined ? [`everything that failed in ${ask.scope}`] : ask.workloads;
  await writeLines(terminal, [
    "would try again",
    ...whom.map((name) => `  ${name}`),
    "  nothing was asked: this is a dry run",
  ]);
}

async function retry(
  bus: Bus,
  scope: StopScope,
  typed: readonly string[],
  options: Options,
  terminal: Terminal,
): Promise<void> {
  const status = await readPublished(bus);
  const run = scope.slice("run/".length);
  const workloads = await chooseWorkloads(run, typed, status, options, terminal);
  const ask: Ask = {
    id: makeAskId("retry"),
    verb: "retry",
    scope,
    strength: "move",
    who: readWho(terminal),
    why: options.reason,
    at: new Date(readPlannerTime(status)).toISOString(),
    ...(workloads === undefined ? {} : { workloads }),
  };
  const words: VerbWords = {
    verb: "retry",
    after: [
      "  the stop that their failures placed is lifted with it",
      "  see how it goes:  meshroll status -w",
      `  stop it again:  meshroll pause ${scope} --reason "…"`,
    ],
  };
  if (options.dryRun === true) {
    await rehearse(terminal, ask, words, options);
    return;
  }
  const limits = { isStop: false, timeoutMs: options.timeout };
  const outcome = await placeAsk(bus, ask, limits, makeListener(words, options, terminal));
  await reportOutcome(terminal, options, ask, words, outcome);
}

/** `meshroll retry run/ID [WORKLOAD...]`: what failed is due once more, and the run that ended goes on for it. */
export const define: Define = (command, { terminal }) => {
  addRepositoryOption(addVerbOptions(command, "until it is recorded"))
    .argument("<run>", "run/ID")
    .argument(
      "[workload...]",
      "cluster:namespace/Kind/name, or a shorter form that is clear (default: all that failed)",
    )
    .action(async (text: string, typed: readonly string[], options: Options) => {
      const { isStopScope } = await import("#libs/plan");
      const scope = parseRunScope(text, isStopScope);
      await withBus(requireBus(options, terminal), async (bus) => retry(bus, scope, typed, options, terminal));
    });
};
