import type { KeyValue } from "#libs/bus";

/** The commit that each cluster runs, so that the deployment before it can be set to inactive. It may be lost. */
export interface Environments {
  /** Returns the earlier commit, where it is another one. */
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
