import { type Proposal, type Spec, willRestart } from "#libs/plan";
import { countMigrating, printReplicas, printRisk, printRunSize, printWorkloadReason } from "#libs/wording";

import { printTable } from "../../text/table.ts";
import { wrapText } from "../../text/wrap-text.ts";

/** How many namespaces are listed before "and N more"; JSON has all of them. */
const shown = 100;

/** The change bucket by bucket. */
export function printFileDiff(before: Spec, after: Spec): readonly string[] {
  const sharesOf = (spec: Spec, pattern: string) =>
    spec.rollouts.buckets
      .find((bucket) => bucket.pattern === pattern)
      ?.shares.map(({ revision, weight }) => `${revision}: ${weight}`) ?? [];
  const patterns = new Set([...before.rollouts.buckets, ...after.rollouts.buckets].map(({ pattern }) => pattern));
  return [...patterns].flatMap((pattern) => {
    const [old, now] = [sharesOf(before, pattern), sharesOf(after, pattern)];
    const removed = old.filter((line) => !now.includes(line)).map((line) => `-  ${line}`);
    const added = now.filter((line) => !old.includes(line)).map((line) => `+  ${line}`);
    return removed.length + added.length === 0 ? [] : [` ${pattern}:`, ...removed, ...added];
  });
}

/** The namespaces that move, the first hundred, in rows of at most `width` columns. */
export function printMoves({ moves }: Pick<Proposal, "moves">, width: number): readonly string[] {
  const rows = moves.slice(0, shown).map(({ namespace, bucket, from, to, workloads }) => {
    const migrating = workloads.filter(willRestart);
    const clusters = [...new Set(workloads.map((each) => each.cluster))].join(",");
    return [namespace, bucket, `${from} → ${to}`, String(migrating.length), clusters];
  });
  const more = moves.length > shown ? [`… ${moves.length - shown} more (-o json has all)`] : [];
  return rows.length === 0
    ? []
    : [...printTable(["NAMESPACE", "BUCKET", "MOVES", "WORKLOADS", "CLUSTERS"], rows, width), ...more];
}

function printRisks({ moves }: Proposal, width: number): readonly string[] {
  const all = moves.flatMap(({ workloads }) => workloads);
  const skipped = all.flatMap(({ cluster, workload, skipped: reason }) =>
    reason === undefined ? [] : [`✖ ${cluster} ${workload}  skipped: ${printWorkloadReason(reason)}`],
  );
  const risky = all.flatMap(({ cluster, workload, risks, isMigrated }) =>
    isMigrated ? [] : risks.map((risk) => `! ${cluster} ${workload}  ${printRisk(risk)}`),
  );
  const lines = [...skipped, ...risky];
  const more = lines.length > shown ? [`… ${lines.length - shown} more (-o json has all)`] : [];
  return [...lines.slice(0, shown), ...more].flatMap((line) => wrapText(line, width));
}

function summarise(proposal: Proposal): string {
  const { moves, namespaces, buckets, clusters, counts } = proposal;
  if (moves.length === 0) return `no namespace moves: ${namespaces} namespaces keep their revision`;
  const back = buckets.reduce((sum, bucket) => sum + bucket.back, 0);
  const { workloads, ...replicas } = countMigrating({ clusters });
  const stay = namespaces - moves.length;
  const fewest =
    proposal.fewestPossible === moves.length
      ? "the fewest possible"
      : `${proposal.fewestPossible} would be the fewest possible`;
  return (
    `${moves.length} namespaces move, ${back} of them back, ${stay} stay: ${fewest}\n` +
    [`${workloads} workloads restart (${printReplicas(replicas)})`, printRunSize(counts)]
      .filter((line) => line !== "")
      .join("\n")
  );
}

/** The change of the file, who moves, where, and what may hurt; tables of at most `width` columns. */
export function printPlan(proposal: Proposal, before: Spec, after: Spec, width: number): string {
  const sections = [
    printFileDiff(before, after),
    printTable(
      ["BUCKET", "NAMESPACES", "MOVE", "BACK"],
      proposal.buckets.map((each) => [each.bucket, ...[each.namespaces, each.moves, each.back].map(String)]),
      width,
    ),
    proposal.clusters.length === 0
      ? []
      : printTable(
          ["CLUSTER", "NAMESPACES", "WORKLOADS", "PODS"],
          proposal.clusters.map((each) => [each.cluster, ...[each.namespaces, each.workloads, each.pods].map(String)]),
          width,
        ),
    printMoves(proposal, width),
    printRisks(proposal, width),
    [...proposal.findings, ...proposal.idlePatterns].map(({ code, severity, file, line, column, message, help }) => {
      const way = help === undefined ? "" : `\n   = help: ${help}`;
      return `${severity}[${code}]: ${message}\n  --> ${file}:${line}:${column}${way}`;
    }),
    [summarise(proposal)],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

/** As JSON; risks are sentences. */
export function listPlan(proposal: Proposal) {
  const list = (workload: Proposal["moves"][number]["workloads"][number]) => {
    return { ...workload, risks: workload.risks.map(printRisk) };
  };
  return { ...proposal, moves: proposal.moves.map((move) => ({ ...move, workloads: move.workloads.map(list) })) };
}
