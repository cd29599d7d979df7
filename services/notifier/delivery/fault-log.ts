import type { Logger } from "#libs/runtime";

import type { FaultVerdict } from "./judge-fault.ts";

/** Writes an outage to the log when it begins, every ten minutes while it lasts, and when it is over. */
export interface FaultLog {
  failed(error: unknown, verdict: FaultVerdict, about: Readonly<Record<string, string>>): void;
  worked(): void;
}

/** Real ms. */
const repeatMs = 10 * 60_000;

export function createFaultLog(log: Logger, sink: string, monotonic: () => number): FaultLog {
  const loggedAt = new Map<string, number>();
  return {
    failed(error, { level, key, againAfterMs }, about) {
      const now = monotonic();
      if (now - (loggedAt.get(key) ?? Number.NEGATIVE_INFINITY) < repeatMs) return;
      if (loggedAt.size > 100) loggedAt.clear();
      loggedAt.set(key, now);
      const then = againAfterMs === "drop" ? "it is dropped" : "it is sent again, and nothing waits for it";
      log[level]({ error, sink, ...about }, `a notification was not delivered: ${then}`);
    },
    worked() {
      if (loggedAt.size > 0) log.info({ sink }, "notifications are delivered again");
      loggedAt.clear();
    },
  };
}
