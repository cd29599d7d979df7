import { nameResume } from "#libs/wording";

import type { Spec } from "../../records/index.ts";
import { code, escapeCell, fitTitle } from "../judging/pull-request-facts.ts";
import type { RequestedRollback } from "./propose-rollback.ts";
import type { Proposal } from "../proposal.ts";

/** What people read on a rollback's pull request; nothing of it is ever read back. */
export interface RollbackText {
  readonly title: string;
  readonly body: string;
}

function printShares({ rollouts }: Spec, pattern: string): string {
  const bucket = rollouts.buckets.find((each) => each.pattern === pattern);
  const shares = bucket?.shares
    .filter(({ weight }) => weight > 0)
    .map(({ revision, weight }) => `${revision} ${weight} %`);
  return shares === undefined ? "not in the file" : shares.join(", ");
}

/** Title and body of the pull request that brings a run's buckets back; `proposal` counts whom that moves. */
export function describeRollback(
  asked: RequestedRollback,
  buckets: readonly string[],
  now: Spec,
  then: Spec,
  proposal: Proposal,
): RollbackText {
  const { stop, run, to } = asked;
  const [first = ""] = buckets;
  const more = buckets.length > 1 ? ` and ${buckets.length - 1} more` : "";
  const title = fitTitle(`rollback(${run.id}): ${first} back to ${printShares(then, first)}${more}: ${stop.why}`);
  const rows = buckets.map(
    (pattern) => `| ${code(pattern)} | ${printShares(now, pattern)} | ${printShares(then, pattern)} |`,
  );
  const workloads = proposal.clusters.reduce((sum, each) => sum + each.workloads, 0);
  const begun = stop.now === true ? " They are rolled back already, before this is merged (`--now`)." : "";
  const holds = buckets.map(
    (pattern) => `\`${nameResume({ id: "", scope: `bucket/${pattern}`, strength: "move", rollbackOf: run.id })}\``,
  );
  const body = [
    `Rolls back run ${code(run.id)} (${escapeCell(run.subject)}, by ${escapeCell(run.author)}) ` +
      `to what main said at ${code(to.slice(0, 12))}.`,
    `Asked by **${escapeCell(stop.who)}** at ${stop.at}: ${escapeCell(stop.why)}`,
    ["| bucket | now | rolled back to |", "|---|---|---|", ...rows].join("\n"),
    `Moves ${proposal.moves.length} of ${proposal.namespaces} managed namespaces: ${workloads} workloads.${begun}`,
    "### What happens",
    [
      "- **Now:** it needs 0 approvals, and nothing holds it. meshroll merges it when `meshroll/plan` and `meshroll/approvals` are green.",
      "- **Then:** its workloads are rolled back in batches; windows, freezes and bakes do not count.",
      `- **Afterwards:** what was rolled back does not go forward again until a person ends the hold: ${holds.join(", ")}`,
      `- **Not this way:** close it. It is not opened again, and \`${nameResume(stop)}\` ends the rollback.`,
    ].join("\n"),
  ].join("\n\n");
  return { title, body };
}
