import type { RevisionUsage } from "#libs/kube";
import type { LedgerState, Spec } from "#libs/plan";

/** One cluster's answer, or why there is none. */
export type ClusterUsage =
  | { readonly name: string; readonly usage: RevisionUsage }
  | { readonly name: string; readonly why: string };

/** Why meshroll could still bring workloads to the revision. */
export type WayBack =
  | { readonly kind: "bucket"; readonly bucket: string; readonly percent: number }
  /** `isTarget`: it moves there; else it moves away, and a rollback goes back there. */
  | { readonly kind: "campaign"; readonly campaign: string; readonly file: string; readonly isTarget: boolean }
  | { readonly kind: "run"; readonly run: string };

/** Whether a revision can be uninstalled. */
export interface Retirement {
  readonly revision: string;
  /** The commit of main that was read. */
  readonly main: string;
  readonly clusters: readonly ClusterUsage[];
  readonly waysBack: readonly WayBack[];
  readonly verdict: "retired" | "used" | "unknown";
}

function listBuckets(revision: string, { rollouts }: Spec): readonly WayBack[] {
  return rollouts.buckets.flatMap(({ pattern, shares }) =>
    shares
      .filter((share) => share.revision === revision && share.weight > 0)
      .map(({ weight }) => ({ kind: "bucket" as const, bucket: pattern, percent: weight })),
  );
}

/** A completed campaign that is not finished can still be rolled back. */
function listCampaigns(revision: string, { campaigns }: Spec): readonly WayBack[] {
  return [...campaigns.values()]
    .filter(({ target, replaces }) => target === revision || replaces.includes(revision))
    .map(({ name, file, target }) => ({ kind: "campaign", campaign: name, file, isTarget: target === revision }));
}

/** An open run can be rolled back to what main had before. */
function listRuns(ledger: LedgerState | undefined): readonly WayBack[] {
  return Object.values(ledger?.runs ?? {})
    .filter(({ state }) => state === "open")
    .map(({ id }) => ({ kind: "run", run: id }));
}

function isUnknown(each: ClusterUsage): boolean {
  return "why" in each || each.usage.unread.length > 0 || each.usage.readAt === undefined;
}

function isUsed(each: ClusterUsage): boolean {
  return "usage" in each && each.usage.uses.length > 0;
}

/** One user is enough for a "no"; for a "yes" everything must be known. */
function judge(clusters: readonly ClusterUsage[], waysBack: readonly WayBack[]): Retirement["verdict"] {
  if (waysBack.length > 0 || clusters.some(isUsed)) return "used";
  return clusters.length === 0 || clusters.some(isUnknown) ? "unknown" : "retired";
}

/** Judges by the present state of clusters, main and ledger. */
export function judgeRetirement(
  revision: string,
  clusters: readonly ClusterUsage[],
  { main, spec, ledger }: { readonly main: string; readonly spec: Spec; readonly ledger: LedgerState | undefined },
): Retirement {
  const waysBack = [...listBuckets(revision, spec), ...listCampaigns(revision, spec), ...listRuns(ledger)];
  return { revision, main, clusters, waysBack, verdict: judge(clusters, waysBack) };
}
