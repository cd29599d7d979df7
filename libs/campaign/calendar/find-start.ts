import type { ClosedCause, Freeze, Window } from "./calendar.ts";
import { judgeCalendar } from "./judge-calendar.ts";

interface CalendarRules {
  readonly windows: readonly Window[];
  readonly freezes: readonly Freeze[];
}

/** When calendars let a forward run begin. Epoch ms. */
export interface Start {
  /** Absent = not within a year. */
  readonly at?: number;
  /** What closes it until then; absent = nothing. */
  readonly cause?: ClosedCause;
  /** When it closes again after `at`; absent = never, within a year. */
  readonly until?: number;
}

/** How far ahead calendars are evaluated. */
const yearMs = 366 * 86_400_000;

/** The first time from `from` on at which all calendars are open. */
export function findStart(calendars: readonly CalendarRules[], from: number): Start {
  let at = from;
  let cause: ClosedCause | undefined;
  // When one calendar opens another may close, so each is evaluated again.
  while (at <= from + yearMs) {
    const moment = at;
    const states = calendars.map((rules) => judgeCalendar(rules, moment));
    const closed = states.find((state) => state.kind === "closed");
    if (closed === undefined) {
      const ends = states.flatMap(({ until }) => until ?? []);
      return {
        at,
        ...(cause === undefined ? {} : { cause }),
        ...(ends.length === 0 ? {} : { until: Math.min(...ends) }),
      };
    }
    cause ??= closed.cause;
    if (closed.until === undefined) break;
    at = closed.until;
  }
  return cause === undefined ? {} : { cause };
}
