import type { Finding, Rollouts } from "#libs/rollouts";

import type { Settings } from "./settings.ts";

/** MR3012 for each bucket of `meshroll.yml` that `rollouts.yml` does not have: what is written for it binds nothing. */
export function checkBuckets({ drift }: Pick<Settings, "drift">, rollouts: Rollouts, file: string): readonly Finding[] {
  const known = new Set(rollouts.buckets.map(({ pattern }) => pattern));
  return [...drift.buckets]
    .filter(([pattern]) => !known.has(pattern))
    .map(([pattern, { place }]) => {
      const message = `rollouts.yml has no bucket \`${pattern}\`: what is written for it has no effect`;
      const help = `buckets are named as rollouts.yml writes them: ${[...known].slice(0, 10).join(", ")}`;
      return { code: "MR3012", severity: "warning", file, ...place, message, help };
    });
}
