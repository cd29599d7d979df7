import type { AuditedCluster } from "../../evidence/evidence.ts";
import { dig } from "../files/dig.ts";
import { isDone, isOurs } from "./hands.ts";
import type { Move } from "./moves.ts";
import { readTarget } from "./replay.ts";

/**
 * When no pod ran the undone revision any more: the undo is rolling until then. Pods that are not ready do not prolong it, but
 * count as lacking. Undefined for other moves, and while such pods are there.
 */
export function findUndone({ pods }: AuditedCluster, move: Move | undefined): number | undefined {
  if (move?.way !== "undo") return undefined;
  const undone = readTarget({ ...move, before: move.after, after: move.before });
  if (undone === undefined) return undefined;
  return pods.find(({ at, path, revisions }) => path === move.path && at > move.at && !revisions.includes(undone))?.at;
}

/**
 * When the rollout of a move became its owner's, who deployed into it: the later of that deploy and the time when every pod ran
 * the move's target. Undefined where either did not happen.
 */
export function findHandedOver({ pods, writes }: AuditedCluster, move: Move | undefined): number | undefined {
  if (move === undefined || move.target === undefined) return undefined;
  const { path, target, write } = move;
  const deploy = writes.find((each) => {
    const isLater = each.path === path && each.version > write.version;
    return isLater && isDone(each) && !isOurs(each) && dig(each.body, "spec", "template") !== undefined;
  });
  const through = pods.find((each) => each.path === path && each.at > move.at && each.revisions.join() === target);
  return deploy === undefined || through === undefined ? undefined : Math.max(deploy.at, through.at);
}
