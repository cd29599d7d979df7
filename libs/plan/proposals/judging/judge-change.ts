import { changedBuckets, printDistributions } from "#libs/rollouts";

import { isReadPath, judgeChanges, PastAnswers, rolloutsPath } from "../../main/index.ts";
import type { BucketChange, LedgerState, Snapshot, Spec } from "../../records/index.ts";
import type { MergedFiles } from "./pull-request-facts.ts";

/** What a merge changes in main. */
export interface FileChange {
  readonly before: Spec;
  readonly after: Spec;
  readonly buckets: readonly BucketChange[];
  /** Buckets in which a workload would go forward. */
  readonly forward: ReadonlySet<string>;
  /** A setting of `meshroll.yml` changes, the seed included. */
  readonly settings: boolean;
  /** Paths of changed campaigns. */
  readonly campaigns: readonly string[];
  /** No other path than `rollouts.yml` changes. */
  readonly isAlone: boolean;
  /** Changed paths that are not part of the spec. */
  readonly unread: readonly string[];
  /** Only `rollouts.yml` changes, and every changed bucket is rolled back to what main had before. */
  readonly isRollback: boolean;
  /** Only `rollouts.yml` changes, and its content means the same afterwards. */
  readonly isNothing: boolean;
}

/** Before `meshroll init`, and while main is rewritten, main's history is unknown: everything is forward. */
function listForward(before: Spec, after: Spec): readonly BucketChange[] {
  const [old, now] = [printDistributions(before.rollouts), printDistributions(after.rollouts)];
  return changedBuckets(before.rollouts, after.rollouts).map((pattern) => {
    return { pattern, from: old.get(pattern) ?? "", to: now.get(pattern) ?? "", direction: "forward" };
  });
}

/**
 * Buckets that are set back although a known namespace would go forward in them, because it changes buckets and gets a revision
 * that main never wanted for it, or rolled back from.
 */
function listForwardOfNamespaces(
  before: Spec,
  after: Spec,
  ledger: LedgerState,
  { clusters }: Snapshot,
): ReadonlySet<string> {
  const past = new PastAnswers(ledger, { spec: before, order: Number.POSITIVE_INFINITY }, before);
  const names = new Set(
    [...clusters.values()].flatMap(({ namespaces }) => [...namespaces.values()].map(({ namespace }) => namespace.name)),
  );
  const forward = new Set<string>();
  for (const name of names) {
    const [now, next] = [before.resolver.resolve(name), after.resolver.resolve(name)];
    if (now.revision === next.revision || !past.isForward(name, next.revision)) continue;
    forward.add(now.bucket.pattern).add(next.bucket.pattern);
  }
  return forward;
}

function findForward(
  buckets: readonly BucketChange[],
  before: Spec,
  after: Spec,
  snapshot: Snapshot,
): ReadonlySet<string> {
  const forward = buckets.flatMap(({ pattern, direction }) => (direction === "forward" ? [pattern] : []));
  if (snapshot.ledger === undefined || forward.length === buckets.length) return new Set(forward);
  const ofNamespaces = listForwardOfNamespaces(before, after, snapshot.ledger, snapshot);
  return new Set([...forward, ...buckets.flatMap(({ pattern }) => (ofNamespaces.has(pattern) ? [pattern] : []))]);
}

export function describeChange(
  merged: Extract<MergedFiles, { readonly kind: "files" }>,
  before: Spec,
  snapshot: Snapshot,
): FileChange | undefined {
  if (!merged.compiled.ok) return undefined;
  const after = merged.compiled.spec;
  const { ledger, main } = snapshot;
  const buckets =
    ledger === undefined || !main.contained ? listForward(before, after) : judgeChanges(ledger, before, after);
  const forward = findForward(buckets, before, after, snapshot);
  const settings = JSON.stringify(before.settings) !== JSON.stringify(after.settings);
  const { campaigns, changed } = merged;
  const isAlone = changed.every((path) => path === rolloutsPath) && !settings && campaigns.length === 0;
  return {
    before,
    after,
    buckets,
    forward,
    settings,
    campaigns,
    isAlone,
    unread: changed.filter((path) => !isReadPath(path)),
    isRollback: buckets.length > 0 && forward.size === 0 && isAlone,
    isNothing: buckets.length === 0 && isAlone,
  };
}
