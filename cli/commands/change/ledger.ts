import type { RolloutsRepository } from "#libs/git";
import type { RepairOutcome } from "#libs/ledger";
import { Argument } from "commander";

import type { Define } from "../../terminal/command.ts";
import { confirm, requirePerson } from "../../terminal/confirm.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { type LedgerReport, lookAtLedger } from "../../ledger/look-at-ledger.ts";
import { openForWriting } from "../../ledger/open-for-writing.ts";
import { describeReport, printReport } from "../../ledger/print-look.ts";
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

/** A record of another version is no error: to undo it would lose a decision. */
function refuseOtherVersion({ broken }: LedgerReport): void {
  const other = broken?.faults.find(({ isOtherVersion }) => isOtherVersion);
  if (other === undefined) return;
  throw new Refusal(
    exitCodes.refused,
    `${other.file} of branch meshroll/ledger was written by another version of meshroll: nothing was restored`,
    "start planner and executors of that version, and take its command line",
  );
}

async function printTo(terminal: Terminal, look: LedgerReport, { output }: Options): Promise<void> {
  const json = `${JSON.stringify(describeReport(look), undefined, 2)}\n`;
  await write(
    terminal.stdout,
    output === "json" ? json : `${wrapSentences(printReport(look), terminal, Number.POSITIVE_INFINITY).join("\n")}\n`,
  );
}

interface Opened {
  readonly repository: RolloutsRepository;
  readonly main: string;
  readonly look: LedgerReport;
}

async function look(options: Options, terminal: Terminal, use: (opened: Opened) => Promise<boolean>): Promise<boolean> {
  return withRepository(options, terminal, async ({ repository, ledger, url }) => {
    const heads = await repository.fetch();
    const found = await lookAtLedger(repository, ledger, heads);
    if (found === undefined)
      throw new Refusal(exitCodes.invalid, `${url} has no branch meshroll/ledger`, [
        { command: "meshroll init" },
        "  begins it",
      ]);
    await printTo(terminal, found, options);
    return use({ repository, main: heads.main, look: found });
  });
}

function nameCaller({ by }: Options, { env }: Terminal): string {
  return by ?? env["USER"] ?? "unknown";
}

async function report(outcome: RepairOutcome, said: string, terminal: Terminal): Promise<boolean> {
  if (outcome.kind === "rejected")
    throw new Refusal(exitCodes.tryLater, `the branch took no push: ${outcome.why}`, [
      { command: "meshroll ledger check" },
    ]);
  await write(terminal.stderr, `✔ ${said} by commit ${outcome.sha.slice(0, 12)}\n`);
  return true;
}

/** Returns whether the ledger can be used now. */
async function check(options: Options, terminal: Terminal): Promise<boolean> {
  return look(options, terminal, async ({ repository, main, look: found }) => {
    const { head, state, broken, unsigned } = found;
    const repair = unsigned?.repair ?? broken?.repair;
    if (options.repair !== true || repair === undefined) return state !== undefined;
    refuseOtherVersion(found);
    const { ledger } = await openForWriting(repository, main, terminal);
    if (options.yes !== true) await confirm(head.slice(0, 12), terminal);
    return report(await ledger.repair(head, repair, nameCaller(options, terminal), Date.now()), "put right", terminal);
  });
}

/** Nothing is vouched for that no process could go by all the same. */
function refuseDoubted({ doubt, broken }: LedgerReport): void {
  if (doubt === undefined && broken === undefined) return;
  const message = "branch meshroll/ledger is not one that a signature would put right: nothing was signed";
  throw new Refusal(exitCodes.refused, message, ["put it right first: ", { command: "meshroll ledger check" }]);
}

/** Answers true: it is signed, or the command was refused. */
async function sign(options: Options, terminal: Terminal): Promise<boolean> {
  return look(options, terminal, async ({ repository, main, look: found }) => {
    refuseDoubted(found);
    const { head } = found;
    const { ledger, signer } = await openForWriting(repository, main, terminal);
    if (signer === undefined) {
      const help = "set MESHROLL_LEDGER_KEY_FILE to the file with the private key: docs/how-to/sign-the-ledger.md";
      throw new Refusal(exitCodes.environment, "there is no key to sign with", help);
    }
    if ((await ledger.judgeSigner(head, [signer.publicKey])).kind === "signed") {
      await write(terminal.stderr, `nothing to do: ${head.slice(0, 12)} is signed by this key\n`);
      return true;
    }
    const [fault] = await ledger.inspect(head);
    if (fault !== undefined)
      throw new Refusal(exitCodes.invalid, fault.message, [{ command: "meshroll ledger check --repair" }]);
    if (options.yes !== true) await confirm(head.slice(0, 12), terminal);
    return report(await ledger.vouch(head, nameCaller(options, terminal), Date.now()), "signed", terminal);
  });
}

const idle: readonly IdleFlags<Options>[] = [
  {
    flags: ["yes", "by"],
    when: ({ repair }, [what]) => what === "check" && repair !== true,
    because: "would do nothing: check alone changes nothing",
    fix: [{ command: "meshroll ledger check --repair" }],
  },
];

/** `meshroll ledger`: whether every process can use it; where not, what broke it, and what puts it right; and a signature for it. */
export const define: Define = (command, { terminal, finish }) => {
  refuseIdle(addRepositoryOption(addOutputOption(command, ["human", "json"])), idle)
    .addArgument(
      new Argument("<what>", "check: read it as planner and executors do; sign: vouch for it as it stands").choices([
        "check",
        "sign",
      ]),
    )
    .option("--repair", "with check: push a commit that puts back what cannot be read, or was not signed")
    .option("-y, --yes", "do not ask for confirmation")
    .option("--by <name>", "who does it (default: $USER)")
    .action(async (what: "check" | "sign", options: Options) => {
      if (what === "sign" && options.repair === true)
        throw new Refusal(exitCodes.usage, "--repair goes with check: what is signed stays", [
          { command: "meshroll ledger check --repair" },
        ]);
      const writes = what === "sign" || options.repair === true;
      if (writes && options.yes !== true) requirePerson(terminal);
      const isDone = await (what === "sign" ? sign : check)(options, terminal);
      if (!isDone) finish(exitCodes.problems);
    });
};
