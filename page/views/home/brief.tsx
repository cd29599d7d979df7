import type { CampaignStatus, FleetStatus } from "#libs/plan";
import { printText } from "#libs/wording";

import { printCount } from "../../model/count.ts";
import { Countdown } from "../../parts/moment.tsx";

/** The next event of a campaign that has a time. */
function Next({ next }: Pick<CampaignStatus, "next">) {
  const event = next.find(({ at }) => at !== undefined) ?? next[0];
  if (event === undefined) return null;
  return (
    <span>
      {event.at === undefined ? null : (
        <>
          {event.isEstimate === true ? "about " : null}
          <Countdown until={event.at} />{" "}
        </>
      )}
      {printText(event.text)}
    </span>
  );
}

function Line({ campaign }: { readonly campaign: CampaignStatus }) {
  const { name, target, stage, where, next } = campaign;
  const onTarget = where.reduce((sum, each) => sum + each.onTarget, 0);
  const total = where.reduce((sum, each) => sum + each.total, 0);
  return (
    <li>
      <a href={`#campaign-${name}`}>
        <bdi>{name}</bdi>
      </a>
      <span>
        <b>{onTarget}</b> of {printCount(total, "namespace")} run <bdi>{target}</bdi>
        {stage === undefined ? null : (
          <>
            , stage {stage.index} of {stage.of}, <bdi>{stage.name}</bdi>
          </>
        )}
      </span>
      <Next next={next} />
    </li>
  );
}

/** Where each campaign is and what comes next, in a line for each. */
export function Brief({ campaigns = [] }: Pick<FleetStatus, "campaigns">) {
  if (campaigns.length === 0) return null;
  return (
    <ul class="brief" aria-label="Campaigns in brief">
      {campaigns.map((campaign) => (
        <Line key={campaign.name} campaign={campaign} />
      ))}
    </ul>
  );
}
