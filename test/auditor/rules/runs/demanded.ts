import type { Evidence } from "../../evidence/evidence.ts";
import { answerOf } from "../../reading/files/assignment.ts";
import { headsAt, isUnreadableAt } from "../../reading/main/heads.ts";
import { answerOfRevert, listMoves, listReverts, type Move } from "../../reading/writes/moves.ts";
import { makeRule } from "../rule.ts";

/**
 * The revisions that the namespace may be moved to: by main's heads as an executor may have had them, and by rollbacks at once
 * of the run.
 */
export function listAsked(evidence: Evidence, { at, namespace, runId }: Move): readonly (string | undefined)[] {
  const merged = headsAt(evidence, at).map(({ rollouts, settings }) => answerOf(rollouts, settings, namespace));
  const reverted = listReverts(evidence, runId).map((stop) => answerOfRevert(evidence, stop, namespace));
  return [...reverted, ...merged];
}

function whyNotDemanded(evidence: Evidence, move: Move): string | undefined {
  const { target, way, at } = move;
  if (way === "forward" && isUnreadableAt(evidence, at)) return "moved forward while main cannot be read";
  const asked = listAsked(evidence, move);
  if (target !== undefined && asked.includes(target)) return undefined;
  const head = headsAt(evidence, at).at(-1)?.sha.slice(0, 12) ?? "no commit";
  return `moved to ${target ?? "nothing"} while main (${head}) asks for ${asked.at(-1) ?? "nothing"}`;
}

/**
 * Every write has a reason: a commit that the git server had as main's head by then asks for the target, or a rollback at once
 * of the run does, or it is an undo.
 */
export const demanded = makeRule("demanded", (evidence, found) => {
  for (const move of listMoves(evidence)) {
    found.judge();
    const why = move.way === "undo" ? undefined : whyNotDemanded(evidence, move);
    if (why !== undefined) found.refuse(move.cluster.name, move.path, why);
  }
});
