import type { Commit, Heads, RolloutsRepository } from "#libs/git";
import type { Ledger, LedgerUnreadable, Repair } from "#libs/ledger";
import type { LedgerDoubt, LedgerState } from "#libs/plan";

/** What is wrong with an unreadable ledger, and its repair. */
export interface Broken {
  readonly faults: readonly LedgerUnreadable[];
  /** The first unreadable commit after the last readable one; undefined where no inspected commit is readable. */
  readonly by: Commit | undefined;
  readonly good: Commit | undefined;
  readonly repair: Repair | undefined;
}

/** The state of the ledger's branch. */
export interface LedgerReport {
  readonly head: string;
  readonly state?: LedgerState;
  readonly broken?: Broken;
  /** It can be read but is not used: it lacks what this machine read before, or its baseline is another one. */
  readonly doubt?: LedgerDoubt;
}

/** More transitions than are ever added on top of a ledger that no process can read. */
const mostInspected = 500;

async function findBroken(repository: RolloutsRepository, ledger: Ledger, head: string): Promise<Broken> {
  const faults = await ledger.inspect(head);
  const newest = (await repository.firstParents(undefined, head)).toReversed().slice(0, mostInspected);
  let by: Commit | undefined;
  for (const commit of newest) {
    if ((await ledger.inspect(commit.sha)).length === 0)
      return { faults, by, good: commit, repair: await ledger.planRepair(head, commit.sha) };
    by = commit;
  }
  return { faults, by: undefined, good: undefined, repair: undefined };
}

/** Doubts whose message has the command that ends them. */
function isRepairedByCommand({ kind }: LedgerDoubt): boolean {
  return kind === "setBack";
}

/** Reads the branch as it is now, and the commit that this machine read before. */
export async function inspectLedger(
  repository: RolloutsRepository,
  ledger: Ledger,
  { ledger: head }: Pick<Heads, "ledger">,
): Promise<LedgerReport | undefined> {
  const { createLedgerSelection } = await import("#libs/repository");
  const selection = createLedgerSelection(repository, ledger);
  const { state, doubt } = await selection.judge(head);
  if (doubt !== undefined && isRepairedByCommand(doubt)) return { head: head ?? "", doubt };
  if (head === undefined) return undefined;
  if (doubt !== undefined || state === undefined) return { head, broken: await findBroken(repository, ledger, head) };
  await selection.accept(state);
  return { head, state };
}
