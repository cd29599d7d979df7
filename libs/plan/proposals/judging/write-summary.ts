import type { Spec } from "../../records/index.ts";
import type { FileChange } from "./judge-change.ts";
import { code, escapeCell } from "./pull-request-facts.ts";
import type { BucketCounts, Move, Proposal } from "../proposal.ts";
import { printNumber, printPercent, printRisks, printTable } from "../print-tables.ts";

/** As many namespaces as are shown; the list has them all (rules 10.2). */
const shownMoves = 100;

/** Who is restarted: those that are there already or stay skipped are not. */
export function countMigrating({ clusters }: Proposal): { readonly workloads: number; readonly pods: number } {
  return {
    workloads: clusters.reduce((sum, each) => sum + each.workloads, 0),
    pods: clusters.reduce((sum, each) => sum + each.pods, 0),
  };
}

/**
 * The exact list of who is restarted: namespace, bucket, from, to, cluster, workload; sorted, tab-separated, a line end behind
 * each (rules 10.2). Who is there already or stays skipped is not on it, as in the counts.
 */
export function printMoveList({ moves }: Proposal): string {
  const lines = moves.flatMap(({ namespace, bucket, from, to, workloads }) =>
    workloads
      .filter(({ isMigrated, skipped }) => !isMigrated && skipped === undefined)
      .map(({ cluster, workload }) => [namespace, bucket, from, to, cluster, workload].join("\t")),
  );
  return lines
    .toSorted()
    .map((line) => `${line}\n`)
    .join("");
}

/** Whole percent that a file gives a revision in a bucket. */
export function findWeight({ rollouts }: Spec, pattern: string, revision: string): number {
  const bucket = rollouts.buckets.find((each) => each.pattern === pattern);
  return bucket?.shares.find((share) => share.revision === revision)?.weight ?? 0;
}

/** Asked and actual, always together: hashing does not hit a percentage exactly. */
function printShares(bucket: BucketCounts, { before, after }: FileChange): string {
  const shares = bucket.revisions.map(({ revision, before: had, after: has }) => {
    const asked = [before, after].map((spec) => findWeight(spec, bucket.bucket, revision));
    const actual = [had, has].map((count) => printPercent(count, bucket.namespaces));
    return `${code(revision)} ${asked.join(" → ")} % (actual ${actual.join(" → ")} %)`;
  });
  return shares.join("<br>");
}

function printBuckets({ buckets }: Proposal, change: FileChange): string {
  const changed = new Set(change.buckets.map(({ pattern }) => pattern));
  const rows = buckets
    .filter(({ bucket, moves }) => moves > 0 || changed.has(bucket))
    .map((bucket) => [
      code(bucket.bucket),
      printNumber(bucket.namespaces),
      printNumber(bucket.moves),
      printNumber(bucket.back),
      printShares(bucket, change),
    ]);
  return printTable(["bucket", "namespaces", "move", "rollback", "asked and actual"], rows);
}

function printClusters({ clusters }: Proposal): string {
  const rows = clusters.map(({ cluster, namespaces, workloads, pods }) => [
    escapeCell(cluster),
    ...[namespaces, workloads, pods].map(printNumber),
  ]);
  return printTable(["cluster", "namespaces", "workloads", "pods"], rows);
}

function printMoves(moves: readonly Move[]): string {
  if (moves.length === 0) return "";
  const rows = moves.slice(0, shownMoves).map(({ namespace, from, to, workloads }) => {
    const clusters = [...new Set(workloads.map(({ cluster }) => cluster))].join(", ");
    return [code(namespace), code(from), code(to), printNumber(workloads.length), escapeCell(clusters)];
  });
  const more = moves.length > shownMoves ? `, the first ${shownMoves} of ${printNumber(moves.length)}` : "";
  const table = printTable(["namespace", "from", "to", "workloads", "clusters"], rows);
  return `<details><summary>Who moves${more}</summary>\n\n${table}\n\n</details>`;
}

/** The pull request's effect on the fleet, as a table for people (ux §4.1). */
export function printProposal(proposal: Proposal, change: FileChange, digest: string): string {
  const { workloads, pods } = countMigrating(proposal);
  const back = proposal.buckets.reduce((sum, bucket) => sum + bucket.back, 0);
  const head =
    `Moves **${printNumber(proposal.moves.length)} of ${printNumber(proposal.namespaces)}** managed namespaces: ` +
    `${printNumber(workloads)} workloads, ${printNumber(pods)} pods. ${printNumber(back)} move back.`;
  const list = proposal.moves.length === 0 ? "" : `<sub>The exact list has the digest \`${digest}\`.</sub>`;
  const parts = [
    head,
    printBuckets(proposal, change),
    printClusters(proposal),
    printRisks(proposal),
    printMoves(proposal.moves),
    list,
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}
