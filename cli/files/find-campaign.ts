import { findNamed } from "#libs/input";
import type { CampaignStatus, FleetStatus } from "#libs/plan";

import { refuseUnknown } from "../names/unknown-name.ts";
import type { Sentence } from "../terminal/sentence.ts";

/** The campaign of this name; refuses an unknown one with those that exist. */
export function findCampaignStatus({ campaigns = [] }: FleetStatus, name: string): CampaignStatus {
  const short = findNamed("campaign", name) ?? name;
  const found = campaigns.find((each) => each.name === short);
  if (found !== undefined) return found;
  const none: Sentence = [
    "main has no unfinished campaign: is the pull request that brings it merged?  ",
    { command: "meshroll get runs" },
  ];
  const names = campaigns.map((each) => each.name);
  throw refuseUnknown("campaign", short, names, none);
}
