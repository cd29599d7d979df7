import { type Campaign, findStart, type Settings, type Stage } from "#libs/campaign";

import { printTime } from "../../records/index.ts";
import type { BakeStatus } from "../campaign-status.ts";

/** A start that only bakes delay moves with the clock: to 5 minutes, so that a status does not change at each reconcile. */
const grainMs = 5 * 60_000;

interface StartsQuestion {
  readonly campaign: Pick<Campaign, "stages">;
  /** The next stage that is not reached; undefined = all are. */
  readonly next: Stage | undefined;
  readonly settings: Settings;
  readonly now: number;
  /** Of the open run; undefined = none is left, or no run is open. */
  readonly bake: BakeStatus | undefined;
}

/**
 * When each stage to come may start at the earliest, ISO, by windows, freezes, and the bakes before it; people and batches take
 * longer. Stages that may start at once are left out, and those that no window lets start within a year.
 */
export function listStarts({ campaign, next, settings, now, bake }: StartsQuestion): ReadonlyMap<string, string> {
  const starts = new Map<string, string>();
  const left = bake === undefined ? 0 : bake.neededSeconds - bake.healthySeconds;
  let at = now + 1000 * Math.max(0, left);
  for (const stage of next === undefined ? [] : campaign.stages.slice(campaign.stages.indexOf(next))) {
    const start = findStart([stage.settings, settings], at).at;
    if (start === undefined) break;
    const shown = Math.floor(start / grainMs) * grainMs;
    if (shown > now) starts.set(stage.name, printTime(shown));
    at = start + stage.settings.bake;
  }
  return starts;
}
