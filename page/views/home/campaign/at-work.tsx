import type { CampaignStatus } from "#libs/plan";
import { printText } from "#libs/wording";

import { groupWaits } from "../../../model/group-waits.ts";
import { printCount } from "../../../model/count.ts";
import { printDuration } from "../../../model/duration.ts";
import { Mark } from "../../../parts/mark.tsx";
import { Countdown } from "../../../parts/moment.tsx";
import { ProgressBar } from "../../../parts/bars/progress-bar.tsx";
import { WaitEnd } from "../../../parts/waits.tsx";

/** The first waits of a campaign; the table of waits has all. */
const shown = 2;

function Progress({ counts }: Pick<CampaignStatus, "counts">) {
  const parts = [
    [counts.idle, "idle"],
    [counts.migrating, "restarting"],
    [counts.pending, "pending"],
    [counts.waiting, "waiting"],
    [counts.skipped, "skipped"],
  ] as const;
  const rest = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return (
    <p class="progress-line">
      <ProgressBar counts={counts} />
      <span>
        <b>{counts.migrated}</b> of {counts.workloads} workloads migrated
        {rest.length === 0 ? null : <span class="quiet"> {rest.join(", ")}</span>}
      </span>
    </p>
  );
}

function Bake({ bake }: { readonly bake: NonNullable<CampaignStatus["bake"]> }) {
  const { healthySeconds, neededSeconds, endsAt, paused } = bake;
  return (
    <p>
      Bake: healthy for {printDuration(healthySeconds * 1000)} of {printDuration(neededSeconds * 1000)}
      {endsAt === undefined ? null : (
        <>
          , ends <Countdown until={endsAt} />
        </>
      )}
      {paused === undefined ? null : <span class="warn">; {printText(paused.message)}</span>}
    </p>
  );
}

function Waits({ waiting, stops }: Pick<CampaignStatus, "waiting" | "stops">) {
  // Holds and pauses stand above, with their commands.
  const told = new Set<string | undefined>(stops.map(({ command }) => command));
  const groups = groupWaits(waiting.filter(({ command }) => !told.has(command)));
  if (groups.length === 0) return null;
  return (
    <ul class="plain">
      {groups.slice(0, shown).map(({ wait, scopes }) => (
        <li key={wait.code + scopes.join()}>
          <Mark kind="waiting" /> {printText(wait.message)}
          {scopes.length > 1 ? <span class="quiet"> and {scopes.length - 1} more</span> : null}{" "}
          <span class="quiet">
            (<bdi>{wait.owner}</bdi>), ends <WaitEnd wait={wait} />
          </span>
        </li>
      ))}
      {groups.length > shown ? (
        <li>
          <a href="#waits">{printCount(groups.length - shown, "more wait")}</a>
        </li>
      ) : null}
    </ul>
  );
}

/** Where the present stage stands: its workloads, its bake, and what it waits for. */
export function AtWork({ campaign }: { readonly campaign: CampaignStatus }) {
  const { counts, bake, rollback } = campaign;
  return (
    <div class="at-work">
      {rollback === undefined ? null : (
        <p>
          <Mark kind="moving" /> Rolling back: {rollback.done} of {rollback.total} workloads
          {rollback.aboutSeconds === undefined ? null : `, about ${printDuration(rollback.aboutSeconds * 1000)} left`}
        </p>
      )}
      {counts.workloads === 0 ? null : <Progress counts={counts} />}
      {bake === undefined ? null : <Bake bake={bake} />}
      <Waits waiting={campaign.waiting} stops={campaign.stops} />
    </div>
  );
}
