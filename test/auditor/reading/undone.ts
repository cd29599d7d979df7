import type { AuditedCluster } from "../evidence/evidence.ts";
import type { Move } from "./moves.ts";
import { readTarget } from "./replay.ts";

/**
 * When no pod ran any more what an undo takes back: it goes through the pods until then. Whether those that stay are ready is no
 * matter of the undo, but counts as lacking pods. Undefined for any other move, and while such pods are there.
 */
export function findUndone({ pods }: AuditedCluster, move: Move | undefined): number | undefined {
  if (move?.way !== "undo") return undefined;
  const undone = readTarget({ ...move, before: move.after, after: move.before });
  if (undone === undefined) return undefined;
  return pods.find(({ at, path, revisions }) => path === move.path && at > move.at && !revisions.includes(undone))?.at;
}
