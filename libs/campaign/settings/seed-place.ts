import type { Settings } from "./settings.ts";

interface Place {
  readonly line: number;
  readonly column: number;
}

/** Next to the settings and not in them: two files that say the same are the same settings, wherever a line stands. */
const places = new WeakMap<Pick<Settings, "seed">, Place>();

/** Keeps where `meshroll.yml` writes the seed of these settings. */
export function rememberSeed(settings: Settings, place: Place): void {
  places.set(settings, place);
}

/** Where the file writes the seed; its beginning when it writes none. */
export function locateSeed(settings: Pick<Settings, "seed">): Place {
  return places.get(settings) ?? { line: 1, column: 1 };
}
