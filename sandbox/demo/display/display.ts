import type { Event } from "#libs/events";
import type { FleetStatus } from "#libs/plan";

import type { Step } from "../story/step.ts";

/** How the demo is shown: a picture on a terminal, lines on a terminal that cannot move its cursor, JSON with `-o json`. */
export interface Display {
  showStatus(status: FleetStatus): void;
  showEvent(event: Event): void;
  /** Shows a text of the demo itself, one or more lines. */
  say(text: string): void;
  /** Shows the commands that a person may type now. */
  suggest(steps: readonly Step[]): void;
  /** Restores the terminal; what is written afterwards stays on it. */
  leave(): void;
  /** Shows the end result, as text for people and as an object for programs. */
  summarise(text: string, summary: object): void;
}

/** The part of an output stream that a display needs. */
export interface Output {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  write(text: string): unknown;
  on(event: "resize", listener: () => void): unknown;
  off(event: "resize", listener: () => void): unknown;
}
