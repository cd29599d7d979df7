import { type Field, locateChild } from "../fields/field.ts";
import { judgeCalendar } from "../calendar/judge-calendar.ts";
import type { LevelFields } from "./layer-settings.ts";
import { countDays } from "../calendar/local-time.ts";

/** A fixed day, so that a file is valid or not whenever it is read; schedules recur, so any day does. */
const someDay = countDays(2026, 1, 1) * 86_400_000;

/**
 * MR2005: windows and freezes of one level that leave no open time for a year, from a fixed day or from the start of the
 * longest freeze. Such a stage would wait for ever.
 */
export function checkCalendar({ windows = [], freezes = [] }: LevelFields, field: Field): void {
  if (windows.length + freezes.length === 0) return;
  // From a fixed day and from the longest freeze only: each start evaluates every window over a year.
  const [longest] = freezes.toSorted((a, b) => b.to - b.from - (a.to - a.from));
  const starts = longest === undefined ? [someDay] : [someDay, longest.from];
  const isShut = starts.some((start) => {
    const state = judgeCalendar({ windows, freezes }, start);
    return state.kind === "closed" && state.until === undefined;
  });
  if (!isShut) return;
  field.report({
    code: "MR2005",
    span: locateChild(field, freezes.length > 0 ? "freezes" : "windows"),
    message: "these windows and freezes leave no time open for a whole year",
    help: "shorten the freeze or the denying window, or open an allowing window outside of it",
  });
}
