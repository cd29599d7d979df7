import type { ManagedAnswer } from "#libs/campaign";
import { type NamespaceInventory, parseAnnotations, type ReadAnnotations, type Workload } from "#libs/fleet";
import type { Site, Touched } from "#libs/injection";

import type { ClusterSnapshot, Spec } from "../../records/index.ts";
import type { Ownership } from "../ownership.ts";

/** What all workloads of a cluster are judged by. */
export interface JudgeContext {
  readonly cluster: Pick<ClusterSnapshot, "name" | "facts">;
  readonly head: Spec;
  readonly ownerOf: (namespace: string) => Ownership;
  readonly now: number;
  /** `now`-time since when workloads wait for their owner, by `cluster:namespace/Kind/name`; empty where no process watched. */
  readonly waitingSince: ReadonlyMap<string, number>;
}

/** What is judged once for all workloads of a namespace. */
export interface NamespaceCase extends Omit<JudgeContext, "ownerOf"> {
  readonly inventory: Pick<NamespaceInventory, "namespace">;
  readonly owned: Ownership;
  readonly isManaged: ManagedAnswer;
  /** What its marks say of all its workloads. */
  readonly marked: ObjectWithAnnotations;
  /** Pattern of the bucket that decides its answer. */
  readonly bucket: string;
  /** We changed its label for what is desired. */
  readonly namespaceBegun: boolean;
  /** Who is touched by its label and not moved. */
  readonly touched: readonly Touched[];
}

/** One workload, and all that it is judged by. */
export interface Case extends NamespaceCase {
  readonly workload: Workload;
  readonly site: Site;
  readonly key: string;
  /** Its marks, with what was refused of them. */
  readonly own: ReadAnnotations;
}

const nothingRead: ReadAnnotations = { kind: "read", sail: {} };

/** Our annotations; none where a person broke them: those are refused before anything is read off them. */
export function readOrNone(object: Workload | NamespaceInventory["namespace"]): ReadAnnotations {
  const marks = parseAnnotations(object);
  return marks.kind === "read" ? marks : nothingRead;
}

/** Where a mark may stand, and the name under which people see it. */
export interface ObjectWithAnnotations {
  readonly marks: ReadAnnotations;
  readonly name: string;
  readonly isNamespace: boolean;
}
