import { changedBuckets, printDistributions } from "#libs/spec";

import { isReadPath, rolloutsPath } from "./compile-spec.ts";
import type { MergedFiles } from "./judge-pull-request-facts.ts";
import { PastAnswers } from "./going-back/past-answers.ts";
import type { BucketChange, LedgerState } from "./ledger-state.ts";
import { judgeChanges } from "./returns.ts";
import type { Spec, World } from "./world.ts";

/** What a merge would change of what main says now. */
export interface FileChange {
  readonly before: Spec;
  readonly after: Spec;
  readonly buckets: readonly BucketChange[];
  /** Buckets in which somebody would go forward. */
  readonly forward: ReadonlySet<string>;
  /** Something in `meshroll.yml` gets another value; another seed, too. */
  readonly settings: boolean;
  /** Paths of changed campaigns. */
  readonly campaigns: readonly string[];
  /** `rollouts.yml` is the only path that changes. */
  readonly isAlone: boolean;
  /** Changed paths that meshroll does not read. */
  readonly unread: readonly string[];
  /** `rollouts.yml` is the only path that changes, and every bucket goes back to what main had before. */
  readonly isReturn: boolean;
  /** `rollouts.yml` is the only path that changes, and it says afterwards what it says now. */
  readonly isNothing: boolean;
}

/** What a change is compared with: main, or, while main does not parse, the last commit that did. */
export function findBefore({ specs, main, ledger }: World): Spec | undefined {
  return specs.get(main.head) ?? specs.get(ledger?.judged ?? "");
}

/** Before `meshroll init`, and while main is rewritten, it is not known what main has had: everything is forward. */
function listForward(before: Spec, after: Spec): readonly BucketChange[] {
  const [old, now] = [printDistributions(before.rollouts), printDistributions(after.rollouts)];
  return changedBuckets(before.rollouts, after.rollouts).map((pattern) => {
    return { pattern, from: old.get(pattern) ?? "", to: now.get(pattern) ?? "", direction: "forward" };
  });
}

/**
 * Buckets that are set back, in which a known namespace would go forward all the same: its bucket comes or goes, and the one
 * that has it then says what main never asked of it, or went back from.
 */
function listForwardOfNamespaces(
  before: Spec,
  after: Spec,
  ledger: LedgerState,
  { clusters }: World,
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

function findForward(buckets: readonly BucketChange[], before: Spec, after: Spec, world: World): ReadonlySet<string> {
  const forward = buckets.flatMap(({ pattern, direction }) => (direction === "forward" ? [pattern] : []));
  if (world.ledger === undefined || forward.length === buckets.length) return new Set(forward);
  const ofNamespaces = listForwardOfNamespaces(before, after, world.ledger, world);
  return new Set([...forward, ...buckets.flatMap(({ pattern }) => (ofNamespaces.has(pattern) ? [pattern] : []))]);
}

export function describeChange(
  merged: Extract<MergedFiles, { readonly kind: "files" }>,
  before: Spec,
  world: World,
): FileChange | undefined {
  if (!merged.compiled.ok) return undefined;
  const after = merged.compiled.spec;
  const { ledger, main } = world;
  const buckets =
    ledger === undefined || !main.contained ? listForward(before, after) : judgeChanges(ledger, before, after);
  const forward = findForward(buckets, before, after, world);
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
    isReturn: buckets.length > 0 && forward.size === 0 && isAlone,
    isNothing: buckets.length === 0 && isAlone,
  };
}
