import type { Ledger, RepairOutcome } from "#libs/ledger";
import { Argument } from "commander";

import type { Define } from "../../terminal/command.ts";
import { confirm, requirePerson } from "../../terminal/confirm.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { type LedgerReport, inspectLedger } from "../../ledger/inspect-ledger.ts";
import { describeReport, printReport } from "../../ledger/print-report.ts";
import { addOutputOption } from "../../options/output-option.ts";
import { type IdleFlags, refuseIdle } from "../../session/idle-flags.ts";
import { Refusal } from "../../terminal/refusal.ts";
import { addRepositoryOption, type RepositoryOptions, withRepository } from "../../read/repository.ts";
import { type Terminal, write } from "../../terminal/terminal.ts";
import { wrapSentences } from "../../text/wrap-text.ts";

interface Options extends RepositoryOptions {
  readonly repair?: boolean;
  readonly yes?: boolean;
  readonly by?: string;
  readonly output: "human" | "json";
}

/** A record of another version is not an error: undoing it would lose a decision. */
function refuseOtherVersion({ broken }: LedgerReport): void {
  const other = broken?.faults.find(({ isOtherVersion }) => isOtherVersion);
  if (other === undefined) return;
  throw new Refusal(
    exitCodes.refused,
    `${other.file} of branch meshroll/ledger was written by another version of meshroll: nothing was restored`,
    "start planner and executors of that version, and take its command line",
  );
}

async function printTo(terminal: Terminal, report: LedgerReport, { output }: Options): Promise<void> {
  const json = `${JSON.stringify(describeReport(report), undefined, 2)}\n`;
  await write(
    terminal.stdout,
    output === "json" ? json : `${wrapSentences(printReport(report), terminal, Number.POSITIVE_INFINITY).join("\n")}\n`,
  );
}

interface Opened {
  readonly ledger: Ledger;
  readonly report: LedgerReport;
}

async function inspect(
  options: Options,
  terminal: Terminal,
  use: (opened: Opened) => Promise<boolean>,
): Promise<boolean> {
  return withRepository(options, terminal, async ({ repository, ledger, url }) => {
    const heads = await repository.fetch();
    const found = await inspectLedger(repository, ledger, heads);
    if (found === undefined)
      throw new Refusal(exitCodes.invalid, `${url} has no branch meshroll/ledger`, [
        { command: "meshroll init" },
        "  begins it",
      ]);
    await printTo(terminal, found, options);
    return use({ ledger, report: found });
  });
}

function nameCaller({ by }: Options, { env }: Terminal): string {
  return by ?? env["USER"] ?? "unknown";
}

async function reportRepair(outcome: RepairOutcome, said: string, terminal: Terminal): Promise<boolean> {
  if (outcome.kind === "rejected")
    throw new Refusal(exitCodes.tryLater, `the push was refused: ${outcome.why}`, [
      { command: "meshroll ledger check" },
    ]);
  await write(terminal.stderr, `✔ ${said} by commit ${outcome.sha.slice(0, 12)}\n`);
  return true;
}

/** Returns whether the ledger can be used now. */
async function check(options: Options, terminal: Terminal): Promise<boolean> {
  return inspect(options, terminal, async ({ ledger, report: found }) => {
    const { head, state, broken } = found;
    const repair = broken?.repair;
    if (options.repair !== true || repair === undefined) return state !== undefined;
    refuseOtherVersion(found);
    if (options.yes !== true) await confirm(head.slice(0, 12), terminal);
    return reportRepair(
      await ledger.repair(head, repair, nameCaller(options, terminal), Date.now()),
      "repaired",
      terminal,
    );
  });
}

const idle: readonly IdleFlags<Options>[] = [
  {
    flags: ["yes", "by"],
    when: ({ repair }) => repair !== true,
    because: "would do nothing: check alone changes nothing",
    fix: [{ command: "meshroll ledger check --repair" }],
  },
];

/** `meshroll ledger check`: whether every process can use it; where not, what broke it, and what puts it right. */
export const define: Define = (command, { terminal, finish }) => {
  refuseIdle(addRepositoryOption(addOutputOption(command, ["human", "json"])), idle)
    .addArgument(new Argument("<what>", "check: read it as planner and executors do").choices(["check"]))
    .option("--repair", "push a commit that puts back what cannot be read")
    .option("-y, --yes", "do not ask for confirmation")
    .option("--by <name>", "who does it (default: $USER)")
    .action(async (_what: "check", options: Options) => {
      if (options.repair === true && options.yes !== true) requirePerson(terminal);
      if (!(await check(options, terminal))) finish(exitCodes.problems);
    });
};
