import type { LedgerState } from "#libs/plan";
import { randomInt } from "node:crypto";

import type { Define } from "../../terminal/command.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { readInstallation } from "../../options/installation-option.ts";
import { readLedgerInUse } from "../../ledger/read-ledger-in-use.ts";
import { addOutputOption } from "../../options/output-option.ts";
import { compileTexts, fixSpec, printFirstError, readTexts } from "../../read/read-spec.ts";
import { addRepositoryOption, type RepositoryOptions, withRepository } from "../../read/repository.ts";
import { Refusal } from "../../terminal/refusal.ts";
import { type Terminal, write } from "../../terminal/terminal.ts";
import type { Sentence } from "../../terminal/sentence.ts";
import { wrapSentences } from "../../text/wrap-text.ts";

interface Options extends RepositoryOptions {
  readonly by?: string;
  readonly installation?: string;
  readonly dryRun?: boolean;
  readonly output: "human" | "json";
}

/** The result, for programs. */
interface Recorded {
  readonly commit: string;
  readonly installation?: string;
  readonly changed: boolean;
  readonly at?: string;
  readonly by?: string;
}

async function report(
  recorded: Recorded,
  sentences: readonly Sentence[],
  { output }: Options,
  terminal: Terminal,
): Promise<void> {
  const baseline = { apiVersion: "meshroll.dev/v1", kind: "Baseline", ...recorded };
  // Ids and addresses are copied, so lines are not wrapped.
  const told = `${wrapSentences(sentences, terminal, Number.POSITIVE_INFINITY).join("\n")}\n`;
  await write(terminal.stdout, output === "json" ? `${JSON.stringify(baseline, undefined, 2)}\n` : told);
}

/** Used in names on NATS and Redis as it is. Of 26 × 36^11 values, so that a collision is negligible. */
function drawInstallation(): string {
  const pick = (letters: string): string => letters.charAt(randomInt(letters.length));
  const letters = "abcdefghijklmnopqrstuvwxyz";
  return pick(letters) + Array.from({ length: 11 }, () => pick(`${letters}0123456789`)).join("");
}

/** Every process must be told its installation: data of others on the same bus is ignored. */
function nameInstallation(id: string): string {
  return `  installation ${id}: start every service with  MESHROLL_INSTALLATION=${id}`;
}

/** The ledger as the services use it; refused where they would use none of its commits. */
async function requireLedgerInUse(...from: Parameters<typeof readLedgerInUse>): Promise<LedgerState> {
  const state = await readLedgerInUse(...from);
  if (state !== undefined) return state;
  const message = "branch meshroll/ledger exists, and planner and executors cannot use it";
  throw new Refusal(exitCodes.invalid, message, [{ command: "meshroll ledger check" }]);
}

async function init(options: Options, terminal: Terminal): Promise<void> {
  await withRepository(options, terminal, async ({ repository, ledger, url }) => {
    const { makeBaseline } = await import("#libs/plan");
    const heads = await repository.fetch();
    if (heads.ledger !== undefined) {
      const { baseline } = await requireLedgerInUse(repository, ledger, heads);
      const { commit, at, by, installation } = baseline;
      const told = `nothing to do: the baseline is ${commit.slice(0, 12)}, recorded ${at} by ${by}`;
      return report({ ...baseline, changed: false }, [told, nameInstallation(installation)], options, terminal);
    }
    const compiled = await compileTexts(heads.main, await readTexts(repository, heads.main));
    const first = printFirstError(compiled.findings);
    // There is no earlier version of a campaign that cannot be read at the baseline.
    if (first !== undefined) {
      throw new Refusal(exitCodes.invalid, `main of ${url} does not parse: ${first}`, fixSpec(compiled.findings));
    }
    const short = heads.main.slice(0, 12);
    if (options.dryRun === true) {
      const told = `would record baseline ${short} on branch meshroll/ledger of ${url}; nothing was pushed`;
      return report({ commit: heads.main, changed: false }, [told], options, terminal);
    }
    const installation = options.installation ?? drawInstallation();
    const by = options.by ?? terminal.env["USER"] ?? "unknown";
    const entry = makeBaseline(heads.main, Date.now(), by, installation);
    const outcome = await ledger.record(entry, undefined);
    if (outcome.kind === "overtaken") {
      const help = ["run `", { command: "meshroll init" }, "` again to see it"];
      throw new Refusal(exitCodes.tryLater, `another process just recorded a baseline: ${outcome.why}`, help);
    }
    const told: readonly Sentence[] = [
      `✔ baseline ${short} recorded on branch meshroll/ledger of ${url}; nothing moves`,
      nameInstallation(installation),
      ["  next: merge a change of rollouts.yml, then  ", { command: "meshroll status" }],
      "  undo, before anything else is recorded:",
      ["    ", { command: `git push ${url} --delete meshroll/ledger` }],
    ];
    return report({ ...outcome.state.baseline, changed: true }, told, options, terminal);
  });
}

/** `meshroll init`: records the baseline, with the caller's own git rights. It moves nothing by itself. */
export const define: Define = (command, { terminal }) => {
  addRepositoryOption(addOutputOption(command, ["human", "json"]))
    .option("--by <name>", "who records it (default: $USER)")
    .option("--installation <id>", "the id to keep after the ledger was lost (default: a new id)", readInstallation)
    .option("--dry-run", "say what would be recorded, and push nothing")
    .option("-y, --yes", "accepted, and has no effect: init never asks")
    .addHelpText(
      "after",
      "\nWrites the first record of branch meshroll/ledger: main as it is now.\nWhat differs from it is drift.",
    )
    .action(async (options: Options) => init(options, terminal));
};
