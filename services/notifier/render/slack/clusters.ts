import type { Content } from "#libs/chat";
import type { EventData } from "#libs/events";

import type { Group } from "../../facts/group.ts";
import { listGroup } from "./group-lines.ts";
import { clipLines, printMrkdwnTime, quoteMrkdwn } from "../mrkdwn.ts";

/** A line about a cluster that is not seen. */
export function renderClusterLine({ cluster, since }: EventData<"clusterUnreachable">): string {
  return `${quoteMrkdwn(cluster, 60)} since ${printMrkdwnTime(since)}`;
}

/** Clusters that are not seen: nothing moves there, and no run of theirs ends. */
export function renderClusters(group: Group): Content {
  const lines = [
    ":satellite_antenna: *Not seen: nothing moves there, and the run does not end without it*",
    ...listGroup(group),
    `*Look at* the cluster's executor: ${quoteMrkdwn("meshroll status")}`,
  ];
  return { text: "A cluster is not seen any more.", blocks: [{ kind: "section", text: clipLines(lines, 3000) }] };
}

/** Clusters whose wave opened after the run had begun. */
export function renderWaves(group: Group): Content {
  const lines = [":ocean: *Wave opened*", ...listGroup(group)];
  return { text: "A wave opened.", blocks: [{ kind: "section", text: clipLines(lines, 3000) }] };
}

/** Clusters without workloads of the run left. */
export function renderWavesEnded(group: Group): Content {
  const lines = [":checkered_flag: *Wave done: nothing of the run is left here*", ...listGroup(group)];
  return { text: "A wave is done.", blocks: [{ kind: "section", text: clipLines(lines, 3000) }] };
}
