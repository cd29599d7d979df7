import { BoundedMemory } from "#libs/input";

import type { CalendarState, ClosedCause, Freeze, Window } from "./calendar.ts";
import { expandWindow, type Interval } from "./expand-window.ts";

/** How far ahead a calendar is looked at. */
const yearMs = 366 * 86_400_000;

/** Cached, because a decision asks many times a second and the result is the same for weeks. */
const expanded = new BoundedMemory<readonly Interval[]>(400);
const stretchMs = 61 * 86_400_000;

/**
 * From the four weeks of `now` to a year after. Keyed by the window's content, because every commit that is read has windows of
 * its own.
 */
function listIntervals(window: Window, now: number): readonly Interval[] {
  const stretch = Math.floor(now / stretchMs);
  const key = JSON.stringify([stretch, window.kind, window.schedule, window.duration, window.timeZone]);
  const from = stretch * stretchMs;
  return expanded.recall(key, () => expandWindow(window, from, from + stretchMs + yearMs));
}

/** The index of the last interval that begins at or before a moment; -1 = none. */
function findLast(intervals: readonly Interval[], now: number): number {
  let low = 0;
  let high = intervals.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((intervals[middle]?.from ?? now + 1) <= now) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** A window or freeze with its times. */
interface Rule {
  readonly intervals: readonly Interval[];
  readonly atEnd: Window["atEnd"];
  readonly by:
    | { readonly kind: "freeze"; readonly freeze: Freeze }
    | { readonly kind: "allow" | "deny"; readonly window: Window };
}

interface CalendarRules {
  readonly windows: readonly Window[];
  readonly freezes: readonly Freeze[];
}

function listRules({ windows, freezes }: CalendarRules, now: number): readonly Rule[] {
  return [
    // A freeze lets the batch in hand end.
    ...freezes.map((freeze): Rule => ({ by: { kind: "freeze", freeze }, intervals: [freeze], atEnd: "finishBatch" })),
    ...windows.map((window): Rule => {
      const { kind, atEnd } = window;
      return { by: { kind, window }, intervals: listIntervals(window, now), atEnd };
    }),
  ];
}

function isActive({ intervals }: Rule, now: number): boolean {
  return now < (intervals[findLast(intervals, now)]?.to ?? now);
}

/** What keeps it closed, the strongest first: freezes, denying windows, then allowing windows that are all closed. */
function findCauses(rules: readonly Rule[], now: number): readonly Rule[] {
  const denying = rules.filter((rule) => rule.by.kind !== "allow" && isActive(rule, now));
  const allowing = rules.filter(({ by }) => by.kind === "allow");
  const isShut = allowing.length > 0 && !allowing.some((rule) => isActive(rule, now));
  return isShut ? [...denying, ...sortByEnd(allowing, now)] : denying;
}

/** The rule that closed last comes first: its `atEnd` is the one that took effect. */
function sortByEnd(rules: readonly Rule[], now: number): readonly Rule[] {
  const endOf = ({ intervals }: Rule): number => intervals[findLast(intervals, now)]?.to ?? Number.NEGATIVE_INFINITY;
  return rules.toSorted((a, b) => endOf(b) - endOf(a));
}

/** The next time at which any rule begins or ends. */
function findBoundary(rules: readonly Rule[], now: number): number {
  const next = rules.map(({ intervals }) => {
    const at = findLast(intervals, now);
    const end = intervals[at]?.to ?? now;
    return end > now ? end : (intervals[at + 1]?.from ?? Number.POSITIVE_INFINITY);
  });
  return Math.min(...next);
}

/** When open changes to closed or back; undefined = not within a year. */
function findChange(rules: readonly Rule[], now: number): number | undefined {
  const isOpen = findCauses(rules, now).length === 0;
  for (let at = findBoundary(rules, now); at <= now + yearMs; at = findBoundary(rules, at)) {
    if ((findCauses(rules, at).length === 0) !== isOpen) return at;
  }
  return undefined;
}

const strictness: readonly Window["atEnd"][] = ["finishStage", "finishBatch", "stop"];

/** Of several that hold at once the strictest counts; of closed allowing windows the one that closed last. */
function pickEnd(causes: readonly Rule[]): Window["atEnd"] {
  const said = causes.filter((rule, index) => rule.by.kind !== "allow" || causes[index - 1]?.by.kind !== "allow");
  return strictness[Math.max(...said.map(({ atEnd }) => strictness.indexOf(atEnd)))] ?? "finishBatch";
}

function nameCause({ by }: Rule, causes: readonly Rule[]): ClosedCause {
  if (by.kind === "freeze") return by;
  if (by.kind === "deny") return { kind: "insideDenied", window: by.window };
  return {
    kind: "outsideAllowed",
    windows: causes.flatMap((each) => (each.by.kind === "allow" ? [each.by.window] : [])),
  };
}

/**
 * Whether forward runs may move at `now` (epoch ms). A freeze overrides all, denying windows override allowing ones; without
 * allowing windows all time is allowed that none denies.
 */
export function judgeCalendar(rules: CalendarRules, now: number): CalendarState {
  const listed = listRules(rules, now);
  if (listed.length === 0) return { kind: "open" };
  const causes = findCauses(listed, now);
  const until = findChange(listed, now);
  const when = until === undefined ? {} : { until };
  const [cause] = causes;
  if (cause === undefined) return { kind: "open", ...when };
  return { kind: "closed", cause: nameCause(cause, causes), ...when, atEnd: pickEnd(causes) };
}
