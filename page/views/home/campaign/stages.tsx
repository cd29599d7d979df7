import type { CampaignStatus } from "#libs/plan";

import { printDuration } from "../../../model/duration.ts";
import { linkRun } from "../../../model/places.ts";
import { Mark, type MarkKind } from "../../../parts/mark.tsx";
import { Moment } from "../../../parts/moment.tsx";
import { PullLink } from "../../../parts/links/pull-link.tsx";
import { AtWork } from "./at-work.tsx";

type Stage = CampaignStatus["stages"][number];

const states: Readonly<Record<Stage["state"], { readonly mark: MarkKind; readonly word: string }>> = {
  Pending: { mark: "pending", word: "to come" },
  Next: { mark: "pending", word: "next" },
  Proposed: { mark: "waiting", word: "proposed" },
  Running: { mark: "moving", word: "running" },
  Baking: { mark: "waiting", word: "baking" },
  Completed: { mark: "done", word: "completed" },
  Held: { mark: "held", word: "held" },
  Failed: { mark: "failed", word: "failed" },
  RolledBack: { mark: "skipped", word: "rolled back" },
};

function Sets({ set }: Pick<Stage, "set">) {
  const all = Object.entries(set);
  if (all.length === 0) return <span class="quiet">nothing</span>;
  return (
    <>
      {all.map(([bucket, percent]) => (
        <span key={bucket} class="sets">
          <code>
            <bdi>{bucket}</bdi>
          </code>{" "}
          {percent} %
        </span>
      ))}
    </>
  );
}

/** When it began, and when it ended and after how long. */
function Times({ stage: { startedAt, endedAt, reached } }: { readonly stage: Stage }) {
  if (startedAt === undefined) return reached ? <span class="quiet">no run of it is known</span> : null;
  return (
    <>
      <Moment at={startedAt} />
      {endedAt === undefined ? (
        <span class="quiet"> not over</span>
      ) : (
        <span class="quiet"> took {printDuration(Date.parse(endedAt) - Date.parse(startedAt))}</span>
      )}
    </>
  );
}

/** Links to what the stage is made of: its run, or its pull request. */
function Links({ stage, pull }: { readonly stage: Stage; readonly pull: CampaignStatus["pull"] }) {
  return (
    <>
      {stage.run === undefined ? null : (
        <a href={linkRun(stage.run)}>
          run <bdi>{stage.run}</bdi>
        </a>
      )}
      {pull?.stage === stage.name ? (
        <>
          {stage.run === undefined ? null : ", "}pull request <PullLink number={pull.number} url={pull.url} />
        </>
      ) : null}
    </>
  );
}

function Line({ stage, campaign }: { readonly stage: Stage; readonly campaign: CampaignStatus }) {
  const isPresent = campaign.stage?.name === stage.name;
  const { mark, word } = states[stage.state];
  return (
    <>
      <tr class={isPresent ? "stage present" : "stage"} aria-current={isPresent ? "step" : undefined}>
        <th scope="row">
          <Mark kind={mark} />
          <span class="quiet">{stage.index}</span> <bdi>{stage.name}</bdi>
        </th>
        <td class={`stage-${stage.state}`}>{word}</td>
        <td>
          <Sets set={stage.set} />
        </td>
        <td>
          <Times stage={stage} />
        </td>
        <td>
          <Links stage={stage} pull={campaign.pull} />
        </td>
      </tr>
      {isPresent ? (
        <tr class="present detail">
          <td colSpan={5}>
            <AtWork campaign={campaign} />
          </td>
        </tr>
      ) : null}
    </>
  );
}

/** One line for each stage; the present one says where it stands. */
export function Stages({ campaign }: { readonly campaign: CampaignStatus }) {
  const label = `Stages of ${campaign.name}`;
  return (
    <div class="scroll flat" role="region" tabIndex={0} aria-label={label}>
      <table class="stacked stages">
        <thead>
          <tr>
            <th scope="col">stage</th>
            <th scope="col">state</th>
            <th scope="col">sets {campaign.target} to</th>
            <th scope="col">began</th>
            <th scope="col">run</th>
          </tr>
        </thead>
        <tbody>
          {campaign.stages.map((stage) => (
            <Line key={stage.name} stage={stage} campaign={campaign} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
