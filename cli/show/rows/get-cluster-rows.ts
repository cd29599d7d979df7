import type { FleetStatus } from "#libs/plan";

import { clusterHeader, listClusterCells } from "../status/print-status.ts";
import type { Listing, Row } from "../listing.ts";

type ClusterStatus = FleetStatus["clusters"][number];

function makeRow(each: ClusterStatus): Row {
  const { name, workloads, unmanaged, onDesired, revisions = [], failures, skipped, problems } = each;
  const counted = onDesired === undefined ? "-" : `${onDesired}/${workloads - unmanaged}`;
  const [failed, left] = [failures, skipped].map((list) => (list === undefined ? "-" : String(list.count)));
  return {
    name,
    cells: [...listClusterCells(each), counted, revisions.join(",") || "-"],
    wide: [failed ?? "-", left ?? "-", problems.join("; ") || "-"],
    item: each,
  };
}

/** Every cluster that an executor serves, with the figures of `status`. */
export function listClusters({ clusters }: FleetStatus, name: string | undefined): Listing {
  return {
    kind: "ClusterStatusList",
    prefix: "cluster",
    header: [...clusterHeader, "ON-DESIRED", "REVISIONS"],
    spare: ["NS", "REVISIONS", "MODE", "MANAGED", "DRIFT", "UNHEALTHY"],
    wideHeader: ["FAILED", "SKIPPED", "PROBLEMS"],
    rows: clusters.filter((each) => name === undefined || each.name === name).map(makeRow),
  };
}
