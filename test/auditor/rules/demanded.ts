import type { Evidence } from "../evidence/evidence.ts";
import { answerOf } from "../reading/assignment.ts";
import { headsAt, isUnreadableAt } from "../reading/heads.ts";
import { answerOfRevert, ledgerOf, listMoves, listReverts, type Move } from "../reading/moves.ts";
import { readTarget } from "../reading/replay.ts";
import { makeRule } from "./rule.ts";

function listAsked(evidence: Evidence, { at, namespace, runId }: Move): readonly (string | undefined)[] {
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
 * No write without a commit that the git server had as main's head by then: it asks for the target, or a rollback at once
 * of the run does, or the write is an undo.
 */
export const demanded = makeRule("demanded", (evidence, found) => {
  for (const move of listMoves(evidence)) {
    found.judge();
    const why = move.way === "undo" ? undefined : whyNotDemanded(evidence, move);
    if (why !== undefined) found.refuse(move.cluster.name, move.path, why);
  }
});

/** So many more tries than the first one a person's `retry` allowed the run on this workload. */
function countForgiven(evidence: Evidence, { runId, key }: Move): number {
  const retried = ledgerOf(evidence).runs.find(({ id }) => id === runId)?.retried ?? {};
  return Math.max(0, retried[key] ?? 0, retried[key.replace(/\/.*/u, "/*")] ?? 0);
}

/** An undo of what main does not ask for any more: the way back was main's, and not that of a failure. */
function isOverwritten(evidence: Evidence, move: Move): boolean {
  const undone = readTarget({ ...move, before: move.after, after: move.before });
  return move.way === "undo" && listAsked(evidence, move).some((revision) => revision !== undone);
}

/** A template by what makes it another one; a try that nobody forgave counts as the first one again. */
function nameTemplate(evidence: Evidence, move: Move, target: string): string {
  const attempt = move.attempt - 1 <= countForgiven(evidence, move) ? move.attempt : 1;
  return `${target} ${move.after.label} ${move.after.restartedFor} ${attempt}`;
}

/**
 * At most one template per (workload, target, retry): never restarted twice for one revision, unless main had it elsewhere
 * in between.
 */
export const restartedOnce = makeRule("restartedOnce", (evidence, found) => {
  const counts = new Map<string, ReadonlyMap<string, number>>();
  for (const move of listMoves(evidence)) {
    if (!move.isWorkload) continue;
    found.judge();
    const identity = `${move.cluster.name} ${move.identity}`;
    if (move.runId === "") {
      if (isOverwritten(evidence, move)) counts.delete(identity);
      continue;
    }
    const target = move.target ?? "";
    const template = nameTemplate(evidence, move, target);
    // A way there and back is two moves that main asked for: the third one repeats neither.
    const kept = [...(counts.get(identity) ?? [])].filter(([key]) => key.startsWith(`${target} `));
    const count = (new Map(kept).get(template) ?? 0) + 1;
    counts.set(identity, new Map([...kept, [template, count]]));
    if (count > 1) found.refuse(move.cluster.name, move.path, `restarted ${count} times for ${target}`);
  }
});
