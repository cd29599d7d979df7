import { printRollbackEditRefusal } from "#libs/wording";
import type { RolloutsRepository } from "#libs/git";
import type { LedgerState, Proposal, RunRecord, Spec } from "#libs/plan";

import { type FleetOptions, readFleet } from "../../read/fleet-source.ts";
import { readSpec } from "../../read/read-spec.ts";
import { Refusal } from "../../terminal/refusal.ts";
import { type RepositoryOptions, withRepository } from "../../read/repository.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** What a rollback would do, or why that is unknown, which does not prevent it. */
export type RollbackPreview =
  | {
      readonly kind: "known";
      readonly head: Spec;
      readonly after: Spec;
      readonly proposal: Proposal;
      /** Workloads of a cluster at a time, by the run's settings. */
      readonly batchSize: number;
    }
  /** Main says so already. */
  | { readonly kind: "said" }
  | { readonly kind: "unknown"; readonly why: string };

/** A run and its ledger. */
interface KnownRun {
  readonly ledger: LedgerState;
  readonly run: RunRecord;
}

async function compareFiles(
  repository: RolloutsRepository,
  { ledger, run }: KnownRun,
  to: string,
  url: string,
): Promise<RollbackPreview | Pick<Extract<RollbackPreview, { kind: "known" }>, "head" | "after" | "batchSize">> {
  const { compileSpec, listWantedBuckets, proposeRollback, rolloutsPath, settingsOf, settingsPath } =
    await import("#libs/plan");
  const { main } = await repository.fetch();
  if (!(await repository.contains(main, to)))
    return { kind: "unknown", why: `commit ${to.slice(0, 12)} is not in main's history` };
  const text = await repository.read(main, rolloutsPath);
  const settings = await repository.read(main, settingsPath);
  const oldText = await repository.read(to, rolloutsPath);
  const proposed = proposeRollback(listWantedBuckets(ledger, run, oldText), text, oldText);
  if (proposed.kind === "said") return { kind: "said" };
  if (proposed.kind === "impossible") return { kind: "unknown", why: printRollbackEditRefusal(proposed.why) };
  const [head, after] = [compileSpec(main, text, settings), compileSpec(main, proposed.text, settings)];
  if (!head.ok || !after.ok) return { kind: "unknown", why: "main does not parse" };
  const { campaigns } = await readSpec(repository, url, main);
  // The planner uses the stage's settings, and those of meshroll.yml only without a stage.
  const { batchSize } = settingsOf({ ...head.spec, campaigns }, run).rollbackBatch;
  return { head: head.spec, after: after.spec, batchSize };
}

/** What would be rolled back, by main's file, the file before the run, and what runs now. */
export async function previewRollback(
  ledger: LedgerState | undefined,
  run: RunRecord | undefined,
  to: string | undefined,
  options: FleetOptions & RepositoryOptions,
  terminal: Terminal,
): Promise<RollbackPreview> {
  if (ledger === undefined || run === undefined) return { kind: "unknown", why: "the ledger is not at hand" };
  try {
    const files = await withRepository(options, terminal, async ({ repository, url }) =>
      compareFiles(repository, { ledger, run }, to ?? run.before, url),
    );
    if ("kind" in files) return files;
    const { proposeMoves } = await import("#libs/plan");
    const clusters = await readFleet(options, terminal);
    return { kind: "known", ...files, proposal: proposeMoves(files.head, files.after, clusters.values(), Date.now()) };
  } catch (error) {
    if (error instanceof Refusal) return { kind: "unknown", why: error.message };
    throw error;
  }
}
