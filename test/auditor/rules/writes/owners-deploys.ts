import { groupPath, standIns } from "../../evidence/vm-groups.ts";
import type { AuditedCluster, AuditedWrite } from "../../evidence/evidence.ts";
import { dig, digPart } from "../../reading/files/dig.ts";
import { isDone, isOurs } from "../../reading/writes/hands.ts";
import { listMovesIn, type Move } from "../../reading/writes/moves.ts";
import { makeRule } from "../rule.ts";

/** True for the write that marks our revision as failed there. */
function isFailure({ write }: Move): boolean {
  return typeof digPart(write.body, "metadata", "annotations")["meshroll.dev/failed"] === "string";
}

function writesTemplate({ path, body }: AuditedWrite): boolean {
  if (groupPath.test(path)) return dig(body, "metadata", "annotations", standIns.labels.annotation) !== undefined;
  return dig(body, "spec", "template") !== undefined;
}

/** Its owner's last write to the template before that version. */
function findDeploy({ writes }: AuditedCluster, path: string, before: number): AuditedWrite | undefined {
  return writes.findLast((write) => {
    const isOwners = write.path === path && write.version < before && isDone(write) && !isOurs(write);
    return isOwners && writesTemplate(write);
  });
}

/** API servers record times in whole seconds: within one second it is unknown who wrote last. */
function isLaterSecond(later: number, earlier: number): boolean {
  return Math.floor(later / 1000) > Math.floor(earlier / 1000);
}

/** A workload that settled after our move and was deployed by its owner since is not undone as our failure. */
export const ownersDeployStands = makeRule("ownersDeployStands", (evidence, found) => {
  for (const cluster of evidence.clusters) {
    const moves = listMovesIn(evidence, cluster).filter(({ isWorkload }) => isWorkload);
    for (const undo of moves.filter((each) => each.way === "undo" && isFailure(each))) {
      const { path, write } = undo;
      const move = moves.findLast((each) => each.path === path && each.write.version < write.version);
      const deploy = findDeploy(cluster, path, write.version);
      if (move === undefined || deploy === undefined || !isLaterSecond(deploy.at, move.at)) continue;
      found.judge();
      const wasThrough = cluster.statuses.some(
        (each) =>
          each.path === path && each.settled && each.version >= move.write.version && each.version < deploy.version,
      );
      if (wasThrough)
        found.refuse(
          cluster.name,
          path,
          `is put back as failed, and its owner deployed at ${deploy.at} after it settled`,
        );
    }
  }
});
