import type { RolloutsRepository } from "#libs/git";
import type { LedgerState, Proposal, RunRecord, Spec } from "#libs/plan";

import { type FleetOptions, readFleet } from "../../read/fleet-source.ts";
import { Refusal } from "../../terminal/refusal.ts";
import { type RepositoryOptions, withRepository } from "../../read/repository.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** What a rollback would do, or why that cannot be said; a rollback is never refused because of that. */
export type RollbackPreview =
  | { readonly kind: "known"; readonly head: Spec; readonly after: Spec; readonly proposal: Proposal }
  /** Main says it already. */
  | { readonly kind: "said" }
  | { readonly kind: "unknown"; readonly why: string };

/** A run, and the ledger that it stands in. */
interface KnownRun {
  readonly ledger: LedgerState;
  readonly run: RunRecord;
}

async function compareFiles(
  repository: RolloutsRepository,
  { ledger, run }: KnownRun,
  to: string,
): Promise<RollbackPreview | { readonly head: Spec; readonly after: Spec }> {
  const { compileSpec, listWantedBuckets, proposeRollback, rolloutsPath, settingsPath } = await import("#libs/plan");
  const { main } = await repository.fetch();
  const text = await repository.read(main, rolloutsPath);
  const settings = await repository.read(main, settingsPath);
  const oldText = await repository.read(to, rolloutsPath);
  const proposed = proposeRollback(listWantedBuckets(ledger, run, oldText), text, oldText);
  if (proposed.kind === "said") return { kind: "said" };
  if (proposed.kind === "impossible") return { kind: "unknown", why: proposed.why };
  const [head, after] = [compileSpec(main, text, settings), compileSpec(main, proposed.text, settings)];
  return head.ok && after.ok ? { head: head.spec, after: after.spec } : { kind: "unknown", why: "main does not parse" };
}

/** Who would be rolled back, by main's file, the file before the run, and what runs now. */
export async function previewRollback(
  ledger: LedgerState | undefined,
  run: RunRecord | undefined,
  to: string | undefined,
  options: FleetOptions & RepositoryOptions,
  terminal: Terminal,
): Promise<RollbackPreview> {
  if (ledger === undefined || run === undefined) return { kind: "unknown", why: "the ledger is not at hand" };
  try {
    const files = await withRepository(options, terminal, async ({ repository }) =>
      compareFiles(repository, { ledger, run }, to ?? run.before),
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
