import { createHash } from "node:crypto";
import { type Mutant, nameMutant } from "./mutant.ts";

/**
 * `count` of the mutants, the same ones for the same seed. Each one's place in the draw depends on nothing but itself, so
 * that a change of one file changes the sample of no other.
 */
export function chooseMutants(mutants: readonly Mutant[], count: number, seed: number): readonly Mutant[] {
  const drawn = mutants.map((mutant) => ({
    mutant,
    lot: createHash("sha256")
      .update(`${seed} ${nameMutant(mutant)}`)
      .digest("hex"),
  }));
  return drawn
    .toSorted((a, b) => (a.lot < b.lot ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant);
}
