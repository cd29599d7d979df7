import { findNamed, lookUp } from "#libs/input";
import type { Bus } from "#libs/bus";
import type { VerbRequest, FleetStatus, LedgerState, StopScope } from "#libs/plan";

import { makeRequestId, readWho } from "../../terminal/caller.ts";
import { readPlannerTime } from "../../read/planner-time.ts";
import type { Define } from "../../terminal/command.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { readLedger } from "../../verbs/known-stops.ts";
import { parseRunScope } from "../../options/parse-scope.ts";
import { placeRequest } from "../../verbs/place-request.ts";
import { readPublished } from "../../read/read-published.ts";
import { Refusal } from "../../terminal/refusal.ts";
import { addRepositoryOption, type RepositoryOptions } from "../../read/repository.ts";
import { type SkippedWorkload, resolveWorkloads } from "../../verbs/resolve-workloads.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { addVerbOptions, type VerbOptions } from "../../options/verb-options.ts";
import { makeListener, reportOutcome, type VerbWords, writeJson, writeLines } from "../../verbs/verb-report.ts";
import { requireBus, withBus } from "../../read/with-bus.ts";

type Options = VerbOptions & RepositoryOptions;

/** Who is skipped: of an open run by the planner's status, of one that ended by its record. */
function listSkipped(
  run: string,
  status: FleetStatus | undefined,
  ledger: LedgerState | undefined,
): readonly SkippedWorkload[] {
  return status?.runs.find(({ id }) => id === run)?.skipped ?? lookUp(ledger?.runs, run)?.outcome?.skipped ?? [];
}

/** Refused here already when the run is unknown: the planner's answer would be one more commit of the ledger. */
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
    throw new Refusal(exitCodes.failed, `there is no run ${run}`, [
      `${known};  `,
      { command: "meshroll history" },
      "  lists all of them",
    ]);
  }
  return typed.length === 0 ? undefined : resolveWorkloads(typed, listSkipped(run, status, ledger));
}

async function rehearse(terminal: Terminal, request: VerbRequest, words: VerbWords, options: Options): Promise<void> {
  if (options.output === "json") {
    await writeJson(terminal, request, words, { dryRun: true });
    return;
  }
  const whom = request.workloads === undefined ? [`everything that failed in ${request.scope}`] : request.workloads;
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
  const run = findNamed("run", scope) ?? "";
  const workloads = await chooseWorkloads(run, typed, status, options, terminal);
  const request: VerbRequest = {
    id: makeRequestId("retry"),
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
      "  the stop that their failures placed ends with it",
      ["  see how it goes:  ", { command: "meshroll status -w" }],
      ["  stop it again:  ", { command: `meshroll pause ${scope} --reason "…"` }],
    ],
  };
  if (options.dryRun === true) {
    await rehearse(terminal, request, words, options);
    return;
  }
  const limits = { isStop: false, timeoutMs: options.timeout };
  const outcome = await placeRequest(bus, request, limits, makeListener(words, options, terminal));
  await reportOutcome(terminal, options, request, words, outcome);
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
      const scope = parseRunScope(text);
      await withBus(requireBus(options, terminal), async (bus) => retry(bus, scope, typed, options, terminal));
    });
};
