import type { Finding, Rollouts } from "#libs/rollouts";

import { locateSeed } from "./seed-place.ts";
import type { Settings } from "./settings.ts";

interface Assigned {
  readonly rollouts: Rollouts;
  readonly settings: Pick<Settings, "seed">;
}

/**
 * MR2008: a new seed draws the order in which namespaces move again. While a bucket is split between revisions that moves many of
 * them at once, in both directions; while each is at one revision it moves none, and is allowed.
 */
export function checkSeed(before: Assigned, after: Assigned, file: string): readonly Finding[] {
  if (before.settings.seed === after.settings.seed) return [];
  const split = before.rollouts.buckets.filter(({ shares }) => shares.filter(({ weight }) => weight > 0).length > 1);
  if (split.length === 0) return [];
  const names = split.map(({ pattern }) => `\`${pattern}\``).join(", ");
  const message = `the seed changes while ${names} ${split.length === 1 ? "is" : "are"} split between revisions`;
  const help = `keep "${before.settings.seed}" until every bucket is at one revision: only then a new seed moves no workload`;
  return [{ code: "MR2008", severity: "error", file, ...locateSeed(after.settings), message, help }];
}
