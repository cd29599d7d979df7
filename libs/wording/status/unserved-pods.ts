import type { Reason } from "../reasons/reason.ts";
import { count as printCount } from "../reasons/wording.ts";
import { nameRestartWay } from "./skipped-ways.ts";
import { quoteForShell } from "../resume-command.ts";
import { printEnd, printObstacle, shortenList } from "./not-put-back.ts";

/**
 * Workloads (`namespace/Kind/name 1/3`: so many of its pods) without a sidecar, or with one of a revision that is not served.
 */
export interface UnservedGroup {
  readonly workloads: readonly string[];
  readonly obstacle?: Reason;
  /** Their owners took away the label that a move wrote. */
  readonly isTaken?: true;
}

function countWorkloads({ workloads: { length } }: UnservedGroup): string {
  return length === 1 ? "1 workload has" : `${length} workloads have`;
}

/** The sentence about their pods, the workloads, who can change it, and the command. */
export function printUnservedPods(cluster: string, group: UnservedGroup): string {
  const { workloads, obstacle } = group;
  const names = shortenList(workloads);
  if (obstacle !== undefined)
    return `${printObstacle(obstacle)}, and ${countWorkloads(group)} pods with its sidecar: ${names}; ${printEnd(obstacle)}`;
  const [first = ""] = workloads;
  if (group.isTaken === true) {
    const [name = ""] = first.split(" ");
    return (
      `NoSidecar: ${countWorkloads(group)} pods without a sidecar, because their owners' deploys took the label away: ${names}; ` +
      `meshroll converge ${quoteForShell(`${cluster}:${name}`)} --reason "…"`
    );
  }
  const [namespace = "", kind = "", name = ""] = (first.split(" ")[0] ?? "").split("/");
  return (
    `NoSidecar: ${countWorkloads(group)} pods without a sidecar: ${names}; their owners, once what their labels name is served: ` +
    `${nameRestartWay({ namespace, kind, name })} # in cluster ${cluster}`
  );
}

/** The same for one workload, in a few words. */
export function printUnserved(
  bare: number,
  left: readonly { readonly count: number; readonly obstacle: Reason }[],
): string {
  const parts = left.map(
    ({ count, obstacle }) =>
      `${printCount(count, "pod")} on a revision that is not served (${printObstacle(obstacle)})`,
  );
  return [...(bare === 0 ? [] : [`${printCount(bare, "pod")} without a sidecar`]), ...parts].join(", ");
}
