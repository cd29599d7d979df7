import { code, escapeCell, joinParagraphs } from "../../markdown/cells.ts";
import { printPercent } from "../../gates/shares.ts";
import { printNumber, printTable } from "../../markdown/tables.ts";
import {
  countBack,
  countMigrating,
  printReplicas,
  printApplied,
  printRisks,
  printRunSize,
  type MoveWords,
  type ProposalWords,
} from "../proposal-words.ts";

/** Namespaces of a bucket on each revision, and the percentage in the file, before and after. */
interface BucketWords {
  readonly bucket: string;
  readonly namespaces: number;
  readonly moves: number;
  readonly back: number;
  readonly revisions: readonly {
    readonly revision: string;
    readonly before: number;
    readonly after: number;
    readonly requested: { readonly before: number; readonly after: number };
  }[];
}

/** A pull request's effect on the fleet. */
export interface MovesWords {
  readonly proposal: ProposalWords;
  /** Buckets that change, or in which something moves. */
  readonly buckets: readonly BucketWords[];
  /** Digest of the exact list. */
  readonly digest: string;
}

/** Namespaces that are shown; the list has all of them (rules 10.2). */
const shownMoves = 100;

/** Requested and actual share together: hashing does not meet a percentage exactly. */
function printShares({ revisions, namespaces }: BucketWords): string {
  const shares = revisions.map(({ revision, before, after, requested }) => {
    const actual = [before, after].map((count) => printPercent(count, namespaces));
    return `${code(revision)} ${requested.before} → ${requested.after} % (actual ${actual.join(" → ")} %)`;
  });
  return shares.join("<br>");
}

function printBuckets({ buckets }: MovesWords): string {
  const rows = buckets.map((bucket) => [
    code(bucket.bucket),
    ...[bucket.namespaces, bucket.moves, bucket.back].map(printNumber),
    printShares(bucket),
  ]);
  return printTable(["bucket", "namespaces", "move", "rollback", "requested and actual"], rows);
}

function printClusters({ clusters }: ProposalWords): string {
  const rows = clusters.map(({ cluster, namespaces, workloads, pods }) => [
    escapeCell(cluster),
    ...[namespaces, workloads, pods].map(printNumber),
  ]);
  return printTable(["cluster", "namespaces", "workloads", "pods"], rows);
}

function printNamespaces(moves: readonly MoveWords[]): string {
  if (moves.length === 0) return "";
  const rows = moves.slice(0, shownMoves).map(({ namespace, from, to, workloads }) => {
    const clusters = [...new Set(workloads.map(({ cluster }) => cluster))].join(", ");
    return [code(namespace), code(from), code(to), printNumber(workloads.length), escapeCell(clusters)];
  });
  const more = moves.length > shownMoves ? `, the first ${shownMoves} of ${printNumber(moves.length)}` : "";
  const table = printTable(["namespace", "from", "to", "workloads", "clusters"], rows);
  return `<details><summary>Namespaces that move${more}</summary>\n\n${table}\n\n</details>`;
}

/** As tables for people. */
export function printMoves(words: MovesWords): string {
  const { proposal, digest } = words;
  const { workloads, ...replicas } = countMigrating(proposal);
  const head =
    `Moves **${printNumber(proposal.moves.length)} of ${printNumber(proposal.namespaces)}** managed namespaces: ` +
    `${printNumber(workloads)} workloads, ${printReplicas(replicas)}. ${printNumber(countBack(proposal))} move back.`;
  return joinParagraphs(
    head,
    printBuckets(words),
    printClusters(proposal),
    printRunSize(proposal.counts),
    printRisks(proposal),
    printApplied(proposal),
    printNamespaces(proposal.moves),
    proposal.moves.length === 0 ? "" : `<sub>The exact list has the digest \`${digest}\`.</sub>`,
  );
}

export function titleMoves({ proposal }: MovesWords): string {
  const { workloads, ...replicas } = countMigrating(proposal);
  return `${proposal.moves.length} of ${proposal.namespaces} namespaces move: ${workloads} workloads, ${printReplicas(replicas)}`;
}
