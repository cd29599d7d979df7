import { hashText } from "../../libs/rollouts/hashing/murmur3.ts";

/** A variant of a feature flag, as Unleash's clients keep it. */
export interface Variant {
  readonly name: string;
  readonly weight: number;
}

/** murmur3 of `group:id`, reduced to 1..normalizer. Uses our hash function, as the client's takes several times as long. */
function normalizeValue(id: string, groupId: string, normalizer: number, seed: number): number {
  return (hashText(`${groupId}:${id}`, seed) % normalizer) + 1;
}

const STRATEGY_SEED = 0;
const VARIANT_SEED = 86_028_157;

/** Unleash's gradual rollout for one id: one hash against a percentage. */
export function isEnabled(id: string, groupId: string, percentage: number): boolean {
  return percentage > 0 && normalizeValue(id, groupId, 100, STRATEGY_SEED) <= percentage;
}

/** Unleash's choice of a variant: one hash, reduced to the sum of the weights, then a walk along them. */
export function selectVariant(id: string, groupId: string, variants: readonly Variant[]): Variant | undefined {
  const total = variants.reduce((sum, { weight }) => sum + weight, 0);
  if (total <= 0) return undefined;
  const target = normalizeValue(id, groupId, total, VARIANT_SEED);
  let counted = 0;
  return variants.find(({ weight }) => {
    if (weight === 0) return false;
    counted += weight;
    return counted >= target;
  });
}
