import type { AuditedCluster } from "../../evidence/evidence.ts";
import { digPart } from "../files/dig.ts";
import { isDone, isOurs } from "./hands.ts";
import type { Move } from "./moves.ts";

/**
 * When a move was marked as failed: from then on it is not left of its run, however long its undo rolls (rules 3.1). A workload
 * that was restarted for its namespace's label fails with the namespace, which is marked first (rules 5.2). Epoch ms; undefined
 * where no mark names its target.
 */
export function findFailed({ writes }: AuditedCluster, { path, namespace, write, target, before, after }: Move) {
  const isRestart = before.label === after.label;
  const paths = isRestart ? [path, `/api/v1/namespaces/${namespace}`] : [path];
  return writes.find((each) => {
    const mark = digPart(each.body, "metadata", "annotations")["meshroll.dev/failed"];
    const isMark = typeof mark === "string" && mark.split(" ")[0] === target;
    return isMark && paths.includes(each.path) && each.version > write.version && isDone(each) && isOurs(each);
  })?.at;
}
