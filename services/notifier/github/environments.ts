import type { KeyValue } from "#libs/bus";

/** The commit last deployed to each cluster, so that its deployment can be set to inactive. It may be lost. */
export interface Environments {
  /** Sets the cluster's commit; returns the earlier one where it differs. */
  succeed(cluster: string, commit: string): Promise<string | undefined>;
}

/** In KV `status`, key `told.environment.<cluster>`: the value is the commit's SHA. */
export function createEnvironments(bucket: KeyValue): Environments {
  return {
    async succeed(cluster, commit) {
      const key = `told.environment.${cluster}`;
      const before = (await bucket.get(key))?.value;
      if (before === commit) return undefined;
      await bucket.put(key, commit);
      return before === undefined || !/^[0-9a-f]{40}$/.test(before) ? undefined : before;
    },
  };
}
