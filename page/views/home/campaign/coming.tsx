import type { CampaignStatus } from "#libs/plan";
import { printText } from "#libs/wording";

import { type ComingLine, listSequence, listTimes } from "../../../model/fleet/coming-lines.ts";
import { Command } from "../../../parts/command.tsx";
import { Countdown } from "../../../parts/moment.tsx";

interface LinesProps {
  readonly title: string;
  readonly id: string;
  readonly lines: readonly ComingLine[];
  /** What stands where no time is known. */
  readonly first?: string;
}

function Lines({ title, id, lines, first = "then" }: LinesProps) {
  if (lines.length === 0) return null;
  return (
    <>
      <h4 id={id}>{title}</h4>
      <ol class="coming" aria-labelledby={id}>
        {lines.map(({ at, isEstimate, text, command }, place) => (
          <li key={`${text} ${at ?? ""}`}>
            <span class="when">
              {isEstimate ? "about " : null}
              {at === undefined ? <span class="quiet">{place === 0 ? first : "then"}</span> : <Countdown until={at} />}
            </span>
            <span>
              {text}
              {isEstimate ? <span class="quiet"> at this pace</span> : null}
              {command === undefined ? null : (
                <>
                  {" "}
                  <Command text={command} />
                </>
              )}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

function Calendar({ calendar }: { readonly calendar: NonNullable<CampaignStatus["calendar"]> }) {
  if (calendar.open || calendar.why === undefined) return null;
  return <p class="quiet">Nothing moves forward now: {printText(calendar.why)}</p>;
}

/** What comes next, one after the other, and all other times that are known. */
export function Coming({ campaign }: { readonly campaign: CampaignStatus }) {
  const { name, calendar } = campaign;
  return (
    <div>
      <Lines title="What comes next" id={`next-${name}`} lines={listSequence(campaign)} first="now" />
      <Lines title="On the clock" id={`clock-${name}`} lines={listTimes(campaign)} />
      {calendar === undefined ? null : <Calendar calendar={calendar} />}
    </div>
  );
}
