import type { Define } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import { addOutputOption } from "./output-option.ts";
import { listFindings, compileTexts, readTexts } from "./read-spec.ts";
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

async function report(recorded: Recorded, text: string, { output }: Options, { stdout }: Terminal): Promise<void> {
  const named = { apiVersion: "meshroll.dev/v1", kind: "Baseline", ...recorded };
  await write(stdout, output === "json" ? `${JSON.stringify(named, undefined, 2)}\n` : text);
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
      const help = "run `meshroll validate` in a checkout of main";
      throw new Refusal(exitCodes.invalid, `main does not parse: ${first}`, help);
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
