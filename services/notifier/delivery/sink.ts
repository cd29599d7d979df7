import type { Event } from "#libs/events";

/** A message that this process took from the stream. */
export interface Told {
  readonly event: Event;
  /** It is too old to be news. */
  readonly isLate: boolean;
  /** No other notifier did anything since this one's last message, so what it remembers still holds. */
  readonly isMine: boolean;
  /** False when another notifier may have the message by now: then nothing more may be posted for it. */
  readonly isHeld: () => boolean;
}

/** One place where people are notified. Its calls throw the adapter's errors, and may be repeated at any time. */
export interface Sink {
  /** Also the name that all notifiers share on the bus. */
  readonly name: "slack" | "github";
  /** Posts the message once, whichever notifier gets it and however often. */
  tell(told: Told): Promise<void>;
  /** Edits the messages that show a state, as far as the rate limit allows. */
  refresh(): Promise<void>;
}
