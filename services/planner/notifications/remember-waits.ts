import type { Notifications } from "#libs/events";
import { printText, writeText } from "#libs/wording";

import { printTime, type WaitMemory } from "./update-waits.ts";

/** The waits in the form in which they are stored for the next planner. */
export function describeWaits({ waits, away, overdue }: WaitMemory): Omit<Notifications, "ledger"> {
  return {
    waits: [...waits.values()].map(({ since, told, scope, reason }) => {
      const { code, message, owner, command, until } = reason;
      const more = { ...(command === undefined ? {} : { command }), ...(until === undefined ? {} : { until }) };
      return { since: printTime(since), told, scope, code, message: printText(message), owner, ...more };
    }),
    away: [...away].map(([cluster, { since, told }]) => ({ since: printTime(since), told, cluster })),
    overdue: [...overdue],
  };
}

/** `real`: now, real ms. A restored wait counts as over only after this planner has run for a while without finding it. */
export function restoreWaits({ waits, away, overdue }: Omit<Notifications, "ledger">, real: number): WaitMemory {
  return {
    waits: new Map(
      waits.map(({ since, told, scope, message, ...rest }) => {
        const reason = { ...rest, message: writeText(message) };
        const state = { since: Date.parse(since), sinceReal: real, told, restoredAt: real };
        return [`${scope} ${reason.code}`, { ...state, scope, reason }] as const;
      }),
    ),
    away: new Map(
      away.map(({ since, told, cluster }) => {
        return [cluster, { since: Date.parse(since), sinceReal: real, told, restoredAt: real }] as const;
      }),
    ),
    overdue: new Set(overdue),
  };
}
