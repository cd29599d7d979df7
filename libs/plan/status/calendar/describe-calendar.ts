import { type CalendarState, type Freeze, judgeCalendar, type Settings } from "#libs/campaign";
import { type Coming, type ComingEvent, explainClosed, renderComing, type Text, writeText } from "#libs/wording";

import { dropAbsent, printTime } from "../../records/index.ts";

/** Whether windows and freezes let workloads move now, and what changes that. */
export interface CalendarStatus {
  readonly open: boolean;
  /** What keeps it closed; absent while it is open. */
  readonly why?: Text;
  /** What closes it, or opens it; absent = nothing within a year. */
  readonly changes?: ComingEvent;
}

type Rules = Pick<Settings, "windows" | "freezes">;
type Judged = CalendarState & { readonly freezes: readonly Freeze[] };

function nameClosing(until: number, freezes: readonly Freeze[]): Coming {
  const freeze = freezes.find(({ from }) => from === until);
  const at = printTime(until);
  return freeze === undefined ? { code: "CalendarCloses", at } : { code: "FreezeBegins", at, reason: freeze.reason };
}

/** The closed one that stays so the longest, else the open one that closes first. */
function chooseDeciding(states: readonly Judged[]): Judged | undefined {
  const never = Number.POSITIVE_INFINITY;
  const closed = states.filter(({ kind }) => kind === "closed");
  const sorted = (closed.length === 0 ? states : closed).toSorted((a, b) => (a.until ?? never) - (b.until ?? never));
  return closed.length === 0 ? sorted[0] : sorted.at(-1);
}

/**
 * The calendar of a campaign's stage and that of `meshroll.yml`, which binds every forward run. Undefined where none of them
 * has a window or a freeze.
 */
export function describeCalendar(calendars: readonly Rules[], now: number): CalendarStatus | undefined {
  const states = calendars
    .filter(({ windows, freezes }) => windows.length + freezes.length > 0)
    .map((rules): Judged => ({ ...judgeCalendar(rules, now), freezes: rules.freezes }));
  const deciding = chooseDeciding(states);
  if (deciding === undefined) return undefined;
  const { until, freezes } = deciding;
  if (deciding.kind === "open") {
    const changes = until === undefined ? undefined : renderComing(nameClosing(until, freezes));
    return { open: true, ...dropAbsent({ changes }) };
  }
  const { cause } = deciding;
  const opens: Coming | undefined =
    until === undefined ? undefined : { code: "MovesAgain", at: printTime(until), by: cause.kind };
  const changes = opens === undefined ? undefined : renderComing(opens);
  return { open: false, why: writeText(explainClosed(cause)), ...dropAbsent({ changes }) };
}
