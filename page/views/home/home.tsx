import type { FleetStatus } from "#libs/plan";

import { status } from "../../live/connection.ts";
import { isForPeople } from "../../model/group-waits.ts";
import { Announcer } from "../../parts/announcer.tsx";
import { Drift } from "./drift.tsx";
import { Section } from "../../parts/section.tsx";
import { Title } from "../../parts/title.tsx";
import { Brief } from "./brief.tsx";
import { Buckets } from "./buckets.tsx";
import { Campaign } from "./campaign/campaign.tsx";
import { Clusters } from "./clusters.tsx";
import { Failures, Skipped } from "./failures.tsx";
import { Fleet } from "./fleet/fleet.tsx";
import { Namespaces } from "./namespaces.tsx";
import { RecentHistory } from "../../parts/history/recent-history.tsx";
import { Waits } from "../../parts/waits.tsx";

const states = {
  Idle: "Nothing moves",
  InProgress: "An upgrade is in progress",
  Failed: "An upgrade has stopped",
} as const;

/** The summary for screen readers, because the picture changes all the time. */
function summarise({ runs, failures }: FleetStatus): string {
  const sum = (key: "workloads" | "migrated") => runs.reduce((total, run) => total + run[key], 0);
  if (runs.length === 0) return "no run is open";
  return `${sum("migrated")} of ${sum("workloads")} workloads migrated, ${failures?.count ?? 0} failed`;
}

/** The start page: progress, waits, failures, and what comes next. */
export function Home() {
  const fleet = status.value;
  if (fleet === undefined) return <p class="loading">No planner has published a status yet.</p>;
  const { campaigns = [] } = fleet;
  // Why it does not move comes first where a person can change that.
  const isPersonsTurn = fleet.waiting.some(isForPeople);
  return (
    <>
      <Title text={states[fleet.state]}>{states[fleet.state]}</Title>
      <Announcer text={summarise(fleet)} />
      <Brief campaigns={campaigns} />
      {isPersonsTurn ? <Waits status={fleet} /> : null}
      <Fleet />
      <Section
        id="campaigns"
        title="Campaigns"
        note={campaigns.length === 0 ? "none unfinished" : String(campaigns.length)}
      >
        {campaigns.map((campaign) => (
          <Campaign key={campaign.name} campaign={campaign} />
        ))}
      </Section>
      {isPersonsTurn ? null : <Waits status={fleet} />}
      <RecentHistory count={5} />
      <Failures status={fleet} />
      <Skipped status={fleet} />
      <Drift status={fleet} />
      <Clusters status={fleet} />
      <Buckets status={fleet} />
      <Namespaces />
    </>
  );
}
