import type { Bus } from "#libs/bus";
import type { VerbRequest, FleetStatus, StopScope } from "#libs/plan";

import { makeRequestId, readWho } from "../../terminal/caller.ts";
import { readPlannerTime } from "../../read/planner-time.ts";
import type { Define } from "../../terminal/command.ts";
import { readLedger } from "../../requests/known-stops.ts";
import { parseRunOrCampaign } from "../../options/parse-scope.ts";
import { placeRequest } from "../../requests/place-request.ts";
import { readPublished } from "../../read/read-published.ts";
import { requireKnown } from "../../names/unknown-name.ts";
import { addRepositoryOption, type RepositoryOptions } from "../../read/repository.ts";
import { resolveWorkloads } from "../../requests/resolve-workloads.ts";
import { refuseRetryOf } from "../../requests/rollback/rolled-back-already.ts";
import { findFailedRun, listSkipped } from "../../requests/subjects/failed-run.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { addVerbOptions, type VerbOptions } from "../../options/verb-options.ts";
import { makeListener, reportOutcome, type VerbWords, writeJson, writeLines } from "../../requests/verb-report.ts";
import { requireBus, withBus } from "../../read/with-bus.ts";

type Options = VerbOptions & RepositoryOptions;

/** An unknown run is refused here, so that the ledger gets no commit for it. */
async function chooseWorkloads(
  run: string,
  typed: readonly string[],
  status: FleetStatus | undefined,
  options: Options,
  terminal: Terminal,
): Promise<readonly string[] | undefined> {
  const open = status?.runs.map(({ id }) => id) ?? [];
  const ledger = open.includes(run) ? undefined : await readLedger(options, terminal, [run]);
  if (ledger !== undefined) {
    requireKnown("run", run, Object.keys(ledger.runs), "no run is recorded yet");
    refuseRetryOf(run, ledger);
  }
  return typed.length === 0 ? undefined : resolveWorkloads(typed, listSkipped(run, status, ledger));
}

async function printDryRun(
  terminal: Terminal,
  request: VerbRequest,
  words: VerbWords,
  options: Options,
): Promise<void> {
  if (options.output === "json") {
    await writeJson(terminal, request, words, { dryRun: true });
    return;
  }
  const whom = request.workloads === undefined ? [`everything that failed in ${request.scope}`] : request.workloads;
  await writeLines(terminal, [
    "would try again",
    ...whom.map((name) => `  ${name}`),
    "  no request was sent: this is a dry run",
  ]);
}

/** The planner's own stops of the run, for its failures or a gate, end with the retry. */
function sayStopsEnd(scope: StopScope, status: FleetStatus | undefined): readonly string[] {
  const own = status?.stops.filter((stop) => stop.scope === scope && ["failures", "gate"].includes(stop.cause)) ?? [];
  return own.length === 0 ? [] : ["  the stop for these failures ends too"];
}

async function retry(
  bus: Bus,
  subject: ReturnType<typeof parseRunOrCampaign>,
  typed: readonly string[],
  options: Options,
  terminal: Terminal,
): Promise<void> {
  const status = await readPublished(bus);
  const run =
    "run" in subject ? subject.run : findFailedRun(subject.campaign, status, await readLedger(options, terminal));
  const scope: StopScope = `run/${run}`;
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
      ...sayStopsEnd(scope, status),
      ["  see how it goes:  ", { command: "meshroll status -w" }],
      ["  stop it again:  ", { command: `meshroll pause ${scope} --reason "…"` }],
    ],
  };
  if (options.dryRun === true) {
    await printDryRun(terminal, request, words, options);
    return;
  }
  const limits = { isStop: false, timeoutMs: options.timeout };
  const outcome = await placeRequest(bus, request, limits, makeListener(words, options, terminal));
  await reportOutcome(terminal, options, request, words, outcome);
}

/** `meshroll retry run/ID [WORKLOAD...]`: failed workloads become pending again, and an ended run continues for them. */
export const define: Define = (command, { terminal }) => {
  addRepositoryOption(addVerbOptions(command, "until it is recorded"))
    .argument("<subject>", "run/ID, or a campaign's name: its newest run in which something failed")
    .argument(
      "[workload...]",
      "cluster:namespace/Kind/name, or a shorter form that names one (default: all that failed)",
    )
    .action(async (text: string, typed: readonly string[], options: Options) => {
      const subject = parseRunOrCampaign(text);
      await withBus(requireBus(options, terminal), async (bus) => retry(bus, subject, typed, options, terminal));
    });
};
