import { findNamed } from "#libs/input";
import type { CampaignStatus, FleetStatus } from "#libs/plan";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";

/** The campaign that a person named; refuses with the names that there are. */
export function findCampaignStatus({ campaigns = [] }: FleetStatus, name: string): CampaignStatus {
  const short = findNamed("campaign", name) ?? name;
  const found = campaigns.find((each) => each.name === short);
  if (found !== undefined) return found;
  const names = campaigns.map((each) => each.name);
  const none = ["main has none yet: is the pull request that brings it merged?  ", { command: "meshroll get runs" }];
  const help = names.length === 0 ? none : `there are: ${names.join(", ")}`;
  throw new Refusal(exitCodes.invalid, `there is no unfinished campaign ${short} on main`, help);
}
