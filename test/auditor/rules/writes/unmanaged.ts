import { movesGateways } from "../../reading/files/settings.ts";
import { isDone, isOurs } from "../../reading/writes/hands.ts";
import { whyUnmanaged } from "../../reading/writes/managed.ts";
import { followObjects } from "../../reading/writes/replay.ts";
import { makeRule } from "../rule.ts";

/** Our own objects in a cluster: recording a stop there moves nothing. */
const ownPlaces = /^\/api\/v1\/namespaces(?:\/meshroll-system\/configmaps(?:\/meshroll-recorded-stops)?)?$/u;

/** A workload that is not in the mesh, opted out, or the platform's is never written. */
export const unmanagedUntouched = makeRule("unmanagedUntouched", (evidence, found) => {
  for (const cluster of evidence.clusters) {
    const objectAt = followObjects(cluster);
    for (const write of cluster.writes) {
      if (!isOurs(write) || !isDone(write) || ownPlaces.test(write.path)) continue;
      found.judge();
      // A gateway that was moved while main allowed it may be undone later.
      const gateways = evidence.main.some((commit) => commit.at <= write.at && movesGateways(commit));
      const why = whyUnmanaged(write.path, objectAt(write.path, write.version), gateways);
      if (why !== undefined) found.refuse(cluster.name, write.path, `written although ${why}`);
    }
  }
});
