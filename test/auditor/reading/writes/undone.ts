import type { AuditedCluster } from "../../evidence/evidence.ts";
import { dig } from "../files/dig.ts";
import { isDone, isOurs } from "./hands.ts";
import type { Move } from "./moves.ts";
import { readTarget } from "./replay.ts";

/**
 * When no pod ran any more what an undo undoes: it goes through the pods until then. Whether those that stay are ready is no
 * matter of the undo, but counts as lacking pods. Undefined for any other move, and while such pods are there.
 */
export function findUndone({ pods }: AuditedCluster, move: Move | undefined): number | undefined {
  if (move?.way !== "undo") return undefined;
  const undone = readTarget({ ...move, before: move.after, after: move.before });
  if (undone === undefined) return undefined;
  return pods.find(({ at, path, revisions }) => path === move.path && at > move.at && !revisions.includes(undone))?.at;
}

/**
 * When a move was through that its owner deployed into: from the time on when every pod ran the move's target what still rolls is the
 * owner's. Undefined where no deploy by its owner since, and before that time.
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
