import type { CampaignStatus, FleetStatus } from "#libs/plan";

import type { Listing } from "../listing.ts";
import { printAge } from "../../text/print-time.ts";
import { campaignHeader, campaignSpare, listCampaignCells } from "../status/print-status.ts";

/** Age by the planner's clock, without a blank in the cell. */
export function printAgeCell(since: string | undefined, now: string): string {
  return since === undefined || since === "" ? "-" : printAge(Date.parse(now) - Date.parse(since)).replace(" ", "");
}

function pickCampaigns({ campaigns = [] }: FleetStatus, name: string | undefined): readonly CampaignStatus[] {
  return name === undefined ? campaigns : campaigns.filter((each) => each.name === name);
}

export function listCampaigns(status: FleetStatus, name: string | undefined): Listing {
  return {
    kind: "CampaignStatusList",
    prefix: "campaign",
    header: [...campaignHeader, "AGE"],
    spare: ["AGE", ...campaignSpare],
    wideHeader: ["REPLACES", "OWNERS", "PULL"],
    rows: pickCampaigns(status, name).map((each) => ({
      name: each.name,
      cells: [...listCampaignCells(each, {}), printAgeCell(each.startedAt, status.at)],
      wide: [each.replaces.join(","), each.owners.join(",") || "-", each.pull?.url ?? "-"],
      item: each,
    })),
  };
}

function printSet(set: Readonly<Record<string, number>>): string {
  return Object.entries(set)
    .map(([pattern, share]) => `${pattern}=${share}%`)
    .join(",");
}

/** `name`: a campaign, or a stage with or without its campaign. */
export function isStageNamed(campaign: string, stage: string, name: string): boolean {
  return [campaign, stage, `${campaign}/${stage}`].includes(name);
}

export function listStages(status: FleetStatus, name: string | undefined): Listing {
  const rows = pickCampaigns(status, undefined).flatMap((campaign) =>
    campaign.stages
      .filter((stage) => name === undefined || isStageNamed(campaign.name, stage.name, name))
      .map((stage) => ({
        name: `${campaign.name}/${stage.name}`,
        cells: [
          stage.name,
          campaign.name,
          `${stage.index}/${campaign.stages.length}`,
          printSet(stage.set),
          stage.state,
          stage.run ?? "-",
          printAgeCell(stage.startedAt, status.at),
        ],
        wide: [stage.baked ? "yes" : "no", stage.endedAt ?? "-"],
        item: { campaign: campaign.name, target: campaign.target, ...stage },
      })),
  );
  const header = ["NAME", "CAMPAIGN", "N", "SET", "STATE", "RUN", "AGE"];
  const spare = ["AGE", "N", "CAMPAIGN", "RUN", "SET"];
  return { kind: "StageList", prefix: "stage", header, spare, wideHeader: ["BAKED", "ENDED"], rows };
}

/** `name`: a campaign, or `run/ID`. */
export function listBatches(status: FleetStatus, name: string | undefined, cluster?: string): Listing {
  const numbered = (status.campaigns ?? []).flatMap(({ rollouts }) => rollouts);
  const campaigns = pickCampaigns(status, name).flatMap(({ runs }) => runs);
  const wanted = status.rollouts.filter(
    (each) =>
      (name === undefined || campaigns.includes(each.run) || `run/${each.run}` === name) &&
      (cluster === undefined || each.cluster === cluster),
  );
  const rows = wanted.map((each) => {
    const known = numbered.find(({ cluster, run }) => cluster === each.cluster && run === each.run);
    const first = each.workloads[0] ?? "-";
    return {
      name: each.cluster,
      cells: [
        each.cluster,
        each.run === "" ? "-" : each.run,
        known === undefined ? "-" : `${known.batch}/${known.of}`,
        String(each.workloads.length),
        first,
      ],
      wide: [each.workloads.join(",") || "-"],
      item: { ...each, ...(known === undefined ? {} : { batch: known.batch, of: known.of }) },
    };
  });
  const header = ["CLUSTER", "RUN", "BATCH", "MOVING", "FIRST"];
  const spare = ["BATCH", "RUN", "FIRST"];
  return { kind: "BatchList", prefix: "batch", header, spare, wideHeader: ["WORKLOADS"], rows };
}

/** `name`: a stop, or a campaign. */
export function listHolds(status: FleetStatus, name: string | undefined): Listing {
  const ofCampaign = pickCampaigns(status, name).flatMap((each) => each.stops);
  const named = status.stops.filter(({ id }) => id === name);
  const stops = name === undefined ? status.stops : named.length > 0 ? named : ofCampaign;
  const rows = stops.map((stop) => ({
    name: stop.id,
    cells: [
      stop.id,
      stop.strength === "propose" || stop.rollbackOf !== undefined ? "hold" : "pause",
      stop.scope,
      stop.who.replaceAll(" ", "-"),
      stop.cause,
      stop.overdue ? "overdue" : (stop.until ?? "-"),
    ],
    wide: [stop.from, stop.why, stop.command],
    item: stop,
  }));
  const header = ["NAME", "KIND", "SCOPE", "WHO", "CAUSE", "UNTIL"];
  const spare = ["CAUSE", "UNTIL", "KIND", "WHO"];
  return { kind: "HoldList", prefix: "hold", header, spare, wideHeader: ["FROM", "WHY", "COMMAND"], rows };
}
