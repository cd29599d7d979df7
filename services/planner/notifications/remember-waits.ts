import type { Notifications } from "#libs/events";
import { printText, writeText } from "#libs/wording";

import type { WaitMemory } from "./tell-waits.ts";

function printTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** What stands, as the next planner finds it. */
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

/** `real`: now, ms: what was told before is taken for over only when this planner has looked for a while. */
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
