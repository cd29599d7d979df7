import type { EventData } from "#libs/events";
import type { FleetStatus, RunStatus } from "#libs/plan";

import type { StageName } from "./notify-store.ts";

/** What is known of a run from messages and the status; after a restart any of it may be missing. */
export interface RunFacts {
  readonly id: string;
  readonly commit?: string;
  readonly subject?: string;
  readonly author?: string;
  /** ISO, by the services' clock. */
  readonly startedAt?: string;
  readonly campaign?: string;
  readonly stage?: string;
  /** Set once it is over. */
  readonly end?: RunEnd;
}

/** How a run ended, and when (ISO). */
export interface RunEnd extends EventData<"runDone"> {
  readonly at: string;
}

/** One snapshot of a run for people. */
export interface RunReport {
  readonly facts: RunFacts;
  /** Absent when the run is over, or when the planner has not published it yet. */
  readonly run?: RunStatus;
  readonly status?: FleetStatus;
  /** Its place in its campaign, as main's files say. */
  readonly stage?: StageName;
  /** A fresh status has not shown it for a while, and no message told its end. */
  readonly hasVanished?: true;
  /** ISO since when the planner has been silent, when it is. */
  readonly silentSince?: string;
}
