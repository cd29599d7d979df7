import type { Define } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import { addRepositoryOption, type RepositoryOptions, withRepository } from "./repository.ts";
import { Refusal } from "./refusal.ts";
import { write } from "./terminal.ts";

/** `meshroll init`: records the baseline with the caller's own git rights. Moves nothing, now or later, by itself. */
export const define: Define = (command, { terminal }) => {
  addRepositoryOption(command)
    .option("--by <name>", "who records it (default: $USER)")
    .addHelpText(
      "after",
      "\nWrites the first record of branch meshroll/ledger: main as it is now.\nWhat differs from it is drift.",
    )
    .action(async (options: RepositoryOptions & { readonly by?: string }) => {
      await withRepository(options, terminal, async ({ repository, ledger, url }) => {
        const { compileSpec, makeBaseline, rolloutsPath, settingsPath } = await import("#libs/plan");
        const heads = await repository.fetch();
        if (heads.ledger !== undefined) {
          const { baseline } = await ledger.load(heads.ledger);
          const when = `recorded ${baseline.at} by ${baseline.by}`;
          await write(terminal.stdout, `nothing to do: the baseline is ${baseline.commit.slice(0, 12)}, ${when}\n`);
          return;
        }
        const compiled = compileSpec(
          heads.main,
          await repository.read(heads.main, rolloutsPath),
          await repository.read(heads.main, settingsPath),
        );
        if (!compiled.ok) {
          const first = compiled.findings[0];
          const where = first === undefined ? "" : `: ${first.file}:${first.line}:${first.column} ${first.message}`;
          throw new Refusal(
            exitCodes.invalid,
            `main does not parse${where}`,
            "run `meshroll validate` in a checkout of main",
          );
        }
        const by = options.by ?? terminal.env["USER"] ?? "unknown";
        const outcome = await ledger.record(makeBaseline(heads.main, Date.now(), by), undefined);
        if (outcome.kind === "overtaken") {
          const help = "run `meshroll init` again to see it";
          throw new Refusal(exitCodes.tryLater, `somebody else recorded a baseline just now: ${outcome.why}`, help);
        }
        await write(
          terminal.stdout,
          `✔ baseline ${heads.main.slice(0, 12)} recorded on branch meshroll/ledger of ${url}; nothing moves\n` +
            "  next: merge a change of rollouts.yml, then  meshroll status\n",
        );
      });
    });
};
