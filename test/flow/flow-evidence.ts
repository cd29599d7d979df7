import type { FakeRemote } from "#fakes/git";
import type { LedgerState } from "#libs/plan";

import type { AuditedCommit, AuditedLedger, AuditedRun, AuditedStop } from "../auditor/evidence/evidence.ts";
import { readList } from "../auditor/evidence/read-ledger.ts";

type Tree = ReadonlyMap<string, unknown>;

function readText(tree: Tree, path: string): string | undefined {
  const text = tree.get(path);
  return typeof text === "string" ? text : undefined;
}

/** Unfinished campaigns of a commit, by path. */
export function readCampaigns(tree: Tree = new Map()): Readonly<Record<string, string>> {
  const paths = [...tree.keys()].filter((path) => /^campaigns\/[^/]+\.yml$/u.test(path));
  return Object.fromEntries(paths.map((path) => [path, readText(tree, path) ?? ""]));
}

/** Main's first-parent history, as the remote has it in the end. */
export function listMain(remote: FakeRemote): readonly AuditedCommit[] {
  const commits: AuditedCommit[] = [];
  for (let sha = remote.head("main"); sha !== undefined;) {
    const commit = remote.commit(sha);
    if (commit === undefined) break;
    const { at, author, tree } = commit;
    const files = { rollouts: readText(tree, "rollouts.yml") ?? "", settings: readText(tree, "meshroll.yml") };
    // Git keeps whole seconds.
    commits.unshift({ sha, at, atLatest: at + 999, author, ...files, campaigns: readCampaigns(tree) });
    sha = commit.parents[0];
  }
  return commits.map((commit, index) => (index === 0 ? { ...commit, at: 0 } : commit));
}

/** Lists of one ledger commit, by head. */
function readPlans(tree: Tree): readonly (readonly [string, readonly string[]])[] {
  return [...tree.keys()].flatMap((path) => {
    const head = /^plans\/(.*)\.tsv$/u.exec(path)?.[1];
    return head === undefined ? [] : [[head, readList(readText(tree, path) ?? "")] as const];
  });
}

/** Every list that the ledger branch ever had, by head, the newest of each: those of a finished campaign are forgotten in the end. */
function readLists(remote: FakeRemote): ReadonlyMap<string, readonly string[]> {
  const lists = new Map<string, readonly string[]>();
  let commit = remote.commit(remote.head("meshroll/ledger") ?? "");
  while (commit !== undefined) {
    for (const [head, list] of readPlans(commit.tree)) if (!lists.has(head)) lists.set(head, list);
    commit = remote.commit(commit.parents[0] ?? "");
  }
  return lists;
}

type Named = readonly { readonly cluster: string; readonly workload: string }[];

function nameAll(all: Named): readonly string[] {
  return all.map(({ cluster, workload }) => `${cluster}:${workload}`);
}

/** Runs as the auditor reads them, with who was listed and each difference. */
function readRuns(remote: FakeRemote, { runs }: LedgerState): readonly AuditedRun[] {
  const lists = readLists(remote);
  return Object.values(runs).map(({ id, state, retried = {}, outcome, campaign, stage, list: head }) => {
    const list = lists.get(head ?? "");
    return {
      id,
      state,
      retried,
      aside: nameAll(outcome?.aside ?? []),
      ...(campaign === undefined ? {} : { campaign }),
      ...(stage === undefined ? {} : { stage }),
      ...(list === undefined ? {} : { list }),
      ...(outcome?.differences === undefined ? {} : { differences: nameAll(outcome.differences) }),
    };
  });
}

function readStops({ stops }: LedgerState): readonly AuditedStop[] {
  // A rollback's stop holds its run's forward moves; what goes back by it carries the same run's id.
  const placed = Object.values(stops).filter(({ revertTo }) => revertTo === undefined);
  return placed.map(({ id, scope, strength, returnOf, at, lift }) => ({
    id,
    scope,
    strength,
    ...(returnOf === undefined ? {} : { returnOf }),
    at: Date.parse(at),
    ...(lift === undefined ? {} : { liftedAt: Date.parse(lift.at) }),
  }));
}

/** The ledger as the auditor reads it. */
export function readAuditedLedger(remote: FakeRemote, ledger: LedgerState): AuditedLedger {
  return { stops: readStops(ledger), runs: readRuns(remote, ledger) };
}

/** The same for flows that place stops, and plant retries, by themselves: only returns' holds, and lists. */
export function readAuditedLists(remote: FakeRemote, ledger: LedgerState | undefined): AuditedLedger {
  if (ledger === undefined) return { stops: [], runs: [] };
  const { stops, runs } = readAuditedLedger(remote, ledger);
  return {
    stops: stops.filter(({ returnOf }) => returnOf !== undefined),
    runs: runs.map((run) => ({ ...run, retried: {} })),
  };
}
