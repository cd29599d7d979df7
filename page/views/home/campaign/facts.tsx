import type { CampaignStatus } from "#libs/plan";
import { printText } from "#libs/wording";

import { printCount } from "../../../model/count.ts";
import { linkRun } from "../../../model/places.ts";
import { Command } from "../../../parts/command.tsx";
import { Mark } from "../../../parts/mark.tsx";
import { Countdown } from "../../../parts/moment.tsx";
import { PullLink } from "../../../parts/links/pull-link.tsx";

const gateMarks = { pass: "done", fail: "failed", noData: "waiting", pending: "pending" } as const;
const gateWords = { pass: "passed", fail: "failed", noData: "no data", pending: "nothing measured yet" } as const;
const checkMarks = { success: "done", failure: "failed", pending: "pending" } as const;
const checkWords = { success: "green", failure: "red", pending: "pending" } as const;

/** The gates of the stage, with what they found. */
export function Gates({ gates, name }: Pick<CampaignStatus, "gates" | "name">) {
  if (gates.length === 0) return null;
  return (
    <div>
      <h4 id={`gates-${name}`}>Gates of the stage</h4>
      <ul class="gates" aria-labelledby={`gates-${name}`}>
        {gates.map((gate) => (
          <li key={gate.name}>
            <Mark kind={gateMarks[gate.status]} />
            <span>
              <b>
                <bdi>{gate.name}</bdi>
              </b>{" "}
              {gateWords[gate.status]} <span class="quiet">({gate.when})</span>
              {gate.why === undefined ? null : <span class="quiet">: {printText(gate.why)}</span>}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Budget({ failures }: Pick<CampaignStatus, "failures">) {
  const { count, counted, allowed, left, notRetried = [] } = failures;
  return (
    <dd>
      {counted > 0 ? <Mark kind="failed" /> : null} <b>{counted}</b>
      {allowed === undefined ? (
        " new ones; no limit stops the run"
      ) : (
        <>
          {" "}
          of {allowed} allowed before the run stops, {left ?? 0} left
        </>
      )}
      {count > counted ? <span class="quiet">; {count - counted} earlier ones do not count</span> : null}
      {notRetried.map(({ run, stage, count: failed }) => (
        <span key={run} class="line">
          {printCount(failed, "workload")} of {stage ?? "an earlier run"} not retried:{" "}
          <a href={linkRun(run)}>
            run <bdi>{run}</bdi>
          </a>
        </span>
      ))}
    </dd>
  );
}

function LeftOut({ leftOut }: Pick<CampaignStatus, "leftOut">) {
  return (
    <>
      {leftOut.map(({ pattern, reason, until }) => (
        <dd key={pattern}>
          <code>
            <bdi>{pattern}</bdi>
          </code>{" "}
          <bdi>{reason}</bdi>{" "}
          {until === undefined ? (
            <span class="quiet">until the campaign's file says otherwise</span>
          ) : (
            <>
              until <Countdown until={until} />
            </>
          )}
        </dd>
      ))}
    </>
  );
}

function Pull({ pull }: { readonly pull: NonNullable<CampaignStatus["pull"]> }) {
  const { checks } = pull;
  return (
    <dd>
      <PullLink number={pull.number} url={pull.url} /> for <bdi>{pull.stage}</bdi>, {pull.state}
      {checks === undefined
        ? null
        : (["plan", "approvals"] as const).map((name) => (
            <span key={name} class="line">
              <Mark kind={checkMarks[checks[name]]} /> <code>meshroll/{name}</code> {checkWords[checks[name]]}
            </span>
          ))}
    </dd>
  );
}

function Way({ way }: { readonly way: CampaignStatus["stop"] | CampaignStatus["undo"] }) {
  return (
    <dd>
      {way.command === undefined ? null : <Command text={way.command} />}{" "}
      <span class="quiet">{printText(way.effect)}</span>
    </dd>
  );
}

/** What limits the campaign, and the commands that stop it or take it back. */
export function Facts({ campaign }: { readonly campaign: CampaignStatus }) {
  const { leftOut, pull, owners } = campaign;
  return (
    <dl class="facts">
      <dt>failures</dt>
      <Budget failures={campaign.failures} />
      {leftOut.length === 0 ? null : <dt>left out</dt>}
      <LeftOut leftOut={leftOut} />
      {pull === undefined ? null : <dt>pull request</dt>}
      {pull === undefined ? null : <Pull pull={pull} />}
      {owners.length === 0 ? null : <dt>owners</dt>}
      {owners.length === 0 ? null : (
        <dd>
          <bdi>{owners.join(", ")}</bdi>
        </dd>
      )}
      <dt>to pause</dt>
      <Way way={campaign.stop} />
      <dt>to roll back</dt>
      <Way way={campaign.undo} />
    </dl>
  );
}
