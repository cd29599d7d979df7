import { findNamed } from "#libs/input";
import type { CampaignStatus, FleetStatus } from "#libs/plan";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import { findRunTyped } from "../options/parse-scope.ts";
import { refuseUnknown } from "../names/unknown-name.ts";
import type { Sentence } from "../terminal/sentence.ts";

/** A run is no campaign; an unknown one is refused as everywhere. */
function refuseRun(run: string, { campaigns = [], runs }: FleetStatus): Refusal {
  const ofStages = campaigns.flatMap(({ stages }) => stages.flatMap((stage) => stage.run ?? []));
  const known = [...runs.map(({ id }) => id), ...ofStages];
  if (!known.includes(run)) return refuseUnknown("run", run, known, "no run is open");
  return new Refusal(exitCodes.usage, `run/${run} is a run: this takes a campaign`, [
    { command: `meshroll describe run/${run}` },
  ]);
}

/** The campaign of this name; refuses an unknown one with those that exist. */
export function findCampaignStatus(status: FleetStatus, name: string): CampaignStatus {
  const { campaigns = [] } = status;
  const short = findNamed("campaign", name) ?? name;
  const run = findRunTyped(name);
  if (run !== undefined) throw refuseRun(run, status);
  const found = campaigns.find((each) => each.name === short);
  if (found !== undefined) return found;
  const none: Sentence = [
    "main has no unfinished campaign: is the pull request that brings it merged?  ",
    { command: "meshroll get runs" },
  ];
  const names = campaigns.map((each) => each.name);
  throw refuseUnknown("campaign", short, names, none);
}
