import type { CampaignStatus } from "#libs/plan";

import { Command } from "../../../parts/command.tsx";
import { Mark, type MarkKind } from "../../../parts/mark.tsx";
import { Countdown } from "../../../parts/moment.tsx";
import { ShareBar } from "../../../parts/share-bar.tsx";
import { Coming } from "./coming.tsx";
import { Facts, Gates } from "./facts.tsx";
import { Stages } from "./stages.tsx";

const marks: Readonly<Record<CampaignStatus["state"], MarkKind>> = {
  Idle: "pending",
  InProgress: "moving",
  Completed: "done",
  Failed: "failed",
};

const words: Readonly<Record<CampaignStatus["state"], string>> = {
  Idle: "nothing of it is merged yet",
  InProgress: "in progress",
  Completed: "completed",
  Failed: "stopped",
};

/** Holds and pauses in force: who, why, and what ends them. */
function Stops({ stops, name }: Pick<CampaignStatus, "stops" | "name">) {
  if (stops.length === 0) return null;
  return (
    <ul class="stops" aria-label={`Holds and pauses of ${name}`}>
      {stops.map(({ id, scope, strength, who, why, until, overdue, command }) => (
        <li key={id}>
          <Mark kind="held" />{" "}
          <code>
            <bdi>{scope}</bdi>
          </code>{" "}
          {strength === "propose" ? "is not proposed" : "does not move"}: <bdi>{why}</bdi>{" "}
          <span class="quiet">
            (<bdi>{who}</bdi>)
          </span>
          {until === undefined ? null : (
            <>
              {" "}
              {overdue ? "reminder overdue since" : "reminder"} <Countdown until={until} />
            </>
          )}{" "}
          <Command text={command} />
        </li>
      ))}
    </ul>
  );
}

/** The target's share of each bucket that has namespaces. */
function Shares({ where }: Pick<CampaignStatus, "where">) {
  const empty = where.filter(({ total }) => total === 0).map(({ bucket }) => bucket);
  return (
    <ul class="shares">
      {where
        .filter(({ total }) => total > 0)
        .map(({ bucket, requested, actual, onTarget, total }) => (
          <li key={bucket}>
            <code>
              <bdi>{bucket}</bdi>
            </code>
            <ShareBar actual={actual} requested={requested} />
            <span class="figures">
              actual <b>{actual} %</b> of {requested} % requested{" "}
              <span class="quiet">
                ({onTarget} of {total})
              </span>
            </span>
          </li>
        ))}
      {empty.length === 0 ? null : (
        <li class="empty quiet">
          <span>
            No namespace in <bdi>{empty.join(", ")}</bdi>
          </span>
        </li>
      )}
    </ul>
  );
}

/** One campaign: its stages, what holds it, what comes next. */
export function Campaign({ campaign }: { readonly campaign: CampaignStatus }) {
  const { name, state, stage, replaces, target } = campaign;
  return (
    <article class="campaign" aria-labelledby={`campaign-${name}`}>
      <header>
        <h3 id={`campaign-${name}`}>
          <bdi>{name}</bdi>
        </h3>
        <p class="way">
          <span class="old">{replaces.join(", ")}</span> → <span class="new">{target}</span>
        </p>
        <p class={`state state-${state}`}>
          <Mark kind={marks[state]} /> {words[state]}
          {stage === undefined ? null : (
            <>
              , stage {stage.index} of {stage.of}, <bdi>{stage.name}</bdi>
            </>
          )}
        </p>
      </header>
      <Stops stops={campaign.stops} name={name} />
      <Shares where={campaign.where} />
      <Stages campaign={campaign} />
      <div class="aspects">
        <Coming campaign={campaign} />
        <Gates gates={campaign.gates} name={name} />
      </div>
      <Facts campaign={campaign} />
    </article>
  );
}
