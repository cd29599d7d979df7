import { sayCommands } from "./called-as.ts";
import type { Define } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import { addOutputOption } from "./output-option.ts";
import { compileTexts, listFindings, mendSpec, readTexts } from "./read-spec.ts";
import { addRepositoryOption, type RepositoryOptions, withRepository } from "./repository.ts";
import { Refusal } from "./refusal.ts";
import { type Terminal, write } from "./terminal.ts";

interface Options extends RepositoryOptions {
  readonly by?: string;
  readonly dryRun?: boolean;
  readonly output: "human" | "json";
}

/** What came of it, for machines. */
interface Recorded {
  readonly commit: string;
  readonly changed: boolean;
  readonly at?: string;
  readonly by?: string;
}

async function report(recorded: Recorded, text: string, { output }: Options, terminal: Terminal): Promise<void> {
  const named = { apiVersion: "meshroll.dev/v1", kind: "Baseline", ...recorded };
  const told = sayCommands(text, terminal);
  await write(terminal.stdout, output === "json" ? `${JSON.stringify(named, undefined, 2)}\n` : told);
}

async function init(options: Options, terminal: Terminal): Promise<void> {
  await withRepository(options, terminal, async ({ repository, ledger, url }) => {
    const { makeBaseline } = await import("#libs/plan");
    const heads = await repository.fetch();
    if (heads.ledger !== undefined) {
      const { baseline } = await ledger.load(heads.ledger);
      const told = `nothing to do: the baseline is ${baseline.commit.slice(0, 12)}, recorded ${baseline.at} by ${baseline.by}\n`;
      return report({ ...baseline, changed: false }, told, options, terminal);
    }
    const compiled = await compileTexts(heads.main, await readTexts(repository, heads.main));
    if (!compiled.ok) {
      const [first = ""] = listFindings(compiled.findings).split("\n");
      throw new Refusal(exitCodes.invalid, `main of ${url} does not parse: ${first}`, mendSpec(compiled.findings));
    }
    const short = heads.main.slice(0, 12);
    if (options.dryRun === true) {
      const told = `would record baseline ${short} on branch meshroll/ledger of ${url}; nothing was pushed\n`;
      return report({ commit: heads.main, changed: false }, told, options, terminal);
    }
    const entry = makeBaseline(heads.main, Date.now(), options.by ?? terminal.env["USER"] ?? "unknown");
    const outcome = await ledger.record(entry, undefined);
    if (outcome.kind === "overtaken") {
      const help = "run `meshroll init` again to see it";
      throw new Refusal(exitCodes.tryLater, `somebody else recorded a baseline just now: ${outcome.why}`, help);
    }
    const told =
      `✔ baseline ${short} recorded on branch meshroll/ledger of ${url}; nothing moves\n` +
      "  next: merge a change of rollouts.yml, then  meshroll status\n" +
      `  take it back, while nothing else was decided:\n    git push ${url} --delete meshroll/ledger\n`;
    return report({ ...outcome.state.baseline, changed: true }, told, options, terminal);
  });
}

/** `meshroll init`: records the baseline with the caller's own git rights. Moves nothing, now or later, by itself. */
export const define: Define = (command, { terminal }) => {
  addRepositoryOption(addOutputOption(command, ["human", "json"]))
    .option("--by <name>", "who records it (default: $USER)")
    .option("--dry-run", "say what would be recorded, and push nothing")
    .addHelpText(
      "after",
      "\nWrites the first record of branch meshroll/ledger: main as it is now.\nWhat differs from it is drift.",
    )
    .action(async (options: Options) => init(options, terminal));
};
