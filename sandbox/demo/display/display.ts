import type { Event } from "#libs/events";
import type { FleetStatus } from "#libs/plan";

import type { Step } from "../story/step.ts";

/** How the demo shows itself: a picture on a terminal, lines on a dumb one, JSON when piped. */
export interface Display {
  showStatus(status: FleetStatus): void;
  showEvent(event: Event): void;
  /** The demo itself says something, one or more lines. */
  say(text: string): void;
  /** What a person may type now. */
  suggest(steps: readonly Step[]): void;
  /** Gives the terminal back as it was; what is said afterwards stays on it. */
  leave(): void;
  /** The last word: for people, and the same for machines. */
  summarise(text: string, summary: object): void;
}

/** Where a display writes: the part of a stream that it needs. */
export interface Output {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  write(text: string): unknown;
  on(event: "resize", listener: () => void): unknown;
  off(event: "resize", listener: () => void): unknown;
}
