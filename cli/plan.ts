import type { RolloutsRepository } from "#libs/git";
import type { Spec } from "#libs/plan";

import type { Define } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import { addFleetOptions, type FleetOptions, readFleet } from "./fleet-source.ts";
import { addOutputOption } from "./output-option.ts";
import { printPlan } from "./print-plan.ts";
import { addRepositoryOption, type RepositoryOptions, withRepository } from "./repository.ts";
import { Refusal } from "./refusal.ts";
import { write } from "./terminal.ts";

interface Options extends FleetOptions, RepositoryOptions {
  readonly output: "human" | "json";
  readonly from: string;
  readonly to?: string;
}

async function readSpec(repository: RolloutsRepository, url: string, ref: string): Promise<Spec> {
  const { compileSpec, rolloutsPath, settingsPath } = await import("#libs/plan");
  const sha = await repository.resolve(ref);
  if (sha === undefined)
    throw new Refusal(exitCodes.invalid, `${url} has no ${ref}`, "give a branch, a tag or a commit");
  const compiled = compileSpec(sha, await repository.read(sha, rolloutsPath), await repository.read(sha, settingsPath));
  if (compiled.ok) return compiled.spec;
  const lines = compiled.findings.map(
    ({ file, line, column, code, message }) => `${file}:${line}:${column} ${code} ${message}`,
  );
  throw new Refusal(
    exitCodes.invalid,
    `${ref} does not parse:\n${lines.join("\n")}`,
    "run `meshroll validate` in a checkout of it",
  );
}

/** `meshroll plan --from REF [--to REF]`: exactly who would move, where, and at what risk. Changes nothing. */
export const define: Define = (command, { terminal, finish }) => {
  addOutputOption(addRepositoryOption(addFleetOptions(command)), ["human", "json"])
    .requiredOption("--from <ref>", "the state before: a branch, a tag or a commit of the rollouts repository")
    .option("--to <ref>", "the state after", "main")
    .action(async (options: Options) => {
      const clusters = await readFleet(options, terminal);
      await withRepository(options, terminal, async ({ repository, url }) => {
        const { proposeMoves } = await import("#libs/plan");
        const before = await readSpec(repository, url, options.from);
        const after = await readSpec(repository, url, options.to ?? "main");
        const proposal = proposeMoves(before, after, clusters.values(), Date.now());
        const named = { from: before.commit, to: after.commit, ...proposal };
        const text =
          options.output === "json" ? `${JSON.stringify(named, undefined, 2)}\n` : printPlan(proposal, before, after);
        await write(terminal.stdout, text);
        if (proposal.findings.some(({ severity }) => severity === "error")) finish(exitCodes.invalid);
      });
    });
};
