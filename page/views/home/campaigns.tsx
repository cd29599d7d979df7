import type { CampaignStatus } from "#libs/plan";
import { printText } from "#libs/wording";

import { printDuration } from "../../model/duration.ts";
import { linkRun } from "../../model/places.ts";
import { Command } from "../../parts/command.tsx";
import { Mark, type MarkKind } from "../../parts/mark.tsx";
import { Countdown } from "../../parts/moment.tsx";
import { ShareBar } from "../../parts/share-bar.tsx";

const marks: Readonly<Record<CampaignStatus["state"], MarkKind>> = {
  Idle: "pending",
  InProgress: "moving",
  Completed: "done",
  Failed: "failed",
};

const words: Readonly<Record<CampaignStatus["state"], string>> = {
  Idle: "idle",
  InProgress: "in progress",
  Completed: "completed",
  Failed: "failed",
};

const stageMarks: Readonly<Record<CampaignStatus["stages"][number]["state"], MarkKind>> = {
  Pending: "pending",
  Next: "pending",
  Proposed: "waiting",
  Running: "moving",
  Baking: "waiting",
  Completed: "done",
  Held: "held",
  Failed: "failed",
  RolledBack: "skipped",
};

function Stages({ stages, name }: Pick<CampaignStatus, "stages" | "name">) {
  return (
    <ol class="stages" aria-label={`Stages of ${name}`}>
      {stages.map((stage) => (
        <li key={stage.name} class={`stage stage-${stage.state}`}>
          <Mark kind={stageMarks[stage.state]} />
          {stage.run === undefined ? (
            <bdi>{stage.name}</bdi>
          ) : (
            <a href={linkRun(stage.run)}>
              <bdi>{stage.name}</bdi>
            </a>
          )}{" "}
          <span class="quiet">{stage.state}</span>
        </li>
      ))}
    </ol>
  );
}

function Buckets({ where }: Pick<CampaignStatus, "where">) {
  return (
    <ul class="shares">
      {where.map(({ bucket, requested, actual, onTarget, total }) => (
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
    </ul>
  );
}

const gateMarks = { pass: "done", fail: "failed", noData: "waiting", pending: "pending" } as const;

function Gates({ gates, name }: Pick<CampaignStatus, "gates" | "name">) {
  if (gates.length === 0) return null;
  return (
    <ul class="gates" aria-label={`Gates of ${name}`}>
      {gates.map((gate) => (
        <li key={gate.name}>
          <Mark kind={gateMarks[gate.status]} />
          <span>
            <b>
              <bdi>{gate.name}</bdi>
            </b>{" "}
            {gate.status === "noData" ? "no data" : gate.status}
            {gate.why === undefined ? null : <span class="quiet">: {printText(gate.why)}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Coming({ next, name }: Pick<CampaignStatus, "next" | "name">) {
  return (
    <ul class="coming" aria-label={`What comes next for ${name}`}>
      {next.map((event, at) => (
        <li key={at}>
          {event.at === undefined ? null : <Countdown until={event.at} />} {printText(event.text)}
          {event.isEstimate === true ? " (at this pace)" : null}
          {event.command === undefined ? null : <Command text={event.command} />}
        </li>
      ))}
    </ul>
  );
}

function Pull({ pull }: Pick<CampaignStatus, "pull">) {
  if (pull === undefined) return null;
  // Only web addresses become links: another scheme could run code.
  const isWeb = /^https?:\/\//.test(pull.url);
  return (
    <p>
      Pull request {isWeb ? <a href={pull.url} rel="noreferrer">{`#${pull.number}`}</a> : `#${pull.number}`} for{" "}
      <bdi>{pull.stage}</bdi>: {pull.state}
    </p>
  );
}

/** One campaign: its progress, what holds it, what comes next. */
export function Campaign({ campaign }: { readonly campaign: CampaignStatus }) {
  const { name, state, stage, replaces, target, counts, bake } = campaign;
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
          {stage === undefined ? null : ` · stage ${stage.index} of ${stage.of}, ${stage.name}`}
        </p>
      </header>
      <Stages stages={campaign.stages} name={name} />
      <Buckets where={campaign.where} />
      {counts.workloads === 0 ? null : (
        <p>
          <b>{counts.migrated}</b> of {counts.workloads} workloads migrated, {counts.idle} idle, {counts.migrating}{" "}
          restarting, {counts.pending} pending, {counts.waiting} waiting, {counts.skipped} skipped
          {campaign.runs.map((run) => (
            <span key={run}>
              {" · "}
              <a href={linkRun(run)}>run {run}</a>
            </span>
          ))}
        </p>
      )}
      {bake === undefined ? null : (
        <p>
          Bake: healthy for {printDuration(bake.healthySeconds * 1000)} of {printDuration(bake.neededSeconds * 1000)}
          {bake.endsAt === undefined ? null : (
            <>
              , ends <Countdown until={bake.endsAt} />
            </>
          )}
        </p>
      )}
      <div class="aspects">
        <Gates gates={campaign.gates} name={name} />
        <Coming next={campaign.next} name={name} />
      </div>
      <Pull {...(campaign.pull === undefined ? {} : { pull: campaign.pull })} />
    </article>
  );
}
