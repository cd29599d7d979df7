import type { Event } from "#libs/events";

/** A message of the stream that is in our hands. */
export interface Told {
  readonly event: Event;
  /** It came so late that it is no news any more. */
  readonly isLate: boolean;
  /** No other process did anything since this one's last message: what it remembers is still true. */
  readonly isMine: boolean;
  /** False when it may be in other hands: then nothing more must be posted for it. */
  readonly isHeld: () => boolean;
}

/** One place where people are notified. Its calls throw what the place's adapter throws; they can be repeated at any time. */
export interface Sink {
  /** Also the name that all notifiers share on the bus. */
  readonly name: "slack" | "github";
  /** Posts what the message says, once, no matter which process gets it and how often. */
  tell(told: Told): Promise<void>;
  /** Brings what is edited in place to the newest state, as far as its turn has come. */
  refresh(): Promise<void>;
}
