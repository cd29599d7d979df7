import type { Reason, StopWords } from "#libs/wording";

/** A stop as what waits for it names it: a run that sets buckets of several campaigns has a code of its own. */
export function nameStop(stop: StopWords): Reason {
  return { code: stop.campaigns === undefined ? "Stopped" : "SeveralCampaigns", stop };
}
