import { type Proposal, type RunRecord, type Spec, willRestart } from "#libs/plan";
import { countMigrating, printReplicas } from "#libs/wording";

import { printForward } from "./forward-rollback.ts";
import type { RollbackPreview } from "./preview-rollback.ts";
import type { RollbackSubject } from "./rollback-subject.ts";

function printShares({ rollouts }: Spec, pattern: string): string {
  const shares = rollouts.buckets.find((bucket) => bucket.pattern === pattern)?.shares;
  const used = shares?.filter(({ weight }) => weight > 0).map(({ revision, weight }) => `${revision} ${weight} %`);
  return used?.join(", ") ?? "not in the file";
}

function count(amount: number, word: string): string {
  return `${amount} ${word}${amount === 1 ? "" : "s"}`;
}

/** Workloads that restart, and namespaces in which nothing had moved. */
function countMoves({ moves, clusters, namespaces }: Proposal) {
  const { workloads, ...replicas } = countMigrating({ clusters });
  const back = moves.filter((move) => move.workloads.some(willRestart)).length;
  return { workloads, replicas, back, stay: namespaces - back };
}

function printMoving(way: "back" | "forward", moved: number): string {
  if (way === "back") return moved === 1 ? "rolls back" : "roll back";
  return moved === 1 ? "goes forward" : "go forward";
}

function printKnown(
  run: RunRecord,
  { head, after, proposal, batchSize }: Extract<RollbackPreview, { readonly kind: "known" }>,
  way: "back" | "forward",
): readonly string[] {
  const { workloads, replicas, back, stay } = countMoves(proposal);
  const forward = run.changes.filter(({ direction }) => direction === "forward").map(({ pattern }) => pattern);
  return [
    ...forward.map((pattern) => `  ${pattern}: ${printShares(head, pattern)} → ${printShares(after, pattern)}`),
    `  ${count(back, "namespace")} ${printMoving(way, back)}, ` +
      `${count(workloads, "workload")} restart${workloads === 1 ? "s" : ""} (${printReplicas(replicas)}), ` +
      `${batchSize} of a cluster at a time`,
    `  nothing happens in the other ${count(stay, "namespace")}`,
  ];
}

function printEffect(preview: RollbackPreview, { record, forward }: RollbackSubject): readonly string[] {
  switch (preview.kind) {
    case "known":
      return record === undefined ? [] : printKnown(record, preview, forward === undefined ? "back" : "forward");
    case "said":
      return ["  main is rolled back already: workloads that differ roll back, no pull request is needed"];
    case "unknown":
      return [`  ! what rolls back cannot be shown: ${preview.why}`];
  }
}

/** The text about a rollback before it is confirmed. */
export function printRollback(subject: RollbackSubject, preview: RollbackPreview, isNow: boolean): readonly string[] {
  const { run, record } = subject;
  const stage = record?.stage === undefined ? "" : `, stage ${record.stage} of ${record.campaign ?? ""}`;
  const what = record === undefined ? "" : `${stage}: ${record.subject} (${record.author})`;
  const way = isNow
    ? "  at once, before main changes; the pull request follows"
    : `  by a pull request on meshroll/rollback/${run} that merges itself when it is green`;
  const rules = [
    ...(preview.kind === "said" ? [] : [way]),
    "  windows and freezes do not apply; a hold stays on the rolled-back buckets until a person ends it",
  ];
  return [
    `Undo run ${run}${what}`,
    ...(subject.revertTo === undefined
      ? []
      : [`  back to ${subject.revertTo.slice(0, 12)}, before the campaign's first run`]),
    ...printEffect(preview, subject),
    ...(subject.forward === undefined
      ? rules
      : [
          ...printForward(subject.forward),
          `  by a pull request on meshroll/rollback/${run} that people approve and merge`,
        ]),
  ];
}
