import { annotationKeys, hasMigratedOnce, judgeMigration, parseAnnotations, type Workload } from "#libs/fleet";

import { findOwnWrite } from "../writes/find-own-write.ts";
import type { Planned } from "../writes/object-change.ts";

/** The target of a move: the revision or tag in main, and the revision that it stands for. */
interface Destination {
  readonly desired: string;
  readonly target: string;
}

/**
 * The annotation that the last move is complete. It repeats the value of `run`, so that the next move makes it void without
 * changing it. A workload without pods gets none.
 */
export function planArrivalMark(workload: Workload, { desired, target }: Destination): Planned {
  const { annotations, resourceVersion } = workload;
  const marks = parseAnnotations(workload);
  const { [annotationKeys.run]: run, [annotationKeys.arrived]: arrived } = annotations;
  // If another field manager wrote the same value, a patch would change nothing and take no ownership.
  if (marks.kind === "unreadable" || run === undefined || arrived === run)
    return { kind: "nothing", why: "it is marked" };
  if (findOwnWrite(workload)?.run.target !== desired) return { kind: "nothing", why: "it has no write of meshroll" };
  const isThrough = judgeMigration(workload, target).kind === "migrated" || hasMigratedOnce(workload, target);
  if (!isThrough) return { kind: "nothing", why: "its pods are not all on the target" };
  return { kind: "write", change: { isRecord: true, resourceVersion, annotations: { [annotationKeys.arrived]: run } } };
}
