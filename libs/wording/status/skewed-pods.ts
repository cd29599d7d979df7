import { shortenList } from "./not-put-back.ts";

/** Workloads (`namespace/Kind/name 1/3`: so many of its pods) with a proxy of one version, far from their istiod's. */
export interface SkewedGroup {
  readonly workloads: readonly string[];
  readonly revision: string;
  readonly proxy: string;
  readonly istiod: string;
}

/** The sentence about them, the workloads, who can change it, and the command. */
export function printSkewedPods(cluster: string, { workloads, revision, proxy, istiod }: SkewedGroup): string {
  const who = workloads.length === 1 ? "1 workload has" : `${workloads.length} workloads have`;
  const [first = ""] = workloads;
  const [namespace = "", kind = "", name = ""] = (first.split(" ")[0] ?? "").split("/");
  return (
    `ProxySkew: ${who} pods with a proxy ${proxy}, more than one minor from istiod ${istiod} of ${revision}: ${shortenList(workloads)}; ` +
    "their owners, once nothing pins its image: " +
    `kubectl -n ${namespace} rollout restart ${kind.toLowerCase()}/${name} # in cluster ${cluster}`
  );
}
