import type { Event } from "#libs/events";

/** A message of the stream that is in our hands. */
export interface Told {
  readonly event: Event;
  /** It came so late that it is no news any more. */
  readonly isLate: boolean;
  /** Nobody else did anything since this process's last one: what it remembers is still true. */
  readonly isMine: boolean;
  /** False when it may be in other hands: then nothing more must be posted for it. */
  readonly isHeld: () => boolean;
}

/** One place where people are told. Its calls throw what the place's adapter throws; they can be repeated at any time. */
export interface Sink {
  /** Also the name that all notifiers share on the bus. */
  readonly name: "slack" | "github";
  /** Tells what the message says, once, whoever is given it and however often. */
  tell(told: Told): Promise<void>;
  /** Brings what is edited in place to the newest state, as far as its turn has come. */
  refresh(): Promise<void>;
}
