import { ChatUnavailable } from "./errors.ts";

/** Spaces calls in time. */
export interface Pace {
  /** Throws `ChatUnavailable` while the chat told us to wait: a request sent meanwhile would make the wait longer. */
  requireNoBan(doing: string): void;
  startBan(ms: number): void;
  /** Resolves when the next post may be sent, so that posts are so many ms apart. */
  takeTurn(): Promise<void>;
}

/** `monotonic`: real ms, never decreasing. */
export function createPace(spacingMs: number, monotonic: () => number = () => performance.now()): Pace {
  let bannedUntil = Number.NEGATIVE_INFINITY;
  let nextTurn = Number.NEGATIVE_INFINITY;
  return {
    requireNoBan(doing) {
      const left = Math.ceil(bannedUntil - monotonic());
      if (left <= 0) return;
      const message = `${doing} waits: Slack's rate limit is used up for ${Math.ceil(left / 1000)} s`;
      throw new ChatUnavailable(message, { retryAfterMs: left });
    },
    startBan: (ms) => void (bannedUntil = Math.max(bannedUntil, monotonic() + ms)),
    async takeTurn() {
      const now = monotonic();
      const turn = Math.max(now, nextTurn);
      nextTurn = turn + spacingMs;
      if (turn > now) await new Promise((resolve) => setTimeout(resolve, turn - now));
    },
  };
}
