import { builtInSettings, parseSettings } from "#libs/campaign";
import { parseRollouts } from "#libs/rollouts";

import { rolloutsPath, settingsPath } from "../compile-spec.ts";
import type { Point } from "./main-past.ts";

/** What a commit's two files say; undefined when one of them does not parse, or there is no `rollouts.yml`. */
export function readPoint(
  commit: string,
  rollouts: string | undefined,
  settings: string | undefined,
): Point | undefined {
  if (rollouts === undefined) return undefined;
  const parsed = parseRollouts(rollouts, rolloutsPath);
  if (!parsed.ok) return undefined;
  if (settings === undefined) return { commit, rollouts: parsed.value, seed: builtInSettings.seed };
  const read = parseSettings(settings, settingsPath);
  return read.ok ? { commit, rollouts: parsed.value, seed: read.value.seed } : undefined;
}
