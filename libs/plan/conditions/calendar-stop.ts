import { judgeCalendar } from "#libs/campaign";
import type { Reason } from "#libs/wording";

import { printTime, type RunRecord, type Spec } from "../records/index.ts";
import { settingsOf } from "../main/index.ts";
import { hasBegun, type RunView } from "../index/index.ts";

type Closed = Extract<ReturnType<typeof judgeCalendar>, { readonly kind: "closed" }>;

/**
 * The window or freeze that holds a forward run now: that of its stage or campaign, or that of `meshroll.yml`, which binds
 * every forward run (rules 1.4). Of several, the one that stays closed longest.
 */
export function findClosed(head: Spec, run: RunRecord | undefined, now: number): Closed | undefined {
  const calendars = new Set([settingsOf(head, run), head.settings]);
  const closed = [...calendars].flatMap((rules) => {
    if (rules.windows.length === 0 && rules.freezes.length === 0) return [];
    const state = judgeCalendar(rules, now);
    return state.kind === "closed" ? [state] : [];
  });
  const never = Number.POSITIVE_INFINITY;
  return closed.toSorted((a, b) => (b.until ?? never) - (a.until ?? never))[0];
}

/** Why no more workloads of a forward run may start now. With `finishStage` a run that has begun continues to its end. */
export function findCalendarStop(head: Spec, view: RunView, now: number): Reason | undefined {
  const closed = findClosed(head, view.run, now);
  if (closed === undefined || (closed.atEnd === "finishStage" && hasBegun(view))) return undefined;
  return {
    code: closed.cause.kind === "freeze" ? "Frozen" : "WindowClosed",
    cause: closed.cause,
    ...(closed.until === undefined ? {} : { until: printTime(closed.until) }),
  };
}
