import type { Bus } from "#libs/bus";
import type { FleetStatus, LedgerState, VerbRequest } from "#libs/plan";

import { findCampaignRollback } from "../../requests/rollback/campaign-rollback.ts";
import { markForward, refuseForwardNow } from "../../requests/rollback/forward-rollback.ts";
import { makeRequestId, readWho } from "../../terminal/caller.ts";
import { readPlannerTime } from "../../read/planner-time.ts";
import type { Define } from "../../terminal/command.ts";
import { confirm, requirePerson } from "../../terminal/confirm.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { readLedger } from "../../requests/known-stops.ts";
import { parseRunOrCampaign } from "../../options/parse-scope.ts";
import { placeRequest } from "../../requests/place-request.ts";
import { previewRollback } from "../../requests/rollback/preview-rollback.ts";
import { printRollback } from "../../requests/rollback/print-rollback.ts";
import { readPublished } from "../../read/read-published.ts";
import { Refusal } from "../../terminal/refusal.ts";
import type { RepositoryOptions } from "../../read/repository.ts";
import { addRepositoryOption } from "../../read/repository.ts";
import { refuseWithoutBus } from "../../requests/rollback/rollback-by-hand.ts";
import { findRunOfPull, readPullNumber } from "../../requests/subjects/pull-request.ts";
import { dropRolledBack } from "../../requests/rollback/rolled-back-already.ts";
import { findRollback, type RollbackSubject } from "../../requests/rollback/rollback-subject.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { addVerbOptions, type VerbOptions } from "../../options/verb-options.ts";
import { makeListener, reportOutcome, type VerbWords, writeJson, writeLines } from "../../requests/verb-report.ts";
import { BusDown, requireBus, withBus } from "../../read/with-bus.ts";

interface Options extends VerbOptions, RepositoryOptions {
  readonly stage?: string;
  readonly campaign?: boolean;
  readonly now?: boolean;
}

function chooseWords({ run, forward }: RollbackSubject, isNow: boolean, stop: string): VerbWords {
  const merge = forward === undefined ? "it merges itself when meshroll/plan is green" : "it needs its approvals";
  const way = isNow
    ? `  migrated workloads roll back in batches; a pull request on meshroll/rollback/${run} then changes main`
    : `  next: a pull request on meshroll/rollback/${run}; ${merge}`;
  return {
    verb: "rollback",
    inCluster: isNow ? "rolls back in" : "no new batch in",
    // Only its own stop: the run may have another one, for its failures.
    after: [
      way,
      ["  see how it goes:  ", { command: "meshroll status -w" }],
      ["  cancel it:  ", { command: `meshroll resume --id ${stop} --reason "…"` }],
    ],
  };
}

function makeRequest(
  { run, revertTo }: RollbackSubject,
  at: string,
  { reason, now }: Options,
  terminal: Terminal,
): VerbRequest {
  return {
    id: makeRequestId("rollback"),
    verb: "rollback",
    scope: `run/${run}`,
    strength: "move",
    who: readWho(terminal),
    why: reason,
    at,
    ...(revertTo === undefined ? {} : { revertTo }),
    ...(now === true ? { now } : {}),
  };
}

/** What was named: a run, a campaign, or nothing. */
type Named = ReturnType<typeof parseRunOrCampaign> | undefined;

/** The named runs, and the ledger with them; absent where no ledger can be read. */
interface Found {
  readonly ledger: LedgerState | undefined;
  readonly subjects: readonly RollbackSubject[];
}

async function findSubjects(
  named: Named,
  status: FleetStatus | undefined,
  options: Options,
  terminal: Terminal,
): Promise<Found> {
  const { listForwardBuckets, listUndoable } = await import("#libs/plan");
  const ledger = await readLedger(options, terminal);
  const choose = (subjects: readonly RollbackSubject[]): readonly RollbackSubject[] =>
    dropRolledBack(subjects, ledger).map((subject) => markForward(subject, ledger, listUndoable));
  if (named === undefined || "run" in named)
    return { ledger, subjects: choose([findRollback(named?.run, ledger, status, listForwardBuckets)]) };
  const extent = { whole: options.campaign === true, ...(options.stage === undefined ? {} : { stage: options.stage }) };
  return {
    ledger,
    subjects: choose(findCampaignRollback(named.campaign, extent, ledger, status, listForwardBuckets)),
  };
}

/** The preview that a person must see goes to stderr, where JSON is printed. */
async function preview(
  ledger: LedgerState | undefined,
  subject: RollbackSubject,
  options: Options,
  terminal: Terminal,
): Promise<void> {
  const seen = await previewRollback(ledger, subject.record, subject.revertTo, options, terminal);
  const lines = printRollback(subject, seen, options.now === true);
  await writeLines({ ...terminal, ...(options.output === "human" ? {} : { stdout: terminal.stderr }) }, lines);
}

/** One of the runs that are rolled back, with its request. */
interface Placed {
  readonly subject: RollbackSubject;
  readonly request: VerbRequest;
  readonly words: VerbWords;
}

async function printDryRun(placed: readonly Placed[], options: Options, terminal: Terminal): Promise<void> {
  if (options.output === "human") await writeLines(terminal, ["  no request was sent: this is a dry run"]);
  else for (const { request, words } of placed) await writeJson(terminal, request, words, { dryRun: true });
}

/** If one cannot be requested the others still are, as it may be an incident; its error is thrown at the end. */
async function placeAll(bus: Bus, placed: readonly Placed[], options: Options, terminal: Terminal): Promise<void> {
  const faults: unknown[] = [];
  for (const { request, words } of placed) {
    const limits = { isStop: true, timeoutMs: options.timeout };
    try {
      const outcome = await placeRequest(bus, request, limits, makeListener(words, options, terminal));
      await reportOutcome(terminal, options, request, words, outcome);
    } catch (error) {
      faults.push(error);
    }
  }
  const [first] = faults;
  if (faults.length > 0) throw first instanceof Error ? first : new Error(String(first));
}

async function rollBack(bus: Bus, named: Named, options: Options, terminal: Terminal): Promise<void> {
  const mustConfirm = options.yes !== true && options.dryRun !== true;
  const status = await readPublished(bus);
  const { ledger, subjects } = await findSubjects(named, status, options, terminal);
  if (mustConfirm) requirePerson(terminal);
  if (options.now === true) for (const subject of subjects) refuseForwardNow(subject);
  const at = new Date(readPlannerTime(status)).toISOString();
  const placed = subjects.map((subject) => {
    const request = makeRequest(subject, at, options, terminal);
    return { subject, request, words: chooseWords(subject, options.now === true, request.id) };
  });
  if (options.output === "human" || mustConfirm) {
    for (const subject of subjects) await preview(ledger, subject, options, terminal);
  }
  if (options.dryRun === true) return printDryRun(placed, options, terminal);
  if (mustConfirm) await confirm(nameConfirmation(named, subjects, options), terminal);
  return placeAll(bus, placed, options, terminal);
}

/** The word to type, of the kind that was named, so that nothing else can be rolled back by mistake. */
function nameConfirmation(named: Named, [subject]: readonly RollbackSubject[], options: Options): string {
  const byCampaign = named !== undefined && "campaign" in named;
  if (byCampaign && options.campaign === true) return named.campaign;
  return (byCampaign ? subject?.record?.stage : undefined) ?? subject?.run ?? "";
}

/** Without the bus nothing can be requested; the run is still named where the ledger can be read. */
async function findOffline(named: Named, options: Options, terminal: Terminal): Promise<RollbackSubject | undefined> {
  try {
    return (await findSubjects(named, undefined, options, terminal)).subjects[0];
  } catch (error) {
    // Without the ledger, too, a named run is still used.
    if (!(error instanceof Refusal) || error.exitCode !== exitCodes.unavailable) throw error;
    return named !== undefined && "run" in named ? { run: named.run } : undefined;
  }
}

/** `latest`, like no name, is the newest run; a pull request is the run that its merge began. */
async function readNamed(text: string | undefined, terminal: Terminal): Promise<Named> {
  if (text === undefined || text === "latest") return undefined;
  const pull = readPullNumber(text);
  return pull === undefined ? parseRunOrCampaign(text) : { run: await findRunOfPull(pull, terminal) };
}

function checkExtent(named: Named, { stage, campaign }: Options): void {
  const isCampaign = named !== undefined && "campaign" in named;
  if (stage !== undefined && campaign === true) {
    throw new Refusal(exitCodes.usage, "--stage and --campaign say different things", "give one of them");
  }
  if (!isCampaign && (stage !== undefined || campaign === true)) {
    throw new Refusal(exitCodes.usage, "--stage and --campaign need a campaign", [
      { command: "meshroll rollback CAMPAIGN --stage S" },
    ]);
  }
}

/** `meshroll rollback [run/ID|CAMPAIGN]`: sets the buckets that it moved forward back to what main had before. */
export const define: Define = (command, { terminal }) => {
  addRepositoryOption(addVerbOptions(command, "until clusters have it and it is recorded"))
    .argument(
      "[subject]",
      "run/ID, a merged pull request ('#12', pull/12), a campaign's name: its newest run, or latest (the default)",
    )
    .option("--stage <name>", "with a campaign: the newest run of this stage")
    .option("--campaign", "with a campaign: undo all of it, back to before its first run")
    .option("--now", "at once, before a pull request is merged")
    .action(async (text: string | undefined, options: Options) => {
      const named = await readNamed(text, terminal);
      checkExtent(named, options);
      try {
        await withBus(requireBus(options, terminal), async (bus) => rollBack(bus, named, options, terminal));
      } catch (error) {
        if (!(error instanceof BusDown)) throw error;
        throw await refuseWithoutBus(await findOffline(named, options, terminal), options, terminal, error);
      }
    });
};
