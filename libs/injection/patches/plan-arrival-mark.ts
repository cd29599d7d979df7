import { annotationKeys, hasMigratedOnce, judgeMigration, parseAnnotations, type Workload } from "#libs/fleet";

import { findOwnWrite } from "../writes/find-own-write.ts";
import type { Planned } from "../writes/object-change.ts";

/** Where a move goes: the revision or tag that main wants, and the revision which that is. */
interface Destination {
  readonly desired: string;
  readonly target: string;
}

/**
 * The mark that what our last write asked for was seen to be through. It repeats the mark of that write, so that the next write
 * makes it void without a change of its own. A workload without pods proves nothing.
 */
export function planArrivalMark(workload: Workload, { desired, target }: Destination): Planned {
  const { annotations, resourceVersion } = workload;
  const marks = parseAnnotations(workload);
  const { [annotationKeys.run]: run, [annotationKeys.arrived]: arrived } = annotations;
  // The same value in another hand stays in that hand: a patch that changes nothing takes no ownership.
  if (marks.kind === "unreadable" || run === undefined || arrived === run)
    return { kind: "nothing", why: "it is marked" };
  if (findOwnWrite(workload)?.run.target !== desired) return { kind: "nothing", why: "no write of meshroll stands" };
  const isThrough = judgeMigration(workload, target).kind === "migrated" || hasMigratedOnce(workload, target);
  if (!isThrough) return { kind: "nothing", why: "its pods are not all on the target" };
  return { kind: "write", change: { isRecord: true, resourceVersion, annotations: { [annotationKeys.arrived]: run } } };
}
