import type { ManagedAnswer } from "#libs/campaign";
import { type NamespaceInventory, readAnnotations, type ReadAnnotations, type Workload } from "#libs/fleet";
import type { Site, Touched } from "#libs/injection";

import type { ClusterSnapshot, Spec } from "../../records/index.ts";
import type { Ownership } from "../ownership.ts";

/** The facts for judging all workloads of a cluster. */
export interface JudgeContext {
  readonly cluster: Pick<ClusterSnapshot, "name" | "facts">;
  readonly head: Spec;
  readonly ownerOf: (namespace: string) => Ownership;
  readonly now: number;
  /** Since when workloads wait for their owner, by `cluster:namespace/Kind/name`; empty where no process observed. */
  readonly waitingSince: ReadonlyMap<string, number>;
}

/** The facts for judging all workloads of a namespace. */
export interface NamespaceCase extends Omit<JudgeContext, "ownerOf"> {
  readonly inventory: Pick<NamespaceInventory, "namespace">;
  readonly owned: Ownership;
  readonly isManaged: ManagedAnswer;
  /** Its annotations, which concern all its workloads. */
  readonly marked: ObjectWithAnnotations;
  /** Pattern of the bucket that decides its desired revision. */
  readonly bucket: string;
  /** We changed its label to the desired revision. */
  readonly namespaceBegun: boolean;
  /** Workloads that its label affects and that are not moved. */
  readonly touched: readonly Touched[];
}

/** One workload, and the facts for judging it. */
export interface Case extends NamespaceCase {
  readonly workload: Workload;
  readonly site: Site;
  readonly key: string;
  /** Its annotations, with a refused move added. */
  readonly own: ReadAnnotations;
}

const nothingRead: ReadAnnotations = { kind: "read", sail: {} };

/** Our annotations; empty where they are damaged: such objects are refused before. */
export function readOrNone(object: Workload | NamespaceInventory["namespace"]): ReadAnnotations {
  return readAnnotations(object) ?? nothingRead;
}

/** An object that can have our annotations, and its name for people. */
export interface ObjectWithAnnotations {
  readonly marks: ReadAnnotations;
  readonly name: string;
  readonly isNamespace: boolean;
}
