import type { Logger, Vitals } from "#libs/runtime";

import type { EventHub } from "../events/event-hub.ts";
import type { StatusView } from "../status/follow-status.ts";
import type { Hint } from "../hints/hint.ts";

/** What the routes serve from. */
export interface ServerParts {
  readonly log: Logger;
  readonly vitals: Vitals;
  readonly isBusConnected: () => boolean;
  /** Why the bus does not serve us, in a sentence; undefined when it does. */
  readonly findObstacle: () => string | undefined;
  readonly status: StatusView;
  readonly hub: EventHub;
  /** Tells the planner; never waits. */
  readonly hint: (hint: Hint) => void;
  /** The protected branch. */
  readonly branch: string;
  /** Secrets of webhooks, the newest first; empty: none are accepted. */
  readonly webhookSecrets: readonly string[];
}
