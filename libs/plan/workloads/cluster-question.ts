import type { ClusterSnapshot, Spec } from "../records/index.ts";
import type { Ownership } from "./ownership.ts";

/** What one cluster is judged by. */
export interface ClusterQuestion {
  readonly cluster: ClusterSnapshot;
  readonly head: Spec;
  readonly ownerOf: (namespace: string) => Ownership;
  readonly now: number;
  /** The same map while nothing in it changed: then nothing that waits is judged again. */
  readonly waitingSince: ReadonlyMap<string, number>;
}
