import type { Finding, Rollouts } from "#libs/rollouts";
import type { Settings } from "./settings.ts";

interface Place {
  readonly line: number;
  readonly column: number;
}

/** Next to the settings, not in them: two files with equal settings are equal wherever a line is. */
const places = new WeakMap<Pick<Settings, "seed">, Place>();

/** Remembers the place of the seed in `meshroll.yml`. */
export function rememberSeed(settings: Settings, place: Place): void {
  places.set(settings, place);
}

/** The place of the seed; the file's beginning when it has none. */
function locateSeed(settings: Pick<Settings, "seed">): Place {
  return places.get(settings) ?? { line: 1, column: 1 };
}

interface Assigned {
  readonly rollouts: Rollouts;
  readonly settings: Pick<Settings, "seed">;
}

/**
 * MR2008: a new seed changes the order in which namespaces move. While a bucket is split between revisions it would move many
 * at once, in both directions; while each bucket is at one revision it moves none, and is allowed.
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
