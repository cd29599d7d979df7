import type { FleetStatus } from "#libs/plan";

/** A line for people: an event of the stream, or a text of the demo itself. */
export interface Note {
  /** ISO time of the clusters' clock. */
  readonly at: string;
  readonly text: string;
}

/** All that the picture is drawn from. */
export interface PictureFacts {
  /** The planner's newest status; undefined before the first. */
  readonly status: FleetStatus | undefined;
  /** Oldest first. */
  readonly notes: readonly Note[];
  /** What a person may type now, most useful first. */
  readonly next: readonly Step[];
}

/** A command that works against the running demo, and what it is for. */
export interface Step {
  readonly what: string;
  readonly command: string;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}
