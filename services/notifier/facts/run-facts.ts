import type { EventData } from "#libs/events";
import type { FleetStatus, RunStatus } from "#libs/plan";

import type { StageName } from "./notify-store.ts";

/** What messages and the status say about a run; after a restart any of it may be missing. */
export interface RunFacts {
  readonly id: string;
  readonly commit?: string;
  readonly subject?: string;
  readonly author?: string;
  /** ISO, by the services' clock. */
  readonly startedAt?: string;
  readonly campaign?: string;
  readonly stage?: string;
  /** Set when the run is over. */
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
  /** Its stage, by main's files. */
  readonly stage?: StageName;
  /** A fresh status has not shown it for a while, and no message reported its end. */
  readonly hasVanished?: true;
  /** ISO time of the planner's last write, if that is too long ago. */
  readonly silentSince?: string;
}
