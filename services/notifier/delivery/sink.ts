import type { Event } from "#libs/events";

/** A message that this process took from the stream. */
export interface ReceivedEvent {
  readonly event: Event;
  /** Too old to be posted as news. */
  readonly isLate: boolean;
  /** No other notifier handled a message since this one's last, so its memory of the channel still holds. */
  readonly isMine: boolean;
  /** False when another notifier may have the message by now: nothing more may be posted for it. */
  readonly isHeld: () => boolean;
}

/** A place where people are notified. Its calls throw the adapter's errors and may be repeated at any time. */
export interface Sink {
  /** Also the consumer's name on the bus, shared by all notifiers. */
  readonly name: "slack" | "github";
  /** Posts the message once, whichever notifier gets it and however often. */
  deliver(received: ReceivedEvent): Promise<void>;
  /** Edits the messages that show a state, as far as the rate limit allows. */
  refresh(): Promise<void>;
}
