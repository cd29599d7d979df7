import type { EventData } from "#libs/events";
import type { FleetStatus, RunStatus } from "#libs/plan";

import type { StageName } from "./notify-store.ts";

/** What is known of a run, from messages and from the status; all of it may be missing after a restart. */
export interface RunFacts {
  readonly id: string;
  readonly commit?: string;
  readonly subject?: string;
  readonly author?: string;
  /** ISO, in the time people live in. */
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
  /** Absent when the run is over, or the planner has not said a word of it yet. */
  readonly run?: RunStatus;
  readonly status?: FleetStatus;
  /** Its place in its campaign, as main's files say. */
  readonly stage?: StageName;
  /** The status, though fresh, has not shown it for a while, and its end was not heard. */
  readonly hasVanished?: true;
  /** ISO since when the planner has been silent, when it is. */
  readonly silentSince?: string;
}
