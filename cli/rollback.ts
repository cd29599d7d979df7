import type { Bus } from "#libs/bus";
import type { Ask } from "#libs/plan";

import { makeAskId, readPlannerTime, readWho } from "./caller.ts";
import type { Define } from "./command.ts";
import { confirm, requirePerson } from "./confirm.ts";
import { readLedger } from "./known-stops.ts";
import { parseRunScope } from "./parse-scope.ts";
import { placeAsk } from "./place-ask.ts";
import { previewRollback } from "./preview-rollback.ts";
import { printRollback } from "./print-rollback.ts";
import { readPublished } from "./read-published.ts";
import type { RepositoryOptions } from "./repository.ts";
import { addRepositoryOption } from "./repository.ts";
import { refuseWithoutBus } from "./rollback-by-hand.ts";
import { findRollback, type RollbackSubject } from "./rollback-subject.ts";
import type { Terminal } from "./terminal.ts";
import { addVerbOptions, type VerbOptions } from "./verb-options.ts";
import { makeListener, reportOutcome, type VerbWords, writeJson, writeLines } from "./verb-report.ts";
import { BusDown, requireNatsUrl, withBus } from "./with-bus.ts";

interface Options extends VerbOptions, RepositoryOptions {
  readonly now?: boolean;
  readonly yes?: boolean;
}

function chooseWords(run: string, isNow: boolean, stop: string): VerbWords {
  const way = isNow
    ? `  what moved goes back in batches; a pull request on meshroll/return/${run} brings main there`
    : `  next: a pull request on meshroll/return/${run}; it merges itself when meshroll/plan is green`;
  return {
    verb: "rollback",
    inCluster: isNow ? "goes back in" : "no new batch in",
    // Its own stop alone: the run may be under another one, for its failures.
    after: [
      way,
      "  see how it goes:  meshroll status -w",
      `  not this way:  meshroll resume --id ${stop} --reason "…"`,
    ],
  };
}

function makeAsk(run: string, at: string, { reason, now }: Options, terminal: Terminal): Ask {
  return {
    id: makeAskId("rollback"),
    verb: "rollback",
    scope: `run/${run}`,
    strength: "move",
    who: readWho(terminal),
    why: reason,
    at,
    ...(now === true ? { now } : {}),
  };
}

async function findSubject(
  bus: Bus,
  run: string | undefined,
  options: Options,
  terminal: Terminal,
): Promise<{ readonly subject: RollbackSubject; readonly at: string }> {
  const { listForwardBuckets } = await import("#libs/plan");
  const status = await readPublished(bus);
  const subject = findRollback(run, await readLedger(options, terminal), status, listForwardBuckets);
  return { subject, at: new Date(readPlannerTime(status)).toISOString() };
}

async function rollBack(bus: Bus, named: string | undefined, options: Options, terminal: Terminal): Promise<void> {
  const asks = options.yes !== true && options.dryRun !== true;
  if (asks) requirePerson(terminal);
  const { subject, at } = await findSubject(bus, named, options, terminal);
  const isNow = options.now === true;
  const ask = makeAsk(subject.run, at, options, terminal);
  const words = chooseWords(subject.run, isNow, ask.id);
  const isHuman = options.output === "human";
  if (isHuman || asks) {
    const preview = await previewRollback(subject.record, undefined, options, terminal);
    const lines = printRollback(subject, preview, isNow);
    // JSON is read by a machine: what a person has to see before agreeing goes beside it.
    await writeLines(isHuman ? terminal : { stdout: terminal.stderr }, lines);
  }
  if (options.dryRun === true) {
    if (isHuman) await writeLines(terminal, ["  nothing was asked: this is a dry run"]);
    else await writeJson(terminal, ask, words, { dryRun: true });
    return;
  }
  if (asks) await confirm(subject.run, terminal);
  const limits = { isStop: true, timeoutMs: options.timeout };
  const outcome = await placeAsk(bus, ask, limits, makeListener(words, options, terminal));
  await reportOutcome(terminal, options, ask, words, outcome);
}

/** Without the bus nothing is asked; the run is still named, when the ledger can be read. */
async function findOffline(
  run: string | undefined,
  options: Options,
  terminal: Terminal,
): Promise<RollbackSubject | undefined> {
  const { listForwardBuckets } = await import("#libs/plan");
  const ledger = await readLedger(options, terminal);
  if (ledger === undefined) return run === undefined ? undefined : { run };
  return findRollback(run, ledger, undefined, listForwardBuckets);
}

/** `meshroll rollback [run/ID]`: what the run moved forward goes back to what main had before. */
export const define: Define = (command, { terminal }) => {
  addRepositoryOption(addVerbOptions(command, "until clusters have it and it is recorded"))
    .argument("[run]", "run/ID (default: the newest run that changed anything forward)")
    .option("--now", "at once, before a pull request is merged")
    .option("-y, --yes", "do not ask")
    .action(async (text: string | undefined, options: Options) => {
      const { isStopScope } = await import("#libs/plan");
      const run = text === undefined ? undefined : parseRunScope(text, isStopScope).slice("run/".length);
      try {
        await withBus(requireNatsUrl(options, terminal), async (bus) => rollBack(bus, run, options, terminal));
      } catch (error) {
        if (!(error instanceof BusDown)) throw error;
        throw await refuseWithoutBus(await findOffline(run, options, terminal), options, terminal, error);
      }
    });
};
