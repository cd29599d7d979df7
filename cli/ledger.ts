import { Argument } from "commander";

import { sayCommands } from "./called-as.ts";
import type { Define } from "./command.ts";
import { confirm, requirePerson } from "./confirm.ts";
import { exitCodes } from "./exit-codes.ts";
import { type LedgerLook, lookAtLedger } from "./ledger/look-at-ledger.ts";
import { describeLook, printLook } from "./ledger/print-look.ts";
import { addOutputOption } from "./output-option.ts";
import { Refusal } from "./refusal.ts";
import { addRepositoryOption, type RepositoryOptions, withRepository } from "./repository.ts";
import { type Terminal, write } from "./terminal.ts";

interface Options extends RepositoryOptions {
  readonly repair?: boolean;
  readonly yes?: boolean;
  readonly by?: string;
  readonly output: "human" | "json";
}

/** A newer version's record is no fault: to undo it would forget what that version decided. */
function refuseNewer({ broken }: LedgerLook): void {
  const newer = broken?.faults.find(({ isOtherVersion }) => isOtherVersion);
  if (newer === undefined) return;
  throw new Refusal(
    exitCodes.refused,
    `${newer.file} of branch meshroll/ledger was written by a newer version of meshroll: nothing is put back`,
    "start planner and executors of that version, and take its command line",
  );
}

async function printTo(terminal: Terminal, look: LedgerLook, { output }: Options): Promise<void> {
  const json = `${JSON.stringify(describeLook(look), undefined, 2)}\n`;
  await write(terminal.stdout, output === "json" ? json : sayCommands(printLook(look), terminal));
}

/** Answers whether the ledger can be gone by now. */
async function check(options: Options, terminal: Terminal): Promise<boolean> {
  return withRepository(options, terminal, async ({ repository, ledger, url }) => {
    const heads = await repository.fetch();
    const look = await lookAtLedger(repository, ledger, heads);
    if (look === undefined)
      throw new Refusal(exitCodes.invalid, `${url} has no branch meshroll/ledger`, "meshroll init  begins it");
    await printTo(terminal, look, options);
    const { head, state, broken } = look;
    if (options.repair !== true || broken?.repair === undefined) return state !== undefined;
    refuseNewer(look);
    if (options.yes !== true) await confirm(head.slice(0, 12), terminal);
    const by = options.by ?? terminal.env["USER"] ?? "unknown";
    const outcome = await ledger.repair(head, broken.repair, by, Date.now());
    if (outcome.kind === "rejected")
      throw new Refusal(exitCodes.tryLater, `the branch took no push: ${outcome.why}`, "meshroll ledger check");
    await write(terminal.stderr, `✔ put right by commit ${outcome.sha.slice(0, 12)}\n`);
    return true;
  });
}

/** `meshroll ledger check`: whether every process can go by the ledger; where not, what broke it, and what puts it right. */
export const define: Define = (command, { terminal, finish }) => {
  addRepositoryOption(addOutputOption(command, ["human", "json"]))
    .addArgument(new Argument("<what>", "check: read it as planner and executors do").choices(["check"]))
    .option("--repair", "push a commit that puts back what cannot be read")
    .option("-y, --yes", "do not ask before that")
    .option("--by <name>", "who does it (default: $USER)")
    .action(async (_: string, options: Options) => {
      if (options.repair === true && options.yes !== true) requirePerson(terminal);
      if (!(await check(options, terminal))) finish(exitCodes.problems);
    });
};
